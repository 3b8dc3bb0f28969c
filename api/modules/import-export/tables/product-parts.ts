import { textIn, type Values } from '#api/modules/import-export/cell-values.ts'
import * as cell from '#api/modules/import-export/column-codecs.ts'
import { type Column, rowId } from '#api/modules/import-export/column-codecs.ts'
import { chapterTitles, filmColumns, settleVideos, videoIdsFor } from '#api/modules/import-export/films.ts'
import {
  type ChildRow,
  type ChildTable,
  closeSales,
  deleteRows,
  idsInUse,
  productIdsOf,
  readChildRows,
  readProductCodes,
  someProductCodes,
} from '#api/modules/import-export/import-export.queries.ts'
import {
  batchSize,
  type Complaint,
  countIn,
  type ImportContext,
  idsOf,
  type RowChange,
  type StoredRow,
  type Table,
  textsOf,
} from '#api/modules/import-export/table.ts'
import { translationsOf } from '#api/modules/import-export/table-languages.ts'
import { upsertRows } from '#api/platform/db/upsert-rows.ts'
import { meant } from '#api/platform/text.ts'
import { optionType } from '#contract/enumerations.ts'
import { codeColumn } from './products.ts'

type Row = Record<string, unknown>

interface Given {
  name: string
  table: ChildTable
  /** The column that identifies a row within its product. */
  title: string
  columns: readonly Column[]
  /** The columns with texts for visitors. */
  texts: readonly Column[]
  /** Database column names where they differ. */
  called: Record<string, string>
  complaints: (values: Values) => Complaint[]
  /** Caches further data of a store's row. */
  remember?: (work: ImportContext, row: ChildRow) => void
  rowsOf: (work: ImportContext, changes: readonly RowChange[]) => Promise<Row[]> | Row[]
  remove: Table['remove']
}

const unknownProduct = async ({ db, customerId }: ImportContext, code: string): Promise<Complaint> => ({
  column: 'product',
  right: `must be the code of a product: there is no ${code}.${meant(code, await someProductCodes(db, customerId, 5000))}`,
})

