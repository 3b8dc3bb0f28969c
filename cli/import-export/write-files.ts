import { once } from 'node:events'
import { constants, createWriteStream } from 'node:fs'
import { copyFile, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ExportedRow, ExportedTable, FilmExport } from '#api/modules/import-export/export-catalog.ts'
import { readList } from '#api/modules/import-export/tables/cell-formats.ts'
import { byteOrderMark, csvLines } from '#api/platform/csv/csv.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'

export const isJson = (path: string) => /\.json$/i.test(path)

/** Writes a file atomically: readers see the old one or the new one. */
export const writeAtomically = async (
  path: string,
  write: (line: (text: string) => Promise<void>) => Promise<void>,
) => {
  await mkdir(dirname(path), { recursive: true })
  const stream = createWriteStream(`${path}.part`)
  await write(async (text) => {
    if (!stream.write(text)) await once(stream, 'drain')
  })
  stream.end()
  await once(stream, 'finish')
  await rename(`${path}.part`, path)
}

/**
 * Writes a table as CSV with a byte order mark and CRLF, as spreadsheets expect. Returns the number
 * of rows.
 */
const writeCsv = async (path: string, { columns, rows }: ExportedTable, delimiter: string): Promise<number> => {
  let count = 0
  const names = columns.map(({ name }) => name)
  await writeAtomically(path, async (line) => {
    await line(byteOrderMark + csvLines([names], delimiter))
    for await (const batch of rows) {
      count += batch.length
      const lines = batch.map(({ cells }) => names.map((name) => cells[name] ?? ''))
      await line(csvLines(lines, delimiter))
    }
  })
  return count
}

/** Converts numbers, booleans and lists to JSON types. Other cells stay text. */
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

/** Writes a table as a member of a JSON object. Returns the number of rows. */
const writeJsonTable = async (table: ExportedTable, line: (text: string) => Promise<void>): Promise<number> => {
  let count = 0
  await line(`  ${JSON.stringify(table.table)}: [`)
  for await (const batch of table.rows)
    for (const row of batch) await line(`${count++ === 0 ? '' : ','}\n    ${JSON.stringify(jsonOf(table, row))}`)
  await line(count === 0 ? ']' : '\n  ]')
  return count
}

/** Copies files of the store beside the tables. Returns the missing ones. */
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

/**
 * Writes tables as CSV in a folder or as one JSON file, with settings beside them. Returns the
 * number of rows of each.
 */
export const writeTables = async (
  path: string,
  tables: AsyncIterable<ExportedTable>,
  { separator, settings = null }: { separator: string; settings?: unknown },
): Promise<Record<string, unknown>[]> => {
  const counts: Record<string, unknown>[] = []
  const text = settings === null ? null : JSON.stringify(settings, null, 2)
  if (!isJson(path)) {
    const delimiter = separator === 'tab' ? '\t' : separator
    await mkdir(path, { recursive: true })
    for await (const table of tables) {
      const file = `${table.table}.csv`
      counts.push({ table: table.table, rows: await writeCsv(join(path, file), table, delimiter), file })
    }
    if (text !== null) await writeAtomically(join(path, 'settings.json'), (line) => line(`${text}\n`))
    return counts
  }
  await writeAtomically(path, async (line) => {
    await line('{')
    if (text !== null) await line(`\n  "settings": ${text.replaceAll('\n', '\n  ')}`)
    let first = text === null
    for await (const table of tables) {
      await line(first ? '\n' : ',\n')
      first = false
      counts.push({ table: table.table, rows: await writeJsonTable(table, line) })
    }
    await line('\n}\n')
  })
  return counts
}

const rejectRemovedSource = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  throw new OperatorError(`${path} is incomplete because its source film was removed during the export. Export again.`)
}

/** Copies the files of films beside the tables. Returns their bytes. */
export const copyFilms = async ({ sources, files }: FilmExport, folder: string): Promise<number> => {
  let bytes = 0
  for (const [path, file] of files) {
    const to = join(folder, path)
    await mkdir(dirname(to), { recursive: true })
    if ('text' in file) await writeFile(to, file.text)
    // Shares the bytes where the file system supports it.
    else await copyFile(sources.pathOf(file.source), to, constants.COPYFILE_FICLONE).catch(rejectRemovedSource(path))
    bytes += (await stat(to)).size
  }
  return bytes
}
