import {
  type ChildTable,
  productIdsOf,
  readChildRows,
  readProductCodes,
  someProductCodes,
  upsertRows,
} from '#api/db/queries/exchange.ts'
import type { Column, Values } from '../cells.ts'
import { rowId } from '../cells.ts'
import { meant } from '../nearest.ts'
import {
  batchSize,
  type Change,
  type Complaint,
  idsOf,
  type Kept,
  standingIn,
  type Table,
  textsOf,
  type Work,
} from '../table.ts'
import { settleVideos } from '../videos.ts'
import { codeColumn } from './products.ts'

type Row = Record<string, unknown>

interface Given {
  name: string
  table: ChildTable
  /** What a row is known by within its product. */
  title: string
  columns: readonly Column[]
  /** The columns that visitors read. */
  texts: readonly Column[]
  /** The database's words for a column, where they are others. */
  called: Record<string, string>
  complaints: (values: Values) => Complaint[]
  /** Keeps what else is known of a row of the store. */
  remember?: (work: Work, row: Row) => void
  rowsOf: (work: Work, changes: readonly Change[]) => Promise<Row[]> | Row[]
  remove: Table['remove']
}

const unknownProduct = async ({ db, customerId }: Work, code: string): Promise<Complaint> => ({
  column: 'product',
  right: `must be the code of a product: there is no ${code}.${meant(code, await someProductCodes(db, customerId, 5000))}`,
})

/** A table of what belongs to products: each row names its product by code. */
export const ofProduct = (given: Given): Table => {
  const { name, table, title, called, complaints } = given
  const columns = [{ ...codeColumn, name: 'product' }, ...given.columns, rowId]
  const keptOf = (row: Row & { id: string }): Kept => ({
    id: row.id,
    values: {
      ...Object.fromEntries(
        columns.map((column) => [column.name, row[called[column.name] ?? column.name] as Values[string]]),
      ),
      translations: row.translations as Values[string],
    },
  })
  const read = async (work: Work, wanted: { keys: string[]; ids?: string[] }) => {
    const rows = await readChildRows(work.db, work.customerId, table, wanted)
    for (const row of rows) given.remember?.(work, row)
    return rows.map(keptOf)
  }
  return {
    ...{ name, columns, texts: given.texts, keys: ['product', title], count: standingIn(table) },
    find: (work, rows) => read(work, { keys: textsOf(rows, 'product'), ids: idsOf(rows) }),
    check: async (work, pairs) => {
      const ofFilms = await settleVideos(work, pairs)
      const codes = [...new Set(pairs.map(({ values }) => values.product as string))]
      const known = await productIdsOf(work.db, work.customerId, codes)
      return Promise.all(
        pairs.map(async ({ values, kept }, at) => {
          const code = values.product as string
          if (kept && kept.values.product !== code)
            return [
              { column: 'product', right: `must be ${kept.values.product}, which the row with this id belongs to` },
            ]
          if (!known.has(code) && !work.named.products.has(code)) return [await unknownProduct(work, code)]
          return [...complaints(values), ...ofFilms[at]!]
        }),
      )
    },
    write: async (work, changes) => {
      const { db, customerId } = work
      const products = await productIdsOf(db, customerId, [
        ...new Set(changes.map(({ values }) => String(values.product))),
      ])
      // A product whose own row is wrong is not there, and nothing is kept in the end.
      const standing = changes.filter(({ values }) => products.has(values.product as string))
      const rows = await given.rowsOf(
        work,
        standing.map((change) => ({
          ...change,
          values: { ...change.values, productId: products.get(change.values.product as string) ?? null },
        })),
      )
      await upsertRows(db, table, rows)
      for (const id of products.values()) work.touched.add(id)
    },
    all: async function* (work) {
      for (let after: string | undefined; ; ) {
        const codes = await readProductCodes(work.db, work.customerId, after, batchSize)
        const rows = codes.length > 0 ? await read(work, { keys: codes }) : []
        if (rows.length > 0) yield rows
        if (codes.length < batchSize) return
        after = codes.at(-1)!
      }
    },
    remove: async (work, kept) => {
      const codes = [...new Set(kept.map(({ values }) => values.product as string))]
      for (const id of (await productIdsOf(work.db, work.customerId, codes)).values()) work.touched.add(id)
      return given.remove(work, kept)
    },
  }
}
