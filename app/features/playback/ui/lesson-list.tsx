import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Lesson, Product } from '#contract/catalog.ts'
import { useLessonWords } from '~/features/catalog/use-lesson-words'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Badge } from '~/ui/badge'
import { classNames } from '~/ui/class-names'
import { Icon } from '~/ui/icon'
import styles from './lesson-list.module.css'

const finishedAt = 0.9

/** The lessons of a course or the episodes of a series, with how far each was watched. */
export function LessonList({ product, current }: { product: Product; current: string | undefined }) {
  const lessonWords = useLessonWords()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = current && list.current?.querySelector<HTMLElement>('[aria-current]')
    // Within the list alone: the page stays where it is.
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 3
  }, [current])
  const finished = product.lessons.filter(({ progress }) => (progress ?? 0) >= finishedAt).length
  return (
    <nav className={styles.side} aria-labelledby="lessons">
      <div className={styles.head}>
        <h2 id="lessons" className={styles.title}>
          {lessonWords.count(product.lessons.length)}
        </h2>
        {finished > 0 && (
          <span className={styles.count}>
            <Plural value={finished} one="# watched" other="# watched" />
          </span>
        )}
      </div>
      <ol ref={list} className={styles.list}>
        {product.lessons.map((lesson, index) => (
          <LessonRow
            key={lesson.id}
            lesson={lesson}
            number={index + 1}
            code={product.code}
            isCurrent={lesson.id === current}
          />
        ))}
      </ol>
    </nav>
  )
}

interface RowProps {
  lesson: Lesson
  number: number
  code: string
  isCurrent: boolean
}

function LessonRow({ lesson, number, code, isCurrent }: RowProps) {
  const { t } = useLingui()
  const format = useFormat()
  const progress = lesson.progress ?? 0
  const finished = progress >= finishedAt
  return (
    <li>
      <Link
        to="/products/$code/watch"
        params={{ code }}
        search={{ lesson: lesson.id }}
        className={classNames(styles.row, isCurrent && styles.current)}
        aria-current={isCurrent ? 'true' : undefined}
        resetScroll={false}
      >
        <span className={styles.mark}>
          {isCurrent ? (
            <Icon name="play" size="s" label={t`Playing now`} />
          ) : finished ? (
            <Icon name="check" size="s" label={t`Watched`} />
          ) : lesson.playable ? (
            format.number(number)
          ) : (
            <Icon name="lock" size="s" label={t`Not purchased`} />
          )}
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{storeText(lesson, 'title')}</span>
          <span className={styles.meta}>
            {lesson.durationSeconds !== null && <span>{format.duration(lesson.durationSeconds)}</span>}
            {lesson.free && (
              <Badge tone="success">
                <Trans>Free</Trans>
              </Badge>
            )}
          </span>
        </span>
        {progress > 0 && !finished && (
          <span className={styles.progress} style={{ inlineSize: `${Math.round(progress * 100)}%` }} />
        )}
      </Link>
    </li>
  )
}
