import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type DetachedCtx, type Failure, failure } from '#api/platform/context.ts'
import type { AuditChanges } from '#api/platform/db/platform.schema.ts'
import { type Message, messageIn, messagesOf } from '#api/platform/i18n/messages.ts'
import type { AuditAction } from '#contract/admin/audit.ts'
import { maxImportMinutes, type StoreImported } from '#contract/admin/imports.ts'
import type { CustomerId, ProductCode } from '#contract/ids.ts'
import type { Values } from './tables/cell-formats.ts'

/** A problem in the imported files: its location, the value and a valid alternative. */
export interface ImportProblem {
  file: string
  /**
   * Counted as in a spreadsheet: the heading is row 1. Null if the problem concerns the whole file.
   */
  row: number | null
  column: string | null
  value: string | null
  /** A valid value: in English the end of "must …", or a sentence. */
  message: string
}

export interface Counts {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Rows of the store that are not in the file and remain unchanged. */
  notInFile: number
}

/** A cell that an import changed or would change, with both values in the table's format. */
export interface CellChange {
  table: string
  key: string
  column: string
  from: string
  to: string
}

/** Changed cells. Only the first ones are listed. */
export interface Changes {
  list: CellChange[]
  unlisted: number
  /** What the histories of the changed objects get, by subject, with the length of all values. */
  history?: { objects: Map<string, ObjectChange>; letters: number }
}

/** An entry of the audit log about an object that an import has changed. */
export interface ObjectChange {
  action: AuditAction
  changes: AuditChanges
}

type ObjectKind = 'banner' | 'category' | 'faq' | 'notice' | 'page' | 'plan' | 'product'

/** The object that a row is, or is a part of: its kind, and the column that identifies it. */
interface TableObject {
  kind: ObjectKind
  column: string
  isPart?: true
}

const objectsOfTables: Readonly<Record<string, TableObject>> = {
  categories: { kind: 'category', column: '', isPart: true },
  products: { kind: 'product', column: 'code' },
  options: { kind: 'product', column: 'product', isPart: true },
  lessons: { kind: 'product', column: 'product', isPart: true },
  attachments: { kind: 'product', column: 'product', isPart: true },
  plans: { kind: 'plan', column: 'id' },
  banners: { kind: 'banner', column: 'id' },
  notices: { kind: 'notice', column: 'id' },
  faq: { kind: 'faq', column: 'id' },
  pages: { kind: 'page', column: 'type' },
}

/** The capacity of the histories that an import writes: objects, and characters of all texts. */
const maxObjects = 500
const maxLetters = 5_000_000

/** Products are ended, never deleted. */
const actionOf = ({ kind, isPart }: TableObject, event: RowHistory['event']): AuditAction => {
  if (kind === 'product') return event === 'created' && !isPart ? 'product.created' : 'product.changed'
  return isPart ? `${kind}.changed` : `${kind}.${event}`
}

interface RowHistory {
  table: string
  /** What the row is called within its object. */
  name: string
  /** The values that identify it. */
  values: Values
  event: 'created' | 'changed' | 'deleted'
  changes: AuditChanges
}

/** Adds the change of a row to the history of its object. Beyond the capacity it is left out. */
export const addHistory = ({ history }: Changes, { table, name, values, event, changes }: RowHistory) => {
  const object = objectsOfTables[table]
  if (!object || !history) return
  const { objects } = history
  const subject = object.kind === 'category' ? 'categories' : `${object.kind}:${String(values[object.column])}`
  const present = objects.get(subject)
  const letters = history.letters + lettersOf(changes)
  if (letters > maxLetters || (!present && objects.size >= maxObjects)) return
  history.letters = letters
  const named = Object.entries(changes).map(([field, change]) => [
    object.isPart ? [table, name, field].filter(Boolean).join('.') : field,
    change,
  ])
  objects.set(subject, {
    action: present?.action ?? actionOf(object, event),
    changes: { ...present?.changes, ...Object.fromEntries(named) },
  })
}

const lettersOf = (changes: AuditChanges) =>
  Object.values(changes).reduce((sum, { from, to }) => sum + String(from).length + String(to).length, 0)

/** The capacity of a report and its audit entry. */
const maxChanges = 500
const maxValueLength = 200

const shortened = (text: string) => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text)

/** Adds a change to the list. Beyond the limit it is only counted, and `describe` is not called. */
export const addChange = (changes: Changes, describe: () => CellChange) => {
  if (changes.list.length >= maxChanges) {
    changes.unlisted++
    return
  }
  const { from, to, ...cell } = describe()
  changes.list.push({ ...cell, from: shortened(from), to: shortened(to) })
}

export interface ImportReport {
  changes: Changes
  problems: ImportProblem[]
  /** The number of problems that are not listed. */
  unlisted: number
  tables: { file: string; table: string; counts: Counts }[]
}

/** As many as a person reads. A file in the wrong format would otherwise fill the memory. */
const maxProblems = 10_000

export interface Problems {
  list: ImportProblem[]
  unlisted: number
  add: (problem: Omit<ImportProblem, 'message'> & { message: Message }) => void
}

