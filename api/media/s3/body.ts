import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A storage that sends nothing for so long, while we wait for it, has stopped. */
const silentAtMost = 15_000
/** A body that breaks off is taken up again where it ended, after so many milliseconds each time. */
const resumptions = [0, 500, 2_000]

type Source = (from: number) => Promise<ReadableStream<Uint8Array> | null>

/**
 * The bytes from `start` to `end` (inclusive) as a stream that reads no faster than it is read. Where the storage breaks off or falls
 * silent the rest is asked for again; what cannot be had ends the stream with an error.
 */
export const resumingBody = (
  first: ReadableStream<Uint8Array>,
  { start, end, source }: { start: number; end: number; source: Source },
): Readable => {
  let reader = first.getReader()
  let at = start
  let resumed = 0

  const leave = () => void reader.cancel().catch(() => undefined)

  const piece = async (): Promise<Uint8Array | null> => {
    if (at > end) return null
    try {
      const { done, value } = await withinSilence(reader.read())
      if (done) throw new Error('The storage sent less than it said.')
      at += value.byteLength
      return value
    } catch (error) {
      leave()
      const pause = resumptions[resumed++]
      if (body.destroyed || pause === undefined) throw error
      await sleep(pause)
      const rest = await source(at).catch(() => undefined)
      if (rest === null) throw error
      if (rest) reader = rest.getReader()
      if (body.destroyed) leave()
      return piece()
    }
  }

  const body = new Readable({
    highWaterMark: 256 * 1024,
    read: () => {
      piece().then(
        (bytes) => body.push(bytes),
        (error: unknown) => body.destroy(error as Error),
      )
    },
    destroy: (error, done) => {
      leave()
      done(error)
    },
  })
  return body
}

const withinSilence = async <Answer>(reading: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The storage fell silent.')), silentAtMost)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}
