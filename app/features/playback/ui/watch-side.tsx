import { Tabs } from '@ark-ui/react/tabs'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Product } from '#contract/catalog.ts'
import { useLessonWords } from '~/features/catalog/use-lesson-words'
import { langOf } from '~/platform/i18n/locales'
import { EmptyState } from '~/ui/empty-state'
import { IconButton } from '~/ui/icon-button'
import type { Chapter } from '../chapters'
import { LessonList } from './lesson-list'
import type { PlayerView } from './player'
import { type TimedLine, TimedLines } from './timed-lines'
import { Transcript } from './transcript'
import { useRunningLine } from './use-running-line'
import styles from './watch-side.module.css'

export type SideTab = 'lessons' | 'transcript' | 'chapters'

interface Props {
  product: Product
  lesson: string | undefined
  /** What plays; null before anything does. */
  view: PlayerView | null
  tab: SideTab
  onTab: (tab: SideTab) => void
  /** Absent where the side stays. */
  onClose?: (() => void) | undefined
}

/** Beside the film, or below it on a small screen: the lessons, what is said, and the chapters. */
export function WatchSide({ product, lesson, view, tab, onTab, onClose }: Props) {
  const { t } = useLingui()
  const lessonWords = useLessonWords()
  const chapters = view?.stream.chapters ?? product.chapters
  const jump = (seconds: number) => {
    if (view) view.video.currentTime = seconds
  }
  const names = { lessons: lessonWords.title, transcript: t`Transcript`, chapters: t`Chapters` }
  const tabs = (
    product.lessons.length > 1 ? ['lessons', 'transcript', 'chapters'] : ['transcript', 'chapters']
  ) as SideTab[]
  return (
    <Tabs.Root
      className={styles.side}
      value={tab}
      onValueChange={({ value }) => onTab(value as SideTab)}
      lazyMount
      unmountOnExit
    >
      <div className={styles.head}>
        <Tabs.List className={styles.tabs} aria-label={t`Video details`}>
          {tabs.map((one) => (
            <Tabs.Trigger key={one} value={one} className={styles.tab}>
              {names[one]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {onClose && <IconButton icon="close" label={t`Close`} onClick={onClose} />}
      </div>
      {tabs.map((one) => (
        <Tabs.Content key={one} value={one} className={styles.content}>
          {one === 'lessons' ? (
            <LessonList product={product} current={lesson} />
          ) : one === 'transcript' ? (
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
