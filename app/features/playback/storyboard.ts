import { type Cue, readCues } from './cues'

/** A part of a picture that shows a moment. */
export interface Thumbnail {
  url: string
  x: number
  y: number
  width: number
  height: number
}

interface Scene extends Thumbnail {
  startSeconds: number
}

const part = /^(.*)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/

const sceneOf = ({ startSeconds, text }: Cue, base: string): Scene | undefined => {
  const found = part.exec(text.trim())
  if (!found) return undefined
  const [x, y, width, height] = found.slice(2).map(Number) as [number, number, number, number]
  return { startSeconds, url: new URL(found[1]!, base).href, x, y, width, height }
}

/** The thumbnails a storyboard's WebVTT names, in order of time. */
export async function readStoryboard(url: string, signal: AbortSignal): Promise<readonly Scene[]> {
  const base = new URL(url, location.href).href
  const cues = await readCues(url, signal)
  return cues.flatMap((cue) => sceneOf(cue, base) ?? []).sort((a, b) => a.startSeconds - b.startSeconds)
}

export const thumbnailAt = (scenes: readonly Scene[], seconds: number): Thumbnail | undefined =>
  scenes.findLast(({ startSeconds }) => startSeconds <= seconds) ?? scenes[0]
