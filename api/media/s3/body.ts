import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A storage that sends nothing for so long, while we wait for it, has stopped. A player waits 25 seconds for a whole segment. */
const silentAtMost = 6_000
/** A body that breaks off is taken up again where it ended, after so many milliseconds each time that it has not come any further. */
const resumptions = [0, 500, 2_000]

type Source = (from: number) => Promise<ReadableStream<Uint8Array> | null>

interface Wanted {
  start: number
  /** Inclusive. */
  end: number
  /** The file from a byte on; null where it is not there any more, or not the same. */
  source: Source
  /** Hears of a body that ended too early for good. */
  broken: (error: unknown) => void
}

/**
 * The bytes from `start` to `end` as a stream that reads no faster than it is read. Where the storage breaks off or falls silent the
 * rest is asked for again; what cannot be had ends the stream with an error.
 */
export const resumingBody = (first: ReadableStream<Uint8Array>, { start, end, source, broken }: Wanted): Readable => {
  let reader = first.getReader()
  let at = start
  let idle = 0

  const leave = () => void reader.cancel().catch(() => undefined)

  /** A reader of the rest, once there is one. */
  const resume = async (error: unknown) => {
    for (;;) {
      const pause = resumptions[idle++]
      if (pause === undefined || body.destroyed) throw error
      await sleep(pause)
      if (body.destroyed) throw error
      const rest = await source(at).catch(() => undefined)
      if (rest === null) throw error
      if (!rest) continue
      reader = rest.getReader()
      if (body.destroyed) leave()
      return
    }
  }

  const piece = async (): Promise<Uint8Array | null> => {
    while (at <= end) {
      try {
        const { done, value } = await withinSilence(reader.read())
        if (done) throw new Error('The storage sent less than it said.')
        if (value.byteLength === 0) continue
        at += value.byteLength
        idle = 0
        return value
      } catch (error) {
        leave()
        await resume(error)
      }
    }
    return null
  }

  const body = new Readable({
    highWaterMark: 256 * 1024,
    read: () => {
      piece().then(
        (bytes) => body.push(bytes),
        (error: unknown) => {
          if (!body.destroyed) broken(error)
          body.destroy(error as Error)
        },
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
