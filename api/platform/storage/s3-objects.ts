import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { asError, OperatorError } from '#api/platform/log/log.ts'
import { type S3Client, type S3Place, statusOf } from './s3-client.ts'
import { type MediaContent, StorageUnavailable } from './storage.ts'

/**
 * The time without data after which a response counts as stalled. A player waits 25 seconds for a
 * whole segment. Milliseconds.
 */
const stallTimeout = 6_000
/** The pauses before an interrupted body is resumed. Progress resets them. Milliseconds. */
const resumeDelays = [0, 500, 2_000]

type Source = (from: number) => Promise<ReadableStream<Uint8Array> | null>

interface RequestedBytes {
  start: number
  /** Inclusive. */
  end: number
  /** Returns the file from a byte on; null if it no longer exists or has changed. */
  source: Source
  /** Called when a body ends too early and cannot be resumed. */
  broken: (error: unknown) => void
}

/**
 * Streams the bytes from `start` to `end` with backpressure. When the storage disconnects or
 * stalls, requests the rest again. The stream ends with an error where that fails.
 */
export const resumingBody = (
  first: ReadableStream<Uint8Array>,
  { start, end, source, broken }: RequestedBytes,
): Readable => {
  let reader = first.getReader()
  let at = start
  let idle = 0

  const leave = () => void reader.cancel().catch(() => undefined)

  /** Requests the rest and returns its reader. */
  const resume = async (error: unknown) => {
    for (;;) {
      const pause = resumeDelays[idle++]
      if (pause === undefined || body.destroyed) throw error
      await sleep(pause)
      if (body.destroyed) throw error
      const retried = await source(at).catch(() => undefined)
      if (retried === null) throw error
      if (!retried) continue
      reader = retried.getReader()
      if (body.destroyed) leave()
      return
    }
  }

  const piece = async (): Promise<Uint8Array | null> => {
    while (at <= end) {
      try {
        const { done, value } = await withReadTimeout(reader.read())
        if (done) throw new Error('The storage sent fewer bytes than announced.')
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
          body.destroy(asError(error))
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

const withReadTimeout = async <Answer>(reading: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The storage stopped sending data.')), stallTimeout)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A storage takes 10,000 parts per object: 80 GB. A file that fits in one part is sent in one
 * request.
 */
const partBytes = 8 * 1024 * 1024

interface Upload {
  name: string
  contentType: string
  source: MediaContent
  signal: AbortSignal | undefined
}

/**
 * Uploads a file. A multipart upload becomes visible with its last part, and is aborted on failure.
 */
export const upload = async ({ s3, write }: S3Client, { name, contentType, source, signal }: Upload) => {
  const send = <Answer>(work: () => Promise<Answer>) => {
    signal?.throwIfAborted()
    return write(work)
  }
  const parts = partsOf(source)
  const first = await parts.next()
  const second = await parts.next()
  if (first.done || second.done) {
    requirePresent(await send(() => s3.putObject(name, first.value ?? new Uint8Array(0), contentType)))
    return
  }
  const id = requirePresent(await send(() => s3.getMultipartUploadId(name, contentType)))
  try {
    const sent = [requirePresent(await send(() => s3.uploadPart(name, id, first.value, 1)))]
    for (let part: IteratorResult<Uint8Array<ArrayBuffer>> = second; !part.done; part = await parts.next()) {
      const { value } = part
      sent.push(requirePresent(await send(() => s3.uploadPart(name, id, value, sent.length + 1))))
    }
    requirePresent(await send(() => s3.completeMultipartUpload(name, id, sent)))
  } catch (error) {
    await s3.abortMultipartUpload(name, id).catch(() => undefined)
    throw error
  }
}

/** A missing bucket or an aborted upload. Retrying cannot help. */
const requirePresent = <Answer>(answer: Answer | null): Answer => {
  if (answer === null) throw new Error('The bucket or the upload does not exist in the storage.')
  return answer
}

async function* partsOf(source: MediaContent): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  if (source instanceof Uint8Array) {
    for (let at = 0; at < source.byteLength; at += partBytes) yield new Uint8Array(source.subarray(at, at + partBytes))
    return
  }
  const stream = source instanceof Readable ? source : createReadStream(source.path, { highWaterMark: 1024 * 1024 })
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream) {
    let remaining = Buffer.from(piece)
    while (bytes + remaining.byteLength >= partBytes) {
      const length = partBytes - bytes
      yield new Uint8Array(Buffer.concat([...pieces, remaining.subarray(0, length)]))
      remaining = remaining.subarray(length)
      pieces = []
      bytes = 0
    }
    pieces.push(remaining)
    bytes += remaining.byteLength
  }
  if (bytes > 0) yield new Uint8Array(Buffer.concat(pieces))
}

/**
 * Lists, writes and deletes once at start. A storage that refuses is misconfigured, so the start
 * fails. A storage that does not answer may recover, so the store starts without it: the failure is
 * logged, and each request tries again.
 */
export const checkPlace = async ({ s3, read, write }: S3Client, place: S3Place, prefix: string) => {
  const probe = `${prefix}probe/${crypto.randomUUID()}`
  try {
    const listing = await read(() => s3.listObjectsPaged('/', probe, 1))
    if (!listing) throw new OperatorError(`MEDIA_S3_BUCKET: there is no bucket ${place.bucket} at ${place.endpoint}.`)
    await write(() => s3.putObject(probe, 'probe', 'text/plain'))
    await read(() => s3.deleteObject(probe))
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    const status = statusOf(error.cause)
    if (status === undefined || status >= 500 || status === 429) return
    const reason = error.cause instanceof Error ? error.cause.message : ''
    throw new OperatorError(
      status === 403
        ? `MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY have no permission to list, write and delete in the bucket ${place.bucket} (${reason}).`
        : `MEDIA_S3_ENDPOINT: ${place.endpoint} did not respond as an S3-compatible storage (${reason}). Check MEDIA_S3_REGION.`,
    )
  }
}
