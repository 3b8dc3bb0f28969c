import { readFile } from 'node:fs/promises'
import type { SourceTable } from '#api/modules/import-export/tables/cell-formats.ts'
import { writeList } from '#api/modules/import-export/tables/cell-formats.ts'
import type { TableOf } from '#api/modules/import-export/tables/table.ts'
import type { CsvRecord } from '#api/platform/csv/csv.ts'
import { asError, OperatorError } from '#api/platform/log/log.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const readJson = async (path: string, file: string): Promise<Record<string, unknown>> => {
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  try {
    const read: unknown = JSON.parse(text)
    if (isObject(read)) return read
  } catch (error) {
    throw new OperatorError(`${file} is not valid JSON: ${asError(error).message}.`)
  }
  throw new OperatorError(`${file} must be an object, for example { "products": [ … ], "pages": [ … ] }.`)
}

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return writeList(value.map(cellOf))
  return typeof value === 'object' ? JSON.stringify(value) : String(value).toWellFormed()
}

/** Returns the tables of a JSON file: an array of rows by table name. */
export const tablesOfJson = (
  read: Record<string, unknown>,
  file: string,
  tables: readonly Pick<TableOf<never>, 'name' | 'keys'>[],
): SourceTable[] =>
  tables
    .filter(({ name }) => name in read)
    .map(({ name: table, keys }) => {
      const rowsGiven: unknown = read[table]
      if (!Array.isArray(rowsGiven)) throw new OperatorError(`${file}: ${table} must be an array of rows.`)
      const tableRows: unknown[] = rowsGiven
      // A table without rows cannot have wrong columns.
      const columns =
        tableRows.length === 0
          ? keys
          : [...new Set(tableRows.flatMap((row) => (row && typeof row === 'object' ? Object.keys(row) : [])))]
      async function* rows(): AsyncGenerator<CsvRecord> {
        for (const [at, row] of tableRows.entries()) {
          if (isObject(row))
            yield {
              row: at + 1,
              cells: Object.fromEntries(Object.entries(row).map(([key, value]) => [key, cellOf(value)])),
            }
          else
            yield {
              row: at + 1,
              cells: {},
              wrong: { column: null, value: cellOf(row), message: 'must be an object' },
            }
        }
      }
      return { table, file: `${file} ${table}`, columns, rows }
    })
