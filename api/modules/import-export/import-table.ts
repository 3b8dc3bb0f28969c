import { readTree } from '#api/modules/import-export/tables/categories.ts'
import type { Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { didYouMean } from '#api/platform/text.ts'
import type { Picture } from '#contract/picture.ts'
import { mediaName, type ReadyMedia } from './import-media.ts'
import { addChange, type Changes, type Counts, type Problems } from './report.ts'
import type { SourceRow, SourceTable } from './tables/cell-formats.ts'
import { isList, optionalTextIn, type Value, type Values } from './tables/cell-values.ts'
import { type Column, type Facts, type FileKind, InvalidCell } from './tables/column-codecs.ts'
import { batchSize, type ImportContext, keyOf, type RowChange, type StoredRow, type TableOf } from './tables/table.ts'

/**
 * The maximum number of characters in a batch, so that a few very large rows are not read together
 * with hundreds of others.
 */
const maxLetters = 4_000_000

interface GivenRow extends SourceRow {
  values: Values
}

async function* batchesOf(rows: AsyncIterable<SourceRow>, max: number): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = []
  let letters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const cell of Object.values(row.cells)) letters += cell.length
    if (batch.length < max && letters < maxLetters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}

const plainText = (text: string) => text.replaceAll('\r\n', '\n').trim()

const same = (a: Value | undefined, b: Value | undefined): boolean => {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]))
  if (typeof a === 'string' && typeof b === 'string') return plainText(a) === plainText(b)
  return (a ?? null) === (b ?? null)
}

/** Validates a file's headings: the rows must be identifiable, and unknown columns are reported. */
export const checkHeadings = (
  source: SourceTable,
  table: TableOf<never>,
  problems: Problems,
  /** Explains an unknown column. Null if nothing more is known. */
  explain: (column: string) => string | null = () => null,
): boolean => {
  const names = table.columns.map(({ name }) => name)
  const { file } = source
  for (const column of source.columns) {
    if (names.includes(column)) continue
    const message =
      explain(column) ??
      `is not a column of ${table.name}.${didYouMean(column, names)} Its columns are: ${names.join(', ')}`
    problems.add({ file, row: 1, column, value: null, message })
  }
  for (const column of table.keys)
    if (!source.columns.includes(column))
      problems.add({ file, row: 1, column, value: null, message: 'is required: it identifies the rows' })
  return table.keys.every((column) => source.columns.includes(column))
}

