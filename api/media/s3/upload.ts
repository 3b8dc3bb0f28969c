import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { StoredSource } from '../storage.ts'
import type { S3Client } from './client.ts'

/** A storage takes 10,000 parts of an object: 80 GB. What fits into one is sent in one piece. */
const partBytes = 8 * 1024 * 1024

interface Upload {
  name: string
  contentType: string
  source: StoredSource
  signal: AbortSignal | undefined
}

/** Sends a file. One too large for a piece is there when its last part is, and leaves no parts behind when it fails. */
export const upload = async ({ s3, stored }: S3Client, { name, contentType, source, signal }: Upload) => {
  const send = <Answer>(work: () => Promise<Answer>) => {
    signal?.throwIfAborted()
    return stored(work)
  }
  const parts = partsOf(source)
  const first = await parts.next()
  const second = await parts.next()
  if (first.done || second.done) {
    must(await send(() => s3.putObject(name, first.value ?? new Uint8Array(0), contentType)))
    return
  }
  const id = must(await send(() => s3.getMultipartUploadId(name, contentType)))
  try {
    const sent = [must(await send(() => s3.uploadPart(name, id, first.value, 1)))]
    for (let part: IteratorResult<Uint8Array<ArrayBuffer>> = second; !part.done; part = await parts.next()) {
      const { value } = part
      sent.push(must(await send(() => s3.uploadPart(name, id, value, sent.length + 1))))
    }
    must(await send(() => s3.completeMultipartUpload(name, id, sent)))
  } catch (error) {
    await s3.abortMultipartUpload(name, id).catch(() => undefined)
    throw error
  }
}

/** A bucket that is not there, or an upload that somebody ended: nothing that waiting would mend. */
const must = <Answer>(answer: Answer | null): Answer => {
  if (answer === null) throw new Error('The storage does not know the bucket, or not the upload any more.')
  return answer
}

async function* partsOf(source: StoredSource): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  if (source instanceof Uint8Array) {
    for (let at = 0; at < source.byteLength; at += partBytes) yield new Uint8Array(source.subarray(at, at + partBytes))
    return
  }
  const stream = source instanceof Readable ? source : createReadStream(source.path, { highWaterMark: 1024 * 1024 })
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    let rest = Buffer.from(piece)
    while (bytes + rest.byteLength >= partBytes) {
      const taken = partBytes - bytes
      yield new Uint8Array(Buffer.concat([...pieces, rest.subarray(0, taken)]))
      rest = rest.subarray(taken)
      pieces = []
      bytes = 0
    }
    pieces.push(rest)
    bytes += rest.byteLength
  }
  if (bytes > 0) yield new Uint8Array(Buffer.concat(pieces))
}
