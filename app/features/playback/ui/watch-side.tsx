import { Tabs } from '@ark-ui/react/tabs'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Chapter } from '#contract/playback.ts'
import type { Lesson, ProductDetail } from '#contract/product-page.ts'
import { finishedShare } from '#contract/rules.ts'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { classNames } from '~/ui/element'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import type { PlayerView } from '../player/player'
import lessonListStyles from './lesson-list.module.css'
import { type TimedLine, TimedLines, useRunningLine } from './timed-lines'
import { Transcript } from './transcript'
import styles from './watch-side.module.css'

/** The lessons of a course or episodes of a series, with their progress. */
function LessonList({ product, current }: { product: ProductDetail; current: string | undefined }) {
  const lessonLabels = useLessonLabels()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = current && list.current?.querySelector<HTMLElement>('[aria-current]')
    // Scrolls the list only, not the page.
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 3
  }, [current])
  const finished = product.lessons.filter(({ progress }) => (progress ?? 0) >= finishedShare).length
  return (
    <nav className={lessonListStyles.side} aria-labelledby="lessons">
      <div className={lessonListStyles.head}>
        <h2 id="lessons" className={lessonListStyles.title}>
          {lessonLabels.count(product.lessons.length)}
        </h2>
        {finished > 0 && (
          <span className={lessonListStyles.count}>
            <Plural value={finished} one="# watched" other="# watched" />
          </span>
        )}
      </div>
      <ol ref={list} className={lessonListStyles.list}>
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
  const finished = progress >= finishedShare
  return (
    <li>
      <Link
        to="/products/$code/watch"
        params={{ code }}
        search={{ lesson: lesson.id }}
        className={classNames(lessonListStyles.row, isCurrent && lessonListStyles.current)}
        aria-current={isCurrent ? 'true' : undefined}
        resetScroll={false}
      >
        <span className={lessonListStyles.mark}>
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
        <span className={lessonListStyles.words}>
          <span className={lessonListStyles.name}>{storeText(lesson, 'title')}</span>
          <span className={lessonListStyles.meta}>
            {lesson.durationSeconds !== null && <span>{format.duration(lesson.durationSeconds)}</span>}
            {lesson.free && (
              <Badge tone="success">
                <Trans>Free</Trans>
              </Badge>
            )}
          </span>
        </span>
        {progress > 0 && !finished && (
          <span className={lessonListStyles.progress} style={{ inlineSize: `${Math.round(progress * 100)}%` }} />
        )}
      </Link>
    </li>
  )
}

export type SideTab = 'lessons' | 'transcript' | 'chapters'

interface Props {
  product: ProductDetail
  lesson: string | undefined
  /** The open stream; null before playback. */
  view: PlayerView | null
  tab: SideTab
  onTab: (tab: SideTab) => void
  /** Absent if the panel cannot be closed. */
  onClose?: (() => void) | undefined
}

/** The side panel with lessons, transcript and chapters; below the video on small screens. */
export function WatchSide({ product, lesson, view, tab, onTab, onClose }: Props) {
  const { t } = useLingui()
  const lessonLabels = useLessonLabels()
  const chapters = view?.stream.chapters ?? product.chapters
  const jump = (seconds: number) => {
    if (view) view.video.currentTime = seconds
  }
  const names = { lessons: lessonLabels.title, transcript: t`Transcript`, chapters: t`Chapters` }
  const tabs: SideTab[] =
    product.lessons.length > 1 ? ['lessons', 'transcript', 'chapters'] : ['transcript', 'chapters']
  return (
    <Tabs.Root
      className={styles.side}
      value={tab}
      onValueChange={({ value }) => {
        const chosen = tabs.find((tab) => tab === value)
        if (chosen) onTab(chosen)
      }}
      lazyMount
      unmountOnExit
    >
      <div className={styles.head}>
        <Tabs.List className={styles.tabs} aria-label={t`Video details`}>
          {tabs.map((tab) => (
            <Tabs.Trigger key={tab} value={tab} className={styles.tab}>
              {names[tab]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {onClose && <IconButton icon="close" label={t`Close`} onClick={onClose} />}
      </div>
      {tabs.map((tab) => (
        <Tabs.Content key={tab} value={tab} className={styles.content}>
          {tab === 'lessons' ? (
            <LessonList product={product} current={lesson} />
          ) : tab === 'transcript' ? (
            <Opened view={view}>{view && <Transcript view={view} onJump={jump} />}</Opened>
          ) : (
            <ChapterList chapters={chapters} view={view} onJump={jump} />
          )}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

function Opened({ view, children }: { view: PlayerView | null; children: ReactNode }) {
  if (view) return children
  return <EmptyState compact icon="transcript" title={<Trans>Press play to follow along here.</Trans>} />
}

interface ChapterListProps {
  chapters: readonly Chapter[]
  view: PlayerView | null
  onJump: (seconds: number) => void
}

function ChapterList({ chapters, view, onJump }: ChapterListProps) {
  const { t } = useLingui()
  const lines = chapters.map((chapter) => ({
    startSeconds: chapter.startSeconds,
    text: chapter.title,
    lang: langOf(chapter, 'title'),
  }))
  if (lines.length === 0) return <EmptyState compact icon="list" title={t`This video has no chapters.`} />
  return view ? (
    <RunningChapters view={view} lines={lines} label={t`Chapters`} onJump={onJump} />
  ) : (
    <TimedLines lines={lines} label={t`Chapters`} current={-1} onJump={onJump} />
  )
}

function RunningChapters({
  view,
  lines,
  ...rest
}: {
  view: PlayerView
  lines: TimedLine[]
  label: string
  onJump: (seconds: number) => void
}) {
  const current = useRunningLine(view.video, lines)
  return <TimedLines {...rest} lines={lines} current={current} />
}
