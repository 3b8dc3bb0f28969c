import { Slider } from '@ark-ui/react/slider'
import { useLingui } from '@lingui/react/macro'
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { storeText } from '~/platform/i18n/store-text'
import { type Chapter, chapterAt } from '../chapters'
import styles from './scrubber.module.css'
import { Still } from './still'
import type { MediaTime } from './use-media'
import { useStoryboard } from './use-storyboard'

interface Props {
  time: MediaTime
  chapters: readonly Chapter[]
  storyboardUrl: string | null
  onSeek: (seconds: number) => void
}

/** The line of time: what is played, what is loaded, where chapters begin, and the time under the pointer. */
export function Scrubber({ time, chapters, storyboardUrl, onSeek }: Props) {
  const { t } = useLingui()
  const [dragged, setDragged] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const duration = Math.max(time.duration, 0.1)
  const seconds = Math.min(dragged ?? time.seconds, duration)
  const pointed = dragged ?? hovered
  const percent = (value: number) => `${(Math.min(Math.max(value / duration, 0), 1) * 100).toFixed(3)}%`
  const still = useStoryboard(storyboardUrl, pointed)
  const chapter = pointed === undefined ? undefined : chapterAt(chapters, pointed)

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setHovered(Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration)
  }

  return (
    <Slider.Root
      className={styles.root}
      dir="ltr"
      data-timeline
      min={0}
      max={duration}
      step={0.1}
      value={[seconds]}
      aria-label={[t`Time`]}
      getAriaValueText={({ value }) => {
        const position = formatDuration(value)
        const length = formatDuration(duration)
        return t`${position} of ${length}`
      }}
      onValueChange={({ value }) => setDragged(value[0])}
      onValueChangeEnd={({ value }) => {
        setDragged(undefined)
        if (value[0] !== undefined) onSeek(value[0])
      }}
    >
      <Slider.Control className={styles.control} onPointerMove={follow} onPointerLeave={() => setHovered(undefined)}>
        <Slider.Track className={styles.track}>
          {time.buffered.map(({ from, to }) => (
            <span
              key={from}
              className={styles.buffered}
              style={{ insetInlineStart: percent(from), inlineSize: percent(to - from) }}
            />
          ))}
          {hovered !== undefined && <span className={styles.pointed} style={{ inlineSize: percent(hovered) }} />}
          <span className={styles.played} style={{ inlineSize: percent(seconds) }} />
          {chapters.map(({ startSeconds }) =>
            startSeconds > 0 ? (
              <span key={startSeconds} className={styles.chapter} style={{ insetInlineStart: percent(startSeconds) }} />
            ) : null,
          )}
        </Slider.Track>
        <Slider.Thumb index={0} className={styles.thumb}>
          <Slider.HiddenInput />
        </Slider.Thumb>
        {pointed !== undefined && (
          <output
            className={still ? styles.preview : styles.tooltip}
            style={{ '--at': percent(pointed) } as CSSProperties}
            aria-hidden
          >
            {still && <Still thumbnail={still} />}
            {chapter && <span className={styles.chapterName}>{storeText(chapter, 'title')}</span>}
            {formatDuration(pointed)}
          </output>
        )}
      </Slider.Control>
    </Slider.Root>
  )
}
