import { useEffect, useState } from 'react'
import { classNames } from '~/ui/element'
import styles from './caption-text.module.css'
import type { CaptionStyle } from './preferences'
import type { CaptionTrack } from './use-stream'

export interface Cue {
  startSeconds: number
  endSeconds: number
  text: string
}

/**
 * A cue as plain text, parsed by the browser: tags such as <i> and <v Name> are removed, entities
 * decoded.
 */
const plainText = (cue: TextTrackCue): string => (cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? '') : '')

/**
 * Parses a WebVTT file with the browser's parser, in an element that is not playing.
 * @throws where the file cannot be read
 */
export function readCues(url: string, signal: AbortSignal): Promise<Cue[]> {
  return new Promise((resolve, reject) => {
    const video = document.createElement('video')
    const element = document.createElement('track')
    const settle = (then: () => void) => () => {
      element.remove()
      if (!signal.aborted) then()
    }
    element.addEventListener(
      'load',
      settle(() =>
        resolve(
          Array.from(element.track.cues ?? []).map((cue) => ({
            startSeconds: cue.startTime,
            endSeconds: cue.endTime,
            text: plainText(cue),
          })),
        ),
      ),
    )
    element.addEventListener(
      'error',
      settle(() => reject(new Error(`No captions could be read from ${url}.`))),
    )
    signal.addEventListener('abort', () => element.remove())
    element.kind = 'metadata'
    element.src = url
    video.append(element)
    element.track.mode = 'hidden'
  })
}

interface Props {
  video: HTMLVideoElement | null
  tracks: readonly CaptionTrack[]
  /** The language to show; null for none. */
  language: string | null
  look: CaptionStyle
}

/** The current captions, rendered by the product instead of the browser. */
export function CaptionText({ video, tracks, language, look }: Props) {
  const [lines, setLines] = useState<readonly string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: textTracks follow `tracks`
  useEffect(() => {
    if (!video) return
    let shown: TextTrack | undefined
    for (const track of video.textTracks) {
      const isSelected = track.kind === 'captions' && track.language === language
      track.mode = isSelected ? 'hidden' : 'disabled'
      if (isSelected) shown = track
    }
    const read = () => setLines(Array.from(shown?.activeCues ?? []).flatMap(linesOf))
    // A language that was shown before has its cues loaded.
    read()
    shown?.addEventListener('cuechange', read)
    return () => shown?.removeEventListener('cuechange', read)
  }, [video, tracks, language])

  if (lines.length === 0) return null
  return (
    <div
      className={classNames(styles.captions, look.place === 'top' && styles.top)}
      lang={language ?? undefined}
      data-captions
    >
      {lines.map((line) => (
        <CaptionLine key={line} look={look}>
          {line}
        </CaptionLine>
      ))}
    </div>
  )
}

/** One caption line in the viewer's style. */
export function CaptionLine({ look, children }: { look: CaptionStyle; children: string }) {
  return (
    <span className={classNames(styles.line, styles[look.size], styles[look.colour], styles[look.ground])} dir="auto">
      {children}
    </span>
  )
}

const linesOf = (cue: TextTrackCue): string[] => plainText(cue).split('\n').filter(Boolean)
