import { Slider } from '@ark-ui/react/slider'
import { useLingui } from '@lingui/react/macro'
import { skipToken, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import type { Chapter } from '#contract/playback.ts'
import { storeText } from '~/platform/i18n/store-text'
import { type Cue, readCues } from './captions'
import styles from './scrubber.module.css'
import thumbnailStyles from './thumbnail.module.css'
import { chapterAt, type MediaTime } from './use-media'

/** A region of a sprite image. */
export interface Thumbnail {
  url: string
  x: number
  y: number
  width: number
  height: number
}

interface StoryboardScene extends Thumbnail {
  startSeconds: number
}

const thumbnailFragment = /^(.*)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/

const sceneOf = ({ startSeconds, text }: Cue, base: string): StoryboardScene | undefined => {
  const match = thumbnailFragment.exec(text.trim())
  if (!match) return undefined
  const [, path = '', x, y, width, height] = match
  return {
    startSeconds,
    url: new URL(path, base).href,
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }
}

/** Reads the thumbnails of a storyboard's WebVTT file, in order of time. */
async function readStoryboard(url: string, signal: AbortSignal): Promise<readonly StoryboardScene[]> {
  const base = new URL(url, location.href).href
  const cues = await readCues(url, signal)
  return cues.flatMap((cue) => sceneOf(cue, base) ?? []).sort((a, b) => a.startSeconds - b.startSeconds)
}

const thumbnailAt = (scenes: readonly StoryboardScene[], seconds: number): Thumbnail | undefined =>
  scenes.findLast(({ startSeconds }) => startSeconds <= seconds) ?? scenes[0]

/** The thumbnail at the pointed time. The storyboard is fetched on first use. */
function useStoryboard(url: string | null, pointed: number | undefined): Thumbnail | undefined {
  const { data: scenes } = useQuery({
    queryKey: ['storyboard', url],
    queryFn: url === null ? skipToken : ({ signal }) => readStoryboard(url, signal),
    enabled: pointed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Without thumbnails only the time is shown.
    retry: 1,
  })
  return scenes && pointed !== undefined ? thumbnailAt(scenes, pointed) : undefined
}

/** The width of its box, in pixels. */
const thumbnailWidth = 160

/** One thumbnail of a sprite image. */
function StoryboardThumbnail({ thumbnail: { url, x, y, width, height } }: { thumbnail: Thumbnail }) {
  const scale = thumbnailWidth / width
  return (
    <span className={thumbnailStyles.frame} style={{ blockSize: `${height * scale}px` }} data-storyboard-frame>
      <img
        src={url}
        alt=""
        draggable={false}
        className={thumbnailStyles.sheet}
        style={{ transform: `scale(${scale}) translate(${-x}px, ${-y}px)` }}
      />
    </span>
  )
}

interface Props {
  time: MediaTime
  chapters: readonly Chapter[]
  storyboardUrl: string | null
  onSeek: (seconds: number) => void
}

/** The timeline: played and buffered ranges, chapters, and the time under the pointer. */
export function Scrubber({ time, chapters, storyboardUrl, onSeek }: Props) {
  const { t } = useLingui()
  const [dragged, setDragged] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const duration = Math.max(time.duration, 0.1)
  const seconds = Math.min(dragged ?? time.seconds, duration)
  const pointed = dragged ?? hovered
  const percent = (value: number) => `${(Math.min(Math.max(value / duration, 0), 1) * 100).toFixed(3)}%`
  const storyboardFrame = useStoryboard(storyboardUrl, pointed)
  const chapter = pointed === undefined ? undefined : chapterAt(chapters, pointed)

  const pointedStyle: CSSProperties & Record<'--at', string> = { '--at': percent(pointed ?? 0) }

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
          <output className={storyboardFrame ? styles.preview : styles.tooltip} style={pointedStyle} aria-hidden>
            {storyboardFrame && <StoryboardThumbnail thumbnail={storyboardFrame} />}
            {chapter && <span className={styles.chapterName}>{storeText(chapter, 'title')}</span>}
            {formatDuration(pointed)}
          </output>
        )}
      </Slider.Control>
    </Slider.Root>
  )
}
