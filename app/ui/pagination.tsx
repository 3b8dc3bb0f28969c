import type { ReactElement, ReactNode } from 'react'
import { Button } from './button'
import { type RenderElement, renderAs } from './element'
import { Icon } from './icon'
import loadMoreStyles from './load-more.module.css'
import styles from './pagination.module.css'

export interface PaginationProps {
  page: number
  pages: number
  labels: { name: string; previous: string; next: string }
  /** The link to a page: `(page) => <Link to="." search={{ page }} />`. */
  linkTo: (page: number) => RenderElement
}

/** Page links. Renders nothing for a single page. */
export function Pagination({ page, pages, labels, linkTo }: PaginationProps) {
  if (pages < 2) return null
  return (
    <nav aria-label={labels.name} className={styles.pagination}>
      <Step page={page - 1} there={page > 1} label={labels.previous} icon="chevron-start" linkTo={linkTo} />
      <ol className={styles.pages}>
        {stopsOf(page, pages).map((stop, at, stops) => (
          <li key={stop} data-gap={stop - (stops[at - 1] ?? stop - 1) > 1 || undefined}>
            {renderAs(
              linkTo(stop),
              // The link's name is its number: the `nav` around it has a label.
              { className: styles.page, 'aria-current': stop === page ? 'page' : undefined },
              stop,
            )}
          </li>
        ))}
      </ol>
      <Step page={page + 1} there={page < pages} label={labels.next} icon="chevron-end" linkTo={linkTo} />
    </nav>
  )
}

interface StepProps {
  page: number
  there: boolean
  label: string
  icon: 'chevron-start' | 'chevron-end'
  linkTo: PaginationProps['linkTo']
}

function Step({ page, there, label, icon, linkTo }: StepProps): ReactElement {
  const mark = <Icon name={icon} size="m" />
  if (!there) {
    return (
      <span className={styles.page} aria-hidden data-disabled>
        {mark}
      </span>
    )
  }
  return renderAs(linkTo(page), { className: styles.page, 'aria-label': label }, mark)
}

/** The first page, the last, and those around the current one. */
function stopsOf(page: number, pages: number): number[] {
  const near = [
    1,
    page - 1,
    page,
    page + 1,
    pages,
    ...(page < 4 ? [2, 3, 4] : []),
    ...(page > pages - 3 ? [pages - 3, pages - 2, pages - 1] : []),
  ]
  return [...new Set(near)].filter((stop) => stop >= 1 && stop <= pages).sort((a, b) => a - b)
}

export interface LoadMoreProps {
  label: string
  /** The progress: "24 of 131". */
  shown?: ReactNode
  /** The next page's link, so that it works without JavaScript. */
  render?: RenderElement | undefined
  onMore?: (() => void) | undefined
  loading?: boolean | undefined
}

/** A button that loads more of a list. */
export function LoadMore({ label, shown, render, onMore, loading }: LoadMoreProps) {
  return (
    <div className={loadMoreStyles.more}>
      {shown && (
        <p className={loadMoreStyles.shown} role="status">
          {shown}
        </p>
      )}
      {(render || onMore) && (
        <Button render={loading ? undefined : render} onClick={onMore} loading={loading}>
          {label}
        </Button>
      )}
    </div>
  )
}
