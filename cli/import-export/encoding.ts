import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { OperatorError } from '#api/platform/log/log.ts'

const firstBytes = async (path: string): Promise<Buffer> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return buffer.subarray(0, bytesRead)
}

const isUtf8 = async (path: string): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path)) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/**
 * Returns the encoding of a text file: UTF-8 or UTF-16 by byte order mark or content, else CP949,
 * which Korean Windows uses for CSV.
 */
export const encodingOf = async (path: string): Promise<string> => {
  const start = await firstBytes(path)
  if (start.subarray(0, 2).toString('latin1') === 'PK' || start.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw new OperatorError(`${path} is an Excel workbook. Save it as “CSV UTF-8 (comma delimited)” and use that file.`)
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return (await isUtf8(path)) ? 'utf-8' : 'euc-kr'
}

/** Streams the text of a file without its byte order mark. */
export async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of createReadStream(path)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}