/** Defines a table of product parts: each row names its product by code. */
export const ofProduct = (given: Given): Table => {
  const { name, table, title, called, complaints } = given
  const columns = [{ ...codeColumn, name: 'product' }, ...given.columns, rowId]
  const keptOf = (row: ChildRow): StoredRow => ({
    id: row.id,
    values: {
      ...Object.fromEntries(columns.map((column) => [column.name, row[called[column.name] ?? column.name] ?? null])),
      translations: row.translations ?? null,
    },
  })
  const read = async (work: ImportContext, wanted: { keys: string[]; ids?: string[] }) => {
    const rows = await readChildRows(work.db, work.customerId, table, wanted)
    for (const row of rows) given.remember?.(work, row)
    return rows.map(keptOf)
  }
  return {
    name,
    columns,
    texts: given.texts,
    keys: ['product', title],
    count: countIn(table),
    find: (work, rows) => read(work, { keys: textsOf(rows, 'product'), ids: idsOf(rows) }),
    check: async (work, pairs) => {
      const ofFilms = await settleVideos(work, pairs)
      const codes = [...new Set(pairs.map(({ values }) => textIn(values, 'product')))]
      const known = await productIdsOf(work.db, work.customerId, codes)
      return Promise.all(
        pairs.map(async ({ values, kept }, at) => {
          const code = textIn(values, 'product')
          if (kept && kept.values.product !== code)
            return [
              { column: 'product', right: `must be ${kept.values.product}, which the row with this id belongs to` },
            ]
          if (!known.has(code) && !work.named.products.has(code)) return [await unknownProduct(work, code)]
          return [...complaints(values), ...(ofFilms[at] ?? [])]
        }),
      )
    },
    write: async (work, changes) => {
      const { db, customerId } = work
      const products = await productIdsOf(db, customerId, [
        ...new Set(changes.map(({ values }) => String(values.product))),
      ])
      // A product with an invalid row is missing here. The import is rolled back in that case.
      const standing = changes.filter(({ values }) => products.has(textIn(values, 'product')))
      const rows = await given.rowsOf(
        work,
        standing.map((change) => ({
          ...change,
          values: { ...change.values, productId: products.get(textIn(change.values, 'product')) ?? null },
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
        after = codes.at(-1)
      }
    },
    remove: async (work, kept) => {
      const codes = [...new Set(kept.map(({ values }) => textIn(values, 'product')))]
      for (const id of (await productIdsOf(work.db, work.customerId, codes)).values()) work.touched.add(id)
      return given.remove(work, kept)
    },
  }
}

const factsOf = ({ files }: ImportContext, key: string) => {
  const facts = files.get(key)
  if (!facts) throw new Error(`The file ${key} was not made ready`)
  return facts
}

const attachmentName = cell.line('name', 180, { example: 'Workbook.pdf' })
const confirmation = cell.prose('confirmation', 2000, { empty: null })

/** Files that come with a product. */
export const attachments = ofProduct({
  name: 'attachments',
  table: 'attachments',
  title: 'name',
  complaints: () => [],
  texts: [attachmentName, confirmation],
  columns: [attachmentName, cell.fileOf('file', 'FILE'), confirmation, cell.whole('sort', 0, 1_000_000, { empty: 0 })],
  called: { file: 'asset', confirmation: 'confirmation_text' },
  remember: ({ files }, row) =>
    files.set(textIn(row, 'asset'), { bytes: Number(row.bytes), contentType: textIn(row, 'content_type') }),
  rowsOf: (work, changes) =>
    changes.map(({ id, values }) => {
      const { bytes, contentType } = factsOf(work, textIn(values, 'file'))
      return {
        customer_id: work.customerId,
        id,
        product_id: values.productId,
        name: values.name,
        content_type: contentType,
        bytes,
        asset: values.file,
        confirmation_text: values.confirmation,
        sort: values.sort,
        translations: translationsOf(values),
      }
    }),
  remove: async ({ db, customerId }, kept) => {
    await deleteRows(
      db,
      customerId,
      'attachments',
      kept.map(({ id }) => id),
    )
    return kept.length
  },
})

const title = cell.line('title', 300, { example: 'The first line' })
const summary = cell.prose('summary', 2000)

/** The lessons of a course or series. A lesson is hidden until its video is ready. */
export const lessons = ofProduct({
  name: 'lessons',
  table: 'lessons',
  title: 'title',
  complaints: () => [],
  called: {},
  texts: [title, summary, chapterTitles],
  columns: [cell.whole('sort', 0, 1_000_000), title, summary, ...filmColumns, cell.yesNo('free', false)],
  rowsOf: async (work, changes) => {
    const videoIdOf = await videoIdsFor(work, changes, ({ id, values }) => ({
      productId: textIn(values, 'productId'),
      lessonId: id,
    }))
    return changes.map((change) => ({
      customer_id: work.customerId,
      id: change.id,
      product_id: change.values.productId,
      sort: change.values.sort,
      title: change.values.title,
      summary: change.values.summary,
      video_id: videoIdOf(change),
      free: change.values.free,
      translations: translationsOf(change.values),
    }))
  },
  remove: async ({ db, customerId }, kept) => {
    await deleteRows(
      db,
      customerId,
      'lessons',
      kept.map(({ id }) => id),
    )
    return kept.length
  },
})

const complaints = ({ type, days, start_within_days, price, list_price }: Values): Complaint[] => [
  ...(type === 'RENT' && days === null
    ? [{ column: 'days', right: 'must say how many days a rental lasts from its first play, for example 2' }]
    : []),
  ...(type === 'OWN' && days !== null ? [{ column: 'days', right: 'must be empty where the type is OWN' }] : []),
  ...(type === 'OWN' && start_within_days !== null
    ? [{ column: 'start_within_days', right: 'must be empty where the type is OWN' }]
    : []),
  ...(list_price !== null && Number(list_price) < Number(price)
    ? [{ column: 'list_price', right: 'must not be lower than price: it is the price before the discount' }]
    : []),
]

const optionName = cell.line('name', 200, { example: 'Own it' })

/** The options to obtain a product, each with its price. */
export const options = ofProduct({
  name: 'options',
  table: 'product_options',
  title: 'name',
  complaints,
  texts: [optionName],
  columns: [
    optionName,
    cell.oneOf('type', optionType.options),
    cell.whole('days', 1, 3650, { empty: null, example: '2' }),
    cell.whole('start_within_days', 1, 3650, { empty: null, example: '30' }),
    cell.money('price'),
    cell.money('list_price', { empty: null }),
    cell.whole('sort', 0, 1_000_000, { empty: 0 }),
    cell.yesNo('on_sale', true),
  ],
  called: { price: 'price_amount', list_price: 'list_price_amount' },
  rowsOf: ({ customerId, currency }, changes) =>
    changes.map(({ id, values }) => ({
      customer_id: customerId,
      id,
      product_id: values.productId,
      name: values.name,
      type: values.type,
      days: values.days,
      start_within_days: values.start_within_days,
      price_amount: values.price,
      list_price_amount: values.list_price,
      currency,
      sort: values.sort,
      on_sale: values.on_sale,
      translations: translationsOf(values),
    })),
  // Orders and carts refer to options. Such an option is taken off sale instead of deleted.
  remove: async ({ db, customerId }, kept) => {
    const ids = kept.map(({ id }) => id)
    const used = await idsInUse(db, customerId, 'option_id', ids)
    const closing = kept.filter(({ id, values }) => used.has(id) && values.on_sale).map(({ id }) => id)
    await closeSales(db, customerId, 'product_options', closing)
    const unused = ids.filter((id) => !used.has(id))
    await deleteRows(db, customerId, 'product_options', unused)
    return closing.length + unused.length
  },
})
