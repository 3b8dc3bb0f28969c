import { deleteRows, readWhole, upsertRows } from '#api/db/queries/exchange.ts'
import type { Column, Values } from '../cells.ts'
import { type Change, type Complaint, type Kept, standingIn, type Table, type Work } from '../table.ts'
import { translationsOf } from '../translated.ts'

type Row = Record<string, unknown>

interface Given {
  name: 'banners' | 'notices' | 'faq' | 'pages'
  columns: readonly Column[]
  /** The columns that visitors read. */
  texts: readonly Column[]
  keys: readonly string[]
  valuesOf: (work: Work, row: Row) => Values
  complaints: (work: Work, values: Values) => Complaint[] | Promise<Complaint[]>
  rowOf: (work: Work, change: Change) => Row
  /** The column beside the tenant in its primary key. */
  key?: 'id' | 'type'
}

/** A table of a few hundred rows at most that refers to little else. */
export const wholeTable = ({ name, columns, texts, keys, valuesOf, complaints, rowOf, key = 'id' }: Given): Table => {
  const read = async (work: Work): Promise<Kept[]> =>
    (await readWhole(work.db, work.customerId, name)).map((row) => ({
      id: row[key] as string,
      values: { ...valuesOf(work, row), translations: row.translations as Values[string] },
    }))
  return {
    ...{ name, columns, texts, keys, find: read, count: standingIn(name) },
    check: (work, pairs) => Promise.all(pairs.map(({ values }) => complaints(work, values))),
    write: (work, changes) =>
      upsertRows(
        work.db,
        name,
        changes.map((change) => ({ ...rowOf(work, change), translations: translationsOf(change.values) })),
        key,
      ),
    all: async function* (work) {
      const rows = await read(work)
      if (rows.length > 0) yield rows
    },
    remove: async ({ db, customerId }, kept) => {
      const gone = kept.map(({ id }) => id)
      await deleteRows(db, customerId, name, gone, key)
      return gone.length
    },
  }
}

/** The end of a period must come after its beginning. */
export const periodComplaints = ({ show_from, show_to }: Values): Complaint[] =>
  show_from && show_to && show_from >= show_to ? [{ column: 'show_to', right: 'must be later than show_from' }] : []
