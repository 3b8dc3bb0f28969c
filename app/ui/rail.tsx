import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './button'
import { classNames } from './element'
import styles from './rail.module.css'
import { ScriptOnly } from './visibility'

export interface RailProps {
  title: ReactNode
  /** Secondary text below the title. */
  text?: ReactNode
  /** At the end of the title: a link to all items. */
  action?: ReactNode
  labels: { previous: string; next: string }
  /** The width of the items: 16:9 cards, 2:3 cards, or smaller 16:9 cards. */
  shape?: 'wide' | 'tall' | 'small' | undefined
  headingLevel?: 'h2' | 'h3' | undefined
  /** The props of the `<ul>`, with its `<li>` elements. */
  list: ComponentProps<'ul'>
  /** On the server, the element of title, arrows and action; by default a `<div>`. */
  head?: ((props: RailHead) => ReactNode) | undefined
  className?: string | undefined
}

interface RailHead {
  /** The id of the heading. */
  heading: string
  className: string | undefined
  children: ReactNode
}

/** A horizontally scrolling row of cards, with arrow buttons. */
export function Rail(props: RailProps) {
  const { title, text, action, labels, shape = 'wide', headingLevel, list, head, className } = props
  const Heading = headingLevel ?? 'h2'
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const edges = useEdges(section)

  const scroll = (step: 1 | -1) => {
    const row = section.current?.querySelector('ul')
    if (!row) return
    const direction = getComputedStyle(row).direction === 'rtl' ? -1 : 1
    row.scrollBy({ left: step * direction * row.clientWidth * 0.82 })
  }

  const children = (
    <>
      <div className={styles.headText}>
        <Heading className={styles.title} id={headingId}>
          {title}
        </Heading>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.arrows}>
        <ScriptOnly>
          <IconButton
            icon="chevron-start"
            label={labels.previous}
            size="s"
            variant="soft"
            round
            disabled={edges.atStart}
            onClick={() => scroll(-1)}
          />
          <IconButton
            icon="chevron-end"
            label={labels.next}
            size="s"
            variant="soft"
            round
            disabled={edges.atEnd}
            onClick={() => scroll(1)}
          />
        </ScriptOnly>
      </div>
      {action}
    </>
  )

  return (
    <section
      ref={section}
      className={classNames(styles.rail, styles[shape], className)}
      aria-labelledby={headingId}
      data-fits={(edges.atStart && edges.atEnd) || undefined}
    >
      {head ? (
        head({ heading: headingId, className: styles.head, children })
      ) : (
        <div className={styles.head}>{children}</div>
      )}
      <ul {...list} className={styles.scroller} />
    </section>
  )
}

/** Whether the row of a section is scrolled to its start or end. */
function useEdges(section: { readonly current: HTMLElement | null }) {
  const [edges, setEdges] = useState({ atStart: true, atEnd: false })

  useEffect(() => {
    const row = section.current?.querySelector('ul')
    if (!row) return
    const measure = () => {
      const travelled = Math.abs(row.scrollLeft)
      const atStart = travelled < 8
      const atEnd = travelled > row.scrollWidth - row.clientWidth - 8
      setEdges((before) => (before.atStart === atStart && before.atEnd === atEnd ? before : { atStart, atEnd }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(row)
    // Cards outside the window have no size until they are laid out.
    if (row.firstElementChild) observer.observe(row.firstElementChild)
    row.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', measure)
    }
  }, [section])

  return edges
}