/**
 * Creates a collection of an import's problems, in words of one language. It keeps the first ones
 * and counts the rest.
 */
export const collectProblems = (i18n = messagesOf('en')): Problems => {
  const problems: Problems = {
    list: [],
    unlisted: 0,
    add: ({ message, ...problem }) => {
      if (problems.list.length < maxProblems) problems.list.push({ ...problem, message: messageIn(i18n, message) })
      else problems.unlisted++
    },
  }
  return problems
}

/** Rows of each kind in an answer. Their counts tell of all of them. */
const listedRows = 200

const noCounts: Counts = { added: 0, changed: 0, unchanged: 0, removed: 0, notInFile: 0 }

/** Describes the import of a table as the API answers it. `id` undoes it if it `canUndo`. */
export const viewReport = (
  { problems, unlisted, tables, changes, notReady }: ImportReport & { notReady: readonly ProductCode[] },
  { id, canUndo, unusedFiles }: Pick<StoreImported, 'id' | 'canUndo' | 'unusedFiles'>,
): StoreImported => ({
  id,
  canUndo,
  unusedFiles,
  problems: problems.slice(0, listedRows).map(({ file: _, ...problem }) => problem),
  problemCount: problems.length + unlisted,
  counts: tables[0]?.counts ?? noCounts,
  changes: changes.list.slice(0, listedRows).map(({ table: _, ...change }) => change),
  changeCount: changes.list.length + changes.unlisted,
  notReady: notReady.slice(0, listedRows),
  notReadyCount: notReady.length,
})

/** Describes a file that cannot be read at all. */
export const unreadableFile = (message: string): StoreImported => {
  const problem = { file: '', row: null, column: null, value: null, message }
  const nothing = { problems: [problem], unlisted: 0, tables: [], changes: { list: [], unlisted: 0 }, notReady: [] }
  return viewReport(nothing, { id: null, canUndo: false, unusedFiles: [] })
}

/** Another import of the store is running. */
export class ImportRunning extends Error {
  override readonly name = 'ImportRunning'
  constructor() {
    super('Another import of this store is running. Try again when it has ended.')
  }
}

/** An import has taken longer than it may. */
class ImportTooLong extends Error {
  override readonly name = 'ImportTooLong'
}

/** Seconds after which a caller asks again while other stores import. */
const busySeconds = 60

/** Returns CONFLICT with the reason for which an import does not run. */
export const importConflict = (
  { locale }: Pick<DetachedCtx, 'locale'>,
  reason: 'RUNNING' | 'BUSY' | 'REPEATED' | 'TOO_LONG',
): Failure => {
  const i18n = messagesOf(locale)
  const texts = {
    RUNNING: i18n._('Another import is running. Try again when it has ended.'),
    BUSY: i18n._('Other stores are importing. Try again in a minute.'),
    REPEATED: i18n._('This import has been received already. It is in the list.'),
    TOO_LONG: i18n._('The import took longer than {minutes} minutes and was stopped. Import a part of the file.', {
      minutes: maxImportMinutes,
    }),
  }
  const detail = { errors: { table: [texts[reason]] } }
  return failure('CONFLICT', reason === 'BUSY' ? { ...detail, retryAfterSeconds: busySeconds } : detail)
}

/** The stores whose imports run in this process, by the pool whose connections they hold. */
const running = new WeakMap<pg.Pool, Set<CustomerId>>()

/**
 * Runs an import, which holds a connection until its end: one of each store, and all together a
 * part of the connections, so that requests get the others. Failure: CONFLICT.
 */
export const withImportSlot = async <Answer>(
  pool: pg.Pool,
  ctx: Pick<DetachedCtx, 'locale'> & { customer: { id: CustomerId } },
  work: () => Promise<Answer>,
): Promise<Answer | Failure> => {
  const stores = running.get(pool) ?? new Set()
  running.set(pool, stores)
  const { id } = ctx.customer
  if (stores.has(id)) return importConflict(ctx, 'RUNNING')
  if (stores.size >= Math.max(1, Math.floor(pool.options.max / 4))) return importConflict(ctx, 'BUSY')
  stores.add(id)
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportRunning) return importConflict(ctx, 'RUNNING')
    if (error instanceof ImportTooLong) return importConflict(ctx, 'TOO_LONG')
    throw error
  } finally {
    stores.delete(id)
  }
}

/**
 * Returns rows that end an import once it has taken as long as it may, counted from now on.
 * `onRow` is called with the number of each.
 *
 * @throws ImportTooLong
 */
export const withDeadline = <Row>(
  rows: () => AsyncIterable<Row>,
  onRow?: (number: number) => void,
): (() => AsyncIterable<Row>) => {
  const until = performance.now() + maxImportMinutes * 60_000
  return async function* () {
    let number = 0
    for await (const row of rows()) {
      if (performance.now() > until) throw new ImportTooLong('The import has taken too long')
      onRow?.(++number)
      yield row
    }
  }
}

/** Runs `work` with the path of a new file, which is deleted afterwards. */
export const withFile = async <Answer>(work: (path: string) => Promise<Answer>): Promise<Answer> => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-import-'))
  try {
    return await work(join(folder, 'table.csv'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
