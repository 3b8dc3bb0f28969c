import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify/sync'
import type { ExportedRow, ExportedTable } from '#api/domain/exchange/export-catalog.ts'
import { readList } from '#api/domain/exchange/lists.ts'
import { parseMediaKey } from '#api/media/key.ts'
import type { MediaStorage } from '#api/media/storage.ts'
import { guarded } from './guard.ts'

/** Writes a file whole: a reader sees the old one or the new one. */
export const writeWhole = async (path: string, write: (line: (text: string) => Promise<void>) => Promise<void>) => {
  await mkdir(dirname(path), { recursive: true })
  const stream = createWriteStream(`${path}.part`)
  await write(async (text) => {
    if (!stream.write(text)) await once(stream, 'drain')
  })
  stream.end()
  await once(stream, 'finish')
  await rename(`${path}.part`, path)
}

/** A table as CSV: marked as UTF-8 for spreadsheets, rows ended as they end them. Answers how many rows it has. */
export const writeCsv = async (path: string, { columns, rows }: ExportedTable, delimiter: string): Promise<number> => {
  let count = 0
  const names = columns.map(({ name }) => name)
  const lines = (cells: string[][]) => stringify(cells, { delimiter, record_delimiter: '\r\n' })
  await writeWhole(path, async (line) => {
    await line(`\ufeff${lines([names])}`)
    for await (const batch of rows) {
      count += batch.length
      await line(lines(batch.map(({ cells }) => names.map((name) => guarded(cells[name] ?? '')))))
    }
  })
  return count
}

/** Numbers, truths and lists as JSON has them; everything else as the cell says it. */
const jsonOf = ({ columns }: ExportedTable, { cells, values }: ExportedRow) =>
  Object.fromEntries(
    columns.map(({ name }) => {
      const [text = '', value] = [cells[name], values[name]]
      if (typeof value === 'boolean') return [name, value]
      if (Array.isArray(value)) return [name, readList(text)]
      if (typeof value === 'number' && String(value) === text) return [name, value]
      return [name, value === null || value === undefined ? null : text]
    }),
  )

/** A table as the member of a JSON object. */
export const writeJsonTable = async (table: ExportedTable, line: (text: string) => Promise<void>): Promise<number> => {
  let count = 0
  await line(`  ${JSON.stringify(table.table)}: [`)
  for await (const batch of table.rows)
    for (const row of batch) await line(`${count++ === 0 ? '' : ','}\n    ${JSON.stringify(jsonOf(table, row))}`)
  await line(count === 0 ? ']' : '\n  ]')
  return count
}

/** Copies files of the store beside the tables; answers those that are not there. */
export const copyMedia = async (storage: MediaStorage, keys: Iterable<string>, folder: string): Promise<string[]> => {
  const missing: string[] = []
  for (const key of keys) {
    const parsed = parseMediaKey(key)
    const stream = parsed ? await (await storage.open(parsed))?.read() : null
    if (!stream) {
      missing.push(key)
      continue
    }
    const path = join(folder, 'media', key)
    await mkdir(dirname(path), { recursive: true })
    await pipeline(stream, createWriteStream(path))
  }
  return missing
}
