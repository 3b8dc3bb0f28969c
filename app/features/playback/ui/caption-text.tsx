import { useEffect, useState } from 'react'
import styles from './caption-text.module.css'
import type { CaptionTrack } from './use-stream'

interface Props {
  video: HTMLVideoElement | null
  tracks: readonly CaptionTrack[]
  /** The language to show; null for none. */
  language: string | null
}

/** The spoken words of the moment, in the product's own type rather than the browser's. */
export function CaptionText({ video, tracks, language }: Props) {
  const [lines, setLines] = useState<readonly string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements in `video.textTracks` follow `tracks`
  useEffect(() => {
    setLines([])
    if (!video) return
    let shown: TextTrack | undefined
    for (const track of video.textTracks) {
      const wanted = track.kind === 'captions' && track.language === language
      track.mode = wanted ? 'hidden' : 'disabled'
      if (wanted) shown = track
    }
    const read = () => setLines(Array.from(shown?.activeCues ?? []).flatMap(linesOf))
    shown?.addEventListener('cuechange', read)
    return () => shown?.removeEventListener('cuechange', read)
  }, [video, tracks, language])

  if (lines.length === 0) return null
  return (
    <div className={styles.captions} lang={language ?? undefined}>
      {lines.map((line) => (
        <span key={line} className={styles.line} dir="auto">
          {line}
        </span>
      ))}
    </div>
  )
}

/** Plain text: marks such as <i> and <v Name> are left out. */
const linesOf = (cue: TextTrackCue): string[] =>
  'text' in cue
    ? String(cue.text)
        .replaceAll(/<[^>]*>/g, '')
        .split('\n')
        .filter(Boolean)
    : []
