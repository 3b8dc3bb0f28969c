import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Lesson, ProductDetail } from '#contract/product-page.ts'
import { finishedShare } from '#contract/rules.ts'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { SharedElement } from '~/platform/document/html-parts'
import { useFormat } from '~/platform/format/use-format'
import { laterAttribute } from '~/platform/hydration-boundary'
import { langOf } from '~/platform/i18n/locales'
import { Badge } from '~/ui/chip'
import { Icon } from '~/ui/icon'
import { ProgressBar } from '~/ui/progress'
import styles from './lesson-list.module.css'

/** The lessons of a course or series. Playable ones are links, others are locked. */
export function LessonList({ product }: { product: ProductDetail }) {
  const format = useFormat()
  const lessonLabels = useLessonLabels()
  const { lessons, code } = product
  if (lessons.length === 0) return null
  const seconds = lessons.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0)
  const length = format.duration(seconds)
  const count = lessonLabels.count(lessons.length)
  return (
    <section aria-labelledby="lessons" {...laterAttribute}>
      <div className={styles.head}>
        <h2 id="lessons" className={styles.title}>
          {lessonLabels.title}
        </h2>
        <p className={styles.sum}>
          <Trans>
            {count}, {length} total
          </Trans>
        </p>
      </div>
      <SharedElement as="ol" className={styles.list} shown={['lessons', code, lessons]}>
        {lessons.map((lesson, index) => (
          <LessonRow key={lesson.id} lesson={lesson} number={index + 1} code={code} />
        ))}
      </SharedElement>
    </section>
  )
}

function LessonRow({ lesson, number, code }: { lesson: Lesson; number: number; code: ProductDetail['code'] }) {
  const { t } = useLingui()
  const format = useFormat()
  const { title, summary, durationSeconds, free, playable, progress } = lesson
  const percent = format.percent(progress ?? 0)
  const finished = (progress ?? 0) >= finishedShare
  return (
    <li className={styles.row} data-locked={!playable || undefined}>
      <span className={styles.number} aria-hidden>
        {finished ? <Icon name="check" size="s" /> : number}
      </span>
      <div className={styles.words}>
        <h3 className={styles.name}>
          {playable ? (
            <Link to="/products/$code/watch" params={{ code }} search={{ lesson: lesson.id }} className={styles.link}>
              <bdi lang={langOf(lesson, 'title')}>{title}</bdi>
            </Link>
          ) : (
            <bdi lang={langOf(lesson, 'title')}>{title}</bdi>
          )}
        </h3>
        {summary && (
          <p className={styles.summary}>
            <bdi lang={langOf(lesson, 'summary')}>{summary}</bdi>
          </p>
        )}
        {progress !== null && progress > 0 && !finished && (
          <span className={styles.progress}>
            <ProgressBar fraction={progress} label={t`${percent} watched`} />
          </span>
        )}
      </div>
      {free && (
        <Badge tone="soft">
          <Trans>Free</Trans>
        </Badge>
      )}
      {durationSeconds !== null && <span className={styles.duration}>{format.duration(durationSeconds)}</span>}
      <Icon
        name={playable ? 'play' : 'lock'}
        size="m"
        label={playable ? undefined : t`Locked`}
        className={styles.mark}
      />
    </li>
  )
}
