import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { tables } from '#api/modules/import-export/import-catalog.ts'
import type { SourceTable } from '#api/modules/import-export/tables/cell-formats.ts'
import type { TableOf } from '#api/modules/import-export/tables/table.ts'
import { readCsv } from '#api/platform/csv/csv.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { nearestWord } from '#api/platform/text.ts'
import { readJson, tablesOfJson } from './read-json.ts'

/** The content that a source may have. */
export interface SourceContent {
  tables: readonly Pick<TableOf<never>, 'name' | 'columns' | 'keys'>[]
  /** Whether settings are accepted. */
  settings: boolean
}

const catalogue: SourceContent = { tables, settings: true }
const namesOf = ({ tables: all }: Pick<SourceContent, 'tables'>) => all.map(({ name }) => name)
export const tableNames = namesOf(catalogue)

export interface Source {
  sources: SourceTable[]
  /** Null if the source has none. */
  settings: unknown
  /** The folder that paths are relative to. */
  folder: string
}

const exists = async (path: string) => (await stat(path).catch(() => null)) !== null

const csv = async (content: SourceContent, path: string, table: string, file: string): Promise<SourceTable> => {
  const columns = content.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  return { table, file, ...(await readCsv(path, file, columns)) }
}

const tableOf = (content: SourceContent, file: string, table: string | undefined) => {
  const tableNames = namesOf(content)
  const stem = basename(file)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
  const tableName = table ?? tableNames.find((name) => new RegExp(`^${name}([^a-z].*)?$`).test(stem))
  if (tableName && tableNames.includes(tableName)) return tableName
  const near = nearestWord(tableName ?? stem, tableNames)
  throw new OperatorError(
    `The table of ${basename(file)} is unknown. Name the file after its table, or use --table. The tables are ${tableNames.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`,
  )
}

/** The initial content of a store, and the name of the file with its settings. */
export type Start = Source & { settingsFile: string }

/** Reads the initial content of a store: settings as JSON, or a source of `readSource`. */
export const readStart = async (path: string): Promise<Start> => {
  const facts = await stat(path).catch(() => null)
  const file = basename(path)
  if (!facts?.isFile() || !/\.json$/i.test(file))
    return { ...(await readSource(path, undefined)), settingsFile: 'settings' }
  const read = await readJson(path, file)
  if (Object.keys(read).some((name) => [...tableNames, 'settings'].includes(name)))
    return { ...(await readSource(path, undefined)), settingsFile: 'settings' }
  return { sources: [], settings: read, folder: dirname(path), settingsFile: file }
}

/** Reads a source: a folder of tables, one table as CSV, or all tables in one JSON file. */
export const readSource = async (path: string, table: string | undefined, content = catalogue): Promise<Source> => {
  const tableNames = namesOf(content)
  const facts = await stat(path).catch(() => null)
  if (!facts) throw new OperatorError(`${path} not found.`)
  if (!facts.isDirectory()) {
    const [file, folder] = [basename(path), dirname(path)]
    if (!/\.json$/i.test(file))
      return { sources: [await csv(content, path, tableOf(content, file, table), file)], settings: null, folder }
    const read = await readJson(path, file)
    const allowed = content.settings ? [...tableNames, 'settings'] : tableNames
    const unknown = Object.keys(read).find((name) => !allowed.includes(name))
    if (unknown)
      throw new OperatorError(
        `${file}: there is no table ${unknown}. The tables are ${tableNames.join(', ')}${content.settings ? ' and settings' : ''}.`,
      )
    return { sources: tablesOfJson(read, file, content.tables), settings: read.settings ?? null, folder }
  }
  const sources: SourceTable[] = []
  for (const table of tableNames) {
    const file = `${table}.csv`
    if (await exists(join(path, file))) sources.push(await csv(content, join(path, file), table, file))
  }
  const settings = join(path, 'settings.json')
  const settingsValue = content.settings && (await exists(settings)) ? await readJson(settings, 'settings.json') : null
  if (sources.length === 0 && !settingsValue)
    throw new OperatorError(
      `${path} contains none of ${[...tableNames.map((name) => `${name}.csv`), ...(content.settings ? ['settings.json'] : [])].join(', ')}.`,
    )
  return { sources, settings: settingsValue, folder: path }
}
