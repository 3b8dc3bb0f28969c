import { useEffect, useState } from 'react'
import type { TimedLine } from './timed-lines'

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