/** Imports one table of a file. Only changed rows are written. */
export const importTable = async <W extends { facts: Facts }>(
  context: W,
  table: TableOf<W>,
  source: SourceTable,
  problems: Problems,
  removes: boolean,
  changesReported: Changes,
): Promise<Counts> => {
  const counts: Counts = { added: 0, changed: 0, unchanged: 0, removed: 0, notInFile: 0 }
  const columns = table.columns.filter(({ name }) => source.columns.includes(name))
  const has = new Set(columns.map(({ name }) => name))
  const complain = (row: SourceRow, column: string | null, message: string) =>
    problems.add({ file: source.file, row: row.row, column, message, value: column && (row.cells[column] ?? '') })

  const readCell = (row: SourceRow, column: Column): Value | undefined => {
    const text = plainText(row.cells[column.name] ?? '')
    if (text === '') {
      if (column.empty !== undefined) return column.empty
      complain(row, column.name, `must not be empty${column.example ? `, for example ${column.example}` : ''}`)
      return undefined
    }
    const value = column.read(text, context.facts)
    if (!(value instanceof InvalidCell)) return value
    complain(row, column.name, value.message)
    return undefined
  }

  const readRow = (row: SourceRow): GivenRow | null => {
    if (row.wrong) {
      problems.add({ file: source.file, row: row.row, ...row.wrong })
      return null
    }
    const values: Values = {}
    let isReadable = true
    for (const column of columns) {
      const value = readCell(row, column)
      if (value === undefined) isReadable = false
      else values[column.name] = value
    }
    table.registerKey?.(context, values)
    const unique = values.id || isFirst(row, values)
    return isReadable && unique ? { ...row, values } : null
  }

  const keysSeen = new Map<string, number>()
  /** Rows without an id are identified by their keys, whatever other errors they have. */
  const isFirst = (row: SourceRow, values: Values): boolean => {
    if (table.keys.some((column) => values[column] === undefined)) return true
    const key = keyOf(table, values)
    const before = keysSeen.get(key)
    if (before === undefined) keysSeen.set(key, row.row)
    else refuseTwice(row, before)
    return before === undefined
  }
  const refuseTwice = (row: SourceRow, before: number) =>
    complain(row, table.keys.at(-1) ?? null, `must be unique: row ${before} has the same ${table.keys.join(' and ')}`)

  /** Ids of store rows that a row of the file already refers to. */
  const claimed = new Map<string, number>()
  const missingColumns = new Set<string>()

  const match = (given: readonly GivenRow[], found: readonly StoredRow[]) => {
    const byId = new Map(found.map((stored) => [stored.id, stored]))
    const byKey = new Map([...found].reverse().map((stored) => [keyOf(table, stored.values), stored]))
    const wanted = new Set(
      given.flatMap(({ values }) => (byId.has(optionalTextIn(values, 'id') ?? '') ? [values.id] : [])),
    )
    return given.flatMap((row) => {
      const named = byId.get(optionalTextIn(row.values, 'id') ?? '')
      const sameKey = byKey.get(keyOf(table, row.values))
      const stored = named ?? (sameKey && !wanted.has(sameKey.id) ? sameKey : null)
      const id = stored?.id ?? optionalTextIn(row.values, 'id')
      const before = id ? claimed.get(id) : undefined
      if (before !== undefined) {
        refuseTwice(row, before)
        return []
      }
      if (id) claimed.set(id, row.row)
      return [{ row, stored, values: complete(row, stored) }]
    })
  }

  const complete = (row: GivenRow, stored: StoredRow | null): Values => {
    const values: Values = { ...stored?.values }
    for (const column of table.columns) {
      const { name, empty, unchangedWhenEmpty } = column
      const given = row.values[name]
      if (has.has(name) && !(unchangedWhenEmpty && stored && plainText(row.cells[name] ?? '') === ''))
        values[name] = given ?? null
      else if (!stored) {
        if (empty === undefined && !missingColumns.has(name)) {
          missingColumns.add(name)
          complain(row, name, 'is required for a new row, but the table has no such column')
        }
        values[name] = empty ?? null
      }
    }
    return values
  }

  const reportChange = (stored: StoredRow, values: Values) => {
    for (const { name, write } of table.columns) {
      if (name === 'id' || same(values[name], stored.values[name])) continue
      addChange(changesReported, () => ({
        table: table.name,
        key: keyOf(table, stored.values).replaceAll('\n', ' / '),
        column: name,
        from: write(stored.values[name] ?? null, context.facts),
        to: write(values[name] ?? null, context.facts),
      }))
    }
  }

  const importRows = async (rows: SourceRow[]) => {
    const given = rows.flatMap((row) => readRow(row) ?? [])
    const found = await table.find(
      context,
      given.map(({ values }) => values),
    )
    const pairs = match(given, found)
    const complaints = await table.check(context, pairs)
    const changes: RowChange[] = []
    for (const [at, { row, stored, values }] of pairs.entries()) {
      for (const { column, message } of complaints[at] ?? []) complain(row, column, message)
      if ((complaints[at] ?? []).length > 0 || missingColumns.size > 0) continue
      if (stored && table.columns.every(({ name }) => name === 'id' || same(values[name], stored.values[name]))) {
        counts.unchanged++
        continue
      }
      const id = stored?.id ?? optionalTextIn(values, 'id') ?? newId()
      if (stored) {
        counts.changed++
        reportChange(stored, values)
      } else counts.added++
      changes.push({ id, stored, values: { ...values, id } })
      claimed.set(id, row.row)
    }
    if (changes.length > 0) await table.write(context, changes)
  }

  const max = table.needsAllRows ? Number.POSITIVE_INFINITY : batchSize
  for await (const rows of batchesOf(source.rows(), max)) {
    await importRows(rows)
    table.releaseBatch?.(context)
  }
  if (removes) {
    for await (const rows of table.all(context)) {
      const missingRows = rows.filter(({ id }) => !claimed.has(id))
      const removed = missingRows.length > 0 ? await table.remove(context, missingRows) : 0
      counts.removed += removed
      counts.notInFile += missingRows.length - removed
    }
  } else {
    const storedCount = await table.count(context)
    counts.notInFile = Math.max(0, storedCount - counts.added - counts.changed - counts.unchanged)
  }
  return counts
}

interface ImportInput {
  db: TenantDb
  customer: Customer
  now: string
  plain: Picture
  media: Pick<ReadyMedia, 'found' | 'pictures' | 'files' | 'films'>
  reference: (key: string, kind: FileKind) => string
}

/** Creates the context that the tables of one import or export share, in its transaction. */
export const createImportContext = async ({
  db,
  customer,
  now,
  plain,
  media,
  reference,
}: ImportInput): Promise<ImportContext> => {
  const { tree } = await readTree({ db, customerId: customer.id })
  const { currency, timeZone } = customer.settings.base
  return {
    db,
    customerId: customer.id,
    currency,
    now,
    tree,
    plain,
    films: media.films,
    videos: [],
    pictures: new Map(media.pictures),
    readyPictures: media.pictures,
    files: new Map(media.files),
    named: { products: new Set(), plans: new Set() },
    touched: new Set(),
    facts: {
      currency,
      timeZone,
      categoryPaths: tree.paths,
      reference,
      media: (name, kind) => media.found.get(mediaName(kind, name)) ?? new InvalidCell('must be the path of a file'),
    },
  }
}
