import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { classNames } from '~/ui/element'
import styles from './timed-lines.module.css'

export interface TimedLine {
  startSeconds: number
  text: string
  /** The line's language, where it is not the list's. */
  lang?: string | undefined
}

interface Props {
  label: string
  lang?: string | undefined
  lines: readonly TimedLine[]
  /** The index of the current line; -1 for none. */
  current: number
  /** The index of the search match, which is scrolled to instead of the current line. */
  found?: number | undefined
  /** Highlights search matches in a line. */
  mark?: ((text: string) => ReactNode) | undefined
  onJump: (seconds: number) => void
}

/**
 * A list of lines to jump to. It is one tab stop; arrow keys move within it. It follows playback
 * until the viewer scrolls.
 */
export function TimedLines({ label, lang, lines, current, found, mark, onJump }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [following, setFollowing] = useState(true)
  const [focused, setFocused] = useState<number>()
  const shown = found ?? (following ? current : undefined)
  const stop = focused ?? Math.max(0, current)

  useEffect(() => {
    const row = shown === undefined ? undefined : list.current?.children[shown]
    // Scrolls the list only, not the page.
    if (row instanceof HTMLElement && list.current)
      list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2 + row.clientHeight / 2
  }, [shown])

  const latestJump = useRef(onJump)
  latestJump.current = onJump
  const jump = useCallback((seconds: number) => {
    setFollowing(true)
    latestJump.current(seconds)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: stop + 1, ArrowUp: stop - 1, Home: 0, End: lines.length - 1 }[event.key]
    if (target === undefined || target < 0 || target >= lines.length) return
    event.preventDefault()
    setFollowing(false)
    setFocused(target)
    list.current?.children[target]?.querySelector('button')?.focus()
  }

  return (
    <div className={styles.frame}>
      <ol
        ref={list}
        className={styles.list}
        aria-label={label}
        lang={lang}
        onKeyDown={onKeyDown}
        onBlur={() => setFocused(undefined)}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
      >
        {lines.map((line, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never move
            key={index}
            line={line}
            isCurrent={index === current}
            isFound={index === found}
            isStop={index === stop}
            mark={mark}
            onJump={jump}
          />
        ))}
      </ol>
      {!following && current >= 0 && (
        <button type="button" className={styles.follow} onClick={() => setFollowing(true)}>
          <Trans>Jump to current line</Trans>
        </button>
      )}
    </div>
  )
}

interface LineProps {
  line: TimedLine
  isCurrent: boolean
  isFound: boolean
  isStop: boolean
  mark: Props['mark']
  onJump: (seconds: number) => void
}

/** Memoized: a long video has thousands of lines. */
const Line = memo(function Line({ line, isCurrent, isFound, isStop, mark, onJump }: LineProps) {
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={classNames(styles.line, isCurrent && styles.current, isFound && styles.found)}
        aria-current={isCurrent ? 'true' : undefined}
        tabIndex={isStop ? 0 : -1}
        onClick={() => onJump(line.startSeconds)}
      >
        <span className={styles.time}>{formatDuration(line.startSeconds)}</span>
        <span className={styles.text} dir="auto" lang={line.lang}>
          {mark ? mark(line.text) : line.text}
        </span>
      </button>
    </li>
  )
})

/** The index of the current line, -1 before the first. Renders only when it changes. */
export function useRunningLine(video: HTMLVideoElement, lines: readonly TimedLine[] | undefined): number {
  const [running, setRunning] = useState(-1)
  useEffect(() => {
    // A tenth of a second ahead: a jump to a line may land a frame before it.
    const read = () => setRunning(lines?.findLastIndex((line) => line.startSeconds <= video.currentTime + 0.1) ?? -1)
    read()
    for (const event of ['timeupdate', 'seeking', 'seeked']) video.addEventListener(event, read)
    return () => {
      for (const event of ['timeupdate', 'seeking', 'seeked']) video.removeEventListener(event, read)
    }
  }, [video, lines])
  return running
}
