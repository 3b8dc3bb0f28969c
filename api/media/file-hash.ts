import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/** The first 128 bits of SHA-256, in hex: what files are known by, whatever they are called. */
export const hashOf = async (stream: Readable): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece as Buffer)
  return hash.digest('hex').slice(0, 32)
}

export const hashOfFile = (path: string) => hashOf(createReadStream(path))
