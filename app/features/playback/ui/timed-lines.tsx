import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { classNames } from '~/ui/element'
import styles from './timed-lines.module.css'

export interface TimedLine {
  startSeconds: number
  text: string
  /** Where the line is not in the language of the list. */
  lang?: string | undefined
}

interface Props {
  label: string
  lang?: string | undefined
  lines: readonly TimedLine[]
  /** The one that runs now; -1 for none. */
  current: number
  /** The one looked for; it is shown in place of the running one. */
  found?: number | undefined
  /** What to mark in the lines, folded as `foldText` does. */
  mark?: ((text: string) => ReactNode) | undefined
  onJump: (seconds: number) => void
}

/**
 * Lines one can jump to. The list is one stop of the keyboard: arrows move within it. It follows the film until the person
 * scrolls it.
 */
export function TimedLines({ label, lang, lines, current, found, mark, onJump }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [following, setFollowing] = useState(true)
  const [focused, setFocused] = useState<number>()
  const shown = found ?? (following ? current : undefined)
  const stop = focused ?? Math.max(0, current)

  useEffect(() => {
    const row = shown === undefined ? undefined : list.current?.children[shown]
    // Within the list alone: the page stays where it is.
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
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same at the same moment, and none ever moves
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

/** Drawn again only when something about it changes: a long film has thousands. */
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

/** Which line runs in the film: the last one begun, -1 before the first. Changes only when the line does. */
export function useRunningLine(video: HTMLVideoElement, lines: readonly TimedLine[] | undefined): number {
  const [running, setRunning] = useState(-1)
  useEffect(() => {
    // A tenth ahead: a jump to a line's beginning may land a frame before it.
    const read = () => setRunning(lines?.findLastIndex((line) => line.startSeconds <= video.currentTime + 0.1) ?? -1)
    read()
    for (const event of ['timeupdate', 'seeking', 'seeked']) video.addEventListener(event, read)
    return () => {
      for (const event of ['timeupdate', 'seeking', 'seeked']) video.removeEventListener(event, read)
    }
  }, [video, lines])
  return running
}
