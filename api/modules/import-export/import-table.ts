import { isList, optionalTextIn, type Value, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { CsvRecord } from '#api/platform/csv/csv.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { AuditChanges } from '#api/platform/db/platform.schema.ts'
import type { Message } from '#api/platform/i18n/messages.ts'
import { trimText } from '#contract/text.ts'
import { addChange, addHistory, type Changes, type Counts, type Problems } from './report.ts'
import type { SourceTable } from './tables/cell-formats.ts'
import { type Column, didYouMean, type Facts, InvalidCell } from './tables/column-codecs.ts'
import { batchesOf, batchSize, keyOf, type RowChange, type StoredRow, type TableOf } from './tables/table.ts'

interface GivenRow extends CsvRecord {
  values: Values
}

const plainText = (text: string, clean = trimText) => clean(text.replaceAll('\r\n', '\n'))

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
  explain: (column: string) => Message | null = () => null,
): boolean => {
  const names = table.columns.map(({ name }) => name)
  const { file } = source
  for (const column of source.columns) {
    if (names.includes(column)) continue
    const message: Message =
      explain(column) ??
      ((i18n) =>
        i18n._('is not a column of {table}.{suggestion} Its columns are: {columns}', {
          table: table.name,
          suggestion: didYouMean(i18n, column, names),
          columns: names.join(', '),
        }))
    problems.add({ file, row: 1, column, value: null, message })
  }
  for (const column of table.keys)
    if (!source.columns.includes(column))
      problems.add({
        file,
        row: 1,
        column,
        value: null,
        message: (i18n) => i18n._('is required: it identifies the rows'),
      })
  return table.keys.every((column) => source.columns.includes(column))
}

/** One import of a table: what is read, where it is written and where problems are reported. */
interface TableImport<W> {
  context: W
  table: TableOf<W>
  source: SourceTable
  problems: Problems
  /** Whether the store's rows that the file omits are removed. */
  removes: boolean
  /** Receives the values that change. */
  changes: Changes
}

/** Reports what is wrong with a row, in a column if it is in one. */
type AddProblem = (row: CsvRecord, column: string | null, message: Message) => void

const repeatedKey =
  (keys: readonly string[], row: number): Message =>
  (i18n) =>
    i18n._('must be unique: row {row} has the same {columns}', {
      row,
      columns: new Intl.ListFormat(i18n.locale).format(keys),
    })

/**
 * Returns a function that reads the cells of a row. It reports unreadable cells, and rows whose
 * keys an earlier row has; for such a row it returns null.
 */
