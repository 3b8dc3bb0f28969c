import { readTree } from '#api/modules/import-export/tables/categories.ts'
import type { Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { meant } from '#api/platform/text.ts'
import type { Picture } from '#contract/picture.ts'
import type { SourceRow, SourceTable } from './cell-formats.ts'
import { isList, optionalTextIn, type Value, type Values } from './cell-values.ts'
import { type Column, type Facts, type FileKind, InvalidCell } from './column-codecs.ts'
import { mediaName, type ReadyMedia } from './import-media.ts'
import { type Changes, type Counts, noteChange, type Problems } from './report.ts'
import { batchSize, type ImportContext, keyOf, type RowChange, type StoredRow, type TableOf } from './table.ts'

/**
 * The maximum number of characters in a batch, so that a few very large rows are not read together
 * with hundreds of others.
 */
const mostLetters = 4_000_000

interface GivenRow extends SourceRow {
  values: Values
}

async function* batchesOf(rows: AsyncIterable<SourceRow>, most: number): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = []
  let letters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const cell of Object.values(row.cells)) letters += cell.length
    if (batch.length < most && letters < mostLetters) continue
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
    const right =
      explain(column) ?? `is not a column of ${table.name}.${meant(column, names)} Its columns are: ${names.join(', ')}`
    problems.add({ file, row: 1, column, value: null, right })
  }
  for (const column of table.keys)
    if (!source.columns.includes(column))
      problems.add({ file, row: 1, column, value: null, right: 'is required: it identifies the rows' })
  return table.keys.every((column) => source.columns.includes(column))
}

/** Imports one table of a file. Only changed rows are written. */
export const importTable = async <W extends { facts: Facts }>(
  work: W,
  table: TableOf<W>,
  source: SourceTable,
  problems: Problems,
  removes: boolean,
  noted: Changes,
): Promise<Counts> => {
  const counts: Counts = { added: 0, changed: 0, unchanged: 0, removed: 0, left: 0 }
  const columns = table.columns.filter(({ name }) => source.columns.includes(name))
  const has = new Set(columns.map(({ name }) => name))
  const complain = (row: SourceRow, column: string | null, right: string) =>
    problems.add({ file: source.file, row: row.row, column, right, value: column && (row.cells[column] ?? '') })

  const readCell = (row: SourceRow, column: Column): Value | undefined => {
    const text = plainText(row.cells[column.name] ?? '')
    if (text === '') {
      if (column.empty !== undefined) return column.empty
      complain(row, column.name, `must not be empty${column.example ? `, for example ${column.example}` : ''}`)
      return undefined
    }
    const value = column.read(text, work.facts)
    if (!(value instanceof InvalidCell)) return value
    complain(row, column.name, value.right)
    return undefined
  }

  const readRow = (row: SourceRow): GivenRow | null => {
    if (row.wrong) {
      problems.add({ file: source.file, row: row.row, ...row.wrong })
      return null
    }
    const values: Values = {}
    let whole = true
    for (const column of columns) {
      const value = readCell(row, column)
      if (value === undefined) whole = false
      else values[column.name] = value
    }
    table.hears?.(work, values)
    const unique = values.id || isFirst(row, values)
    return whole && unique ? { ...row, values } : null
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
  const lacking = new Set<string>()

  const match = (given: readonly GivenRow[], found: readonly StoredRow[]) => {
    const byId = new Map(found.map((kept) => [kept.id, kept]))
    const byKey = new Map([...found].reverse().map((kept) => [keyOf(table, kept.values), kept]))
    const wanted = new Set(
      given.flatMap(({ values }) => (byId.has(optionalTextIn(values, 'id') ?? '') ? [values.id] : [])),
    )
    return given.flatMap((row) => {
      const named = byId.get(optionalTextIn(row.values, 'id') ?? '')
      const alike = byKey.get(keyOf(table, row.values))
      const kept = named ?? (alike && !wanted.has(alike.id) ? alike : null)
      const id = kept?.id ?? optionalTextIn(row.values, 'id')
      const before = id ? claimed.get(id) : undefined
      if (before !== undefined) {
        refuseTwice(row, before)
        return []
      }
      if (id) claimed.set(id, row.row)
      return [{ row, kept, values: complete(row, kept) }]
    })
  }

  const complete = (row: GivenRow, kept: StoredRow | null): Values => {
    const values: Values = { ...kept?.values }
    for (const column of table.columns) {
      const { name, empty, keeps } = column
      const given = row.values[name]
      if (has.has(name) && !(keeps && kept && plainText(row.cells[name] ?? '') === '')) values[name] = given ?? null
      else if (!kept) {
        if (empty === undefined && !lacking.has(name)) {
          lacking.add(name)
          complain(row, name, 'must be there: the table has no such column, and this is a new row')
        }
        values[name] = empty ?? null
      }
    }
    return values
  }

  const noteRow = (kept: StoredRow, values: Values) => {
    for (const { name, write } of table.columns) {
      if (name === 'id' || same(values[name], kept.values[name])) continue
      noteChange(noted, () => ({
        table: table.name,
        key: keyOf(table, kept.values).replaceAll('\n', ' / '),
        column: name,
        from: write(kept.values[name] ?? null, work.facts),
        to: write(values[name] ?? null, work.facts),
      }))
    }
  }

  const take = async (rows: SourceRow[]) => {
    const given = rows.flatMap((row) => readRow(row) ?? [])
    const found = await table.find(
      work,
      given.map(({ values }) => values),
    )
    const pairs = match(given, found)
    const complaints = await table.check(work, pairs)
    const changes: RowChange[] = []
    for (const [at, { row, kept, values }] of pairs.entries()) {
      for (const { column, right } of complaints[at] ?? []) complain(row, column, right)
      if ((complaints[at] ?? []).length > 0 || lacking.size > 0) continue
      if (kept && table.columns.every(({ name }) => name === 'id' || same(values[name], kept.values[name]))) {
        counts.unchanged++
        continue
      }
      const id = kept?.id ?? optionalTextIn(values, 'id') ?? newId()
      if (kept) {
        counts.changed++
        noteRow(kept, values)
      } else counts.added++
      changes.push({ id, kept, values: { ...values, id } })
      claimed.set(id, row.row)
    }
    if (changes.length > 0) await table.write(work, changes)
  }

  const most = table.whole ? Number.POSITIVE_INFINITY : batchSize
  for await (const rows of batchesOf(source.rows(), most)) {
    await take(rows)
    table.rests?.(work)
  }
  if (removes) {
    for await (const rows of table.all(work)) {
      const gone = rows.filter(({ id }) => !claimed.has(id))
      const removed = gone.length > 0 ? await table.remove(work, gone) : 0
      counts.removed += removed
      counts.left += gone.length - removed
    }
  } else {
    const standing = await table.count(work)
    counts.left = Math.max(0, standing - counts.added - counts.changed - counts.unchanged)
  }
  return counts
}

interface Given {
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
}: Given): Promise<ImportContext> => {
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
