import { clock } from './clock.ts'
import { VideoRefused } from './refusal.ts'

const DEFAULT_SECONDS = 30
/** Of a short film less is shown, so that its preview is not the film. */
const DEFAULT_PART = 1 / 3
const MOST_SIDE = 480

/** Which part of the film anyone may see, or null for none. It begins and ends on key frames. */
export function previewFor(wish: { previewSeconds?: number; previewStartSeconds?: number }, filmSeconds: number) {
  const { previewSeconds, previewStartSeconds = 0 } = wish
  if (previewSeconds === 0) return null
  if (previewSeconds !== undefined && !(previewSeconds > 0))
    throw new VideoRefused('BAD_PREVIEW', `A preview of ${previewSeconds} seconds cannot be; 0 means none.`)
  if (!(previewStartSeconds >= 0 && previewStartSeconds < filmSeconds))
    throw new VideoRefused(
      'BAD_PREVIEW',
      `The preview begins at ${previewStartSeconds} seconds; the film lasts ${clock(filmSeconds)}.`,
    )
  const wanted = previewSeconds ?? Math.min(DEFAULT_SECONDS, filmSeconds * DEFAULT_PART)
  return {
    mostSide: MOST_SIDE,
    onKeyFrames(gopSeconds: number, seconds: number) {
      const gops = Math.ceil(seconds / gopSeconds - 0.001)
      const first = Math.min(Math.floor(previewStartSeconds / gopSeconds + 0.001), gops - 1)
      const last = first + Math.max(1, Math.round(wanted / gopSeconds))
      return { from: first * gopSeconds, to: Math.min(last * gopSeconds, seconds) }
    },
  }
}