const createRowReader = <W extends { facts: Facts }>(
  { context, table, source, problems }: TableImport<W>,
  addProblem: AddProblem,
) => {
  const columns = table.columns.filter(({ name }) => source.columns.includes(name))
  const keysSeen = new Map<string, number>()

  const readCell = (row: CsvRecord, column: Column): Value | undefined => {
    const text = plainText(row.cells[column.name] ?? '', column.clean)
    if (text === '') {
      if (column.empty !== undefined) return column.empty
      const { example } = column
      addProblem(row, column.name, (i18n) =>
        example ? i18n._('must not be empty, for example {example}', { example }) : i18n._('must not be empty'),
      )
      return undefined
    }
    const value = column.read(text, context.facts)
    if (!(value instanceof InvalidCell)) return value
    addProblem(row, column.name, value.message)
    return undefined
  }

  /** Rows without an id are identified by their keys, whatever other errors they have. */
  const isFirst = (row: CsvRecord, values: Values): boolean => {
    if (table.keys.some((column) => values[column] === undefined)) return true
    const key = keyOf(table, values)
    const before = keysSeen.get(key)
    if (before === undefined) keysSeen.set(key, row.row)
    else addProblem(row, table.keys.at(-1) ?? null, repeatedKey(table.keys, before))
    return before === undefined
  }

  return (row: CsvRecord): GivenRow | null => {
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
}

/**
 * Matches rows of the file with those of the store. Each row of the store is matched once, in all
 * batches together.
 */
const createRowMatcher = <W extends { facts: Facts }>({ table, source }: TableImport<W>, addProblem: AddProblem) => {
  /** Rows of the store by id, each with the row of the file that refers to it. */
  const claimed = new Map<string, number>()
  /** Columns that new rows require and the file does not have. */
  const missingColumns = new Set<string>()
  const columnsOfFile = new Set(source.columns)

  /** Returns all values of a row. Those that the file omits are the store's, or defaults. */
  const complete = (row: GivenRow, stored: StoredRow | null): Values => {
    const values: Values = { ...stored?.values }
    for (const { name, empty, unchangedWhenEmpty } of table.columns) {
      if (columnsOfFile.has(name) && !(unchangedWhenEmpty && stored && plainText(row.cells[name] ?? '') === ''))
        values[name] = row.values[name] ?? null
      else if (!stored) {
        if (empty === undefined && !missingColumns.has(name)) {
          missingColumns.add(name)
          addProblem(row, name, (i18n) => i18n._('is required for a new row, but the table has no such column'))
        }
        values[name] = empty ?? null
      }
    }
    return values
  }

  const match = (rows: readonly GivenRow[], storedRows: readonly StoredRow[]) => {
    const byId = new Map(storedRows.map((stored) => [stored.id, stored]))
    const byKey = new Map([...storedRows].reverse().map((stored) => [keyOf(table, stored.values), stored]))
    const namedIds = new Set(
      rows.flatMap(({ values }) => (byId.has(optionalTextIn(values, 'id') ?? '') ? [values.id] : [])),
    )
    return rows.flatMap((row) => {
      const named = byId.get(optionalTextIn(row.values, 'id') ?? '')
      const sameKey = byKey.get(keyOf(table, row.values))
      const stored = named ?? (sameKey && !namedIds.has(sameKey.id) ? sameKey : null)
      const id = stored?.id ?? optionalTextIn(row.values, 'id')
      const before = id ? claimed.get(id) : undefined
      if (before !== undefined) {
        addProblem(row, table.keys.at(-1) ?? null, repeatedKey(table.keys, before))
        return []
      }
      if (id) claimed.set(id, row.row)
      return [{ row, stored, values: complete(row, stored) }]
    })
  }
  return { claimed, missingColumns, match }
}

/** Adds changed values to the report, and to the history of their object. Null is no row. */
const reportChange = <W extends { facts: Facts }>(
  { context, table, changes }: TableImport<W>,
  stored: StoredRow | null,
  values: Values | null,
) => {
  const identity = stored?.values ?? values ?? {}
  const history: AuditChanges = {}
  for (const { name, write } of table.columns) {
    const [before, after] = [stored?.values[name] ?? null, values?.[name] ?? null]
    if (name === 'id' || same(before, after)) continue
    const textOf = (value: Value) => (value === null || typeof value === 'string' ? value : write(value, context.facts))
    history[name] = { from: textOf(before), to: textOf(after) }
    if (stored && values)
      addChange(changes, () => ({
        table: table.name,
        key: keyOf(table, identity).replaceAll('\n', ' / '),
        column: name,
        from: write(before, context.facts),
        to: write(after, context.facts),
      }))
  }
  const event = stored && values ? 'changed' : stored ? 'deleted' : 'created'
  const name = String(identity[table.keys.at(-1) ?? ''] ?? '')
  addHistory(changes, { table: table.name, name, values: identity, event, changes: history })
}

/** Reports a row that was removed: products, options and plans are no longer sold. */
const reportRemoval = <W extends { facts: Facts }>(run: TableImport<W>, { id, values }: StoredRow) => {
  if ('on_sale' in values) reportChange(run, { id, values }, { ...values, on_sale: false })
  else if (run.table.name !== 'products') reportChange(run, { id, values }, null)
  else if (values.status === 'ON_SALE') reportChange(run, { id, values }, { ...values, status: 'ENDED' })
}

/** Validates a batch of rows, writes those that change, and counts all of them. */
const writeRows = async <W extends { facts: Facts }>(
  run: TableImport<W>,
  fileRows: readonly GivenRow[],
  matcher: ReturnType<typeof createRowMatcher>,
  counts: Counts,
  addProblem: AddProblem,
) => {
  const { context, table } = run
  const storedRows = await table.find(
    context,
    fileRows.map(({ values }) => values),
  )
  const pairs = matcher.match(fileRows, storedRows)
  const problems = await table.check(context, pairs)
  const changes: RowChange[] = []
  for (const [at, { row, stored, values }] of pairs.entries()) {
    for (const { column, message } of problems[at] ?? []) addProblem(row, column, message)
    if ((problems[at] ?? []).length > 0 || matcher.missingColumns.size > 0) continue
    if (stored && table.columns.every(({ name }) => name === 'id' || same(values[name], stored.values[name]))) {
      counts.unchanged++
      continue
    }
    const id = stored?.id ?? optionalTextIn(values, 'id') ?? table.newIdOf?.(values) ?? newId()
    if (stored) counts.changed++
    else counts.added++
    reportChange(run, stored, { ...values, id })
    changes.push({ id, stored, values: { ...values, id } })
    matcher.claimed.set(id, row.row)
  }
  if (changes.length > 0) await table.write(context, changes)
}

/** Removes the store's rows that no row of the file claims, if the import does, and counts them. */
const handleOmittedRows = async <W extends { facts: Facts }>(
  run: TableImport<W>,
  claimed: ReadonlyMap<string, number>,
  counts: Counts,
) => {
  const { context, table, removes } = run
  if (!removes) {
    const stored = await table.count(context)
    counts.notInFile = Math.max(0, stored - counts.added - counts.changed - counts.unchanged)
    return
  }
  for await (const rows of table.all(context)) {
    const omitted = rows.filter(({ id }) => !claimed.has(id))
    const removed = omitted.length > 0 ? await table.remove(context, omitted) : 0
    if (removed > 0) for (const row of omitted) reportRemoval(run, row)
    counts.removed += removed
    counts.notInFile += omitted.length - removed
  }
}

/** Imports one table of a file. Only changed rows are written. */
export const importTable = async <W extends { facts: Facts }>(run: TableImport<W>): Promise<Counts> => {
  const { context, table, source, problems } = run
  const counts: Counts = { added: 0, changed: 0, unchanged: 0, removed: 0, notInFile: 0 }
  const addProblem: AddProblem = (row, column, message) =>
    problems.add({ file: source.file, row: row.row, column, message, value: column && (row.cells[column] ?? '') })
  const read = createRowReader(run, addProblem)
  const matcher = createRowMatcher(run, addProblem)

  const max = table.needsAllRows ? Number.POSITIVE_INFINITY : batchSize
  for await (const rows of batchesOf(source.rows(), max)) {
    const values = rows.flatMap((row) => read(row) ?? [])
    await writeRows(run, values, matcher, counts, addProblem)
    table.releaseBatch?.(context)
  }
  await handleOmittedRows(run, matcher.claimed, counts)
  return counts
}
