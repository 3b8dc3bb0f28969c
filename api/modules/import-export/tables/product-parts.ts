import { isListPriceTooLow } from '#api/modules/catalog/product-options.ts'
import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import { listIn, textIn, translationsOf, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { optionType } from '#contract/enumerations.ts'
import { lessonId, productId } from '#contract/ids.ts'
import * as cell from './column-codecs.ts'
import { type Column, rowId } from './column-codecs.ts'
import { chapterTitles, filmColumns, settleVideos, videoIdsFor } from './films.ts'
import {
  type ChildRow,
  type ChildTable,
  closeSales,
  deleteRows,
  idsInUse,
  readChildRows,
  readProductCodes,
  sampleProductCodes,
  upsertRows,
} from './import-export.queries.ts'
import { codeColumn } from './products.ts'
import {
  batchSize,
  countIn,
  type ImportContext,
  idsOf,
  type RowChange,
  type RowProblem,
  type StoredRow,
  type Table,
  textsOf,
} from './table.ts'
import { fileOf, lowListPrice, passedPrices, priceChangeOf, priceChanges } from './table-columns.ts'

type Row = Record<string, unknown>

interface ChildTableInput {
  name: string
  table: ChildTable
  /** The column that identifies a row within its product. */
  title: string
  columns: readonly Column[]
  /** The columns with texts for visitors. */
  texts: readonly Column[]
  /** Database column names where they differ. */
  called: Record<string, string>
  problems: (context: ImportContext, values: Values, stored: StoredRow | null) => RowProblem[]
  /** Caches further data of a store's row. */
  register?: (context: ImportContext, row: ChildRow) => void
  rowsOf: (context: ImportContext, changes: readonly RowChange[]) => Promise<Row[]> | Row[]
  remove: Table['remove']
}

const unknownProduct = async ({ db, customerId }: ImportContext, code: string): Promise<RowProblem> => {
  const codes = await sampleProductCodes(db, customerId, 5000)
  return {
    column: 'product',
    message: (i18n) =>
      i18n._('must be the code of a product: there is no {code}.', { code }) + cell.didYouMean(i18n, code, codes),
  }
}

/** Defines a table of product parts: each row names its product by code. */
const ofProduct = (definition: ChildTableInput): Table => {
  const { name, table, title, called, problems } = definition
  const columns = [{ ...codeColumn, name: 'product' }, ...definition.columns, rowId]
  const storedRowOf = (row: ChildRow): StoredRow => ({
    id: row.id,
    values: {
      ...Object.fromEntries(columns.map((column) => [column.name, row[called[column.name] ?? column.name] ?? null])),
      translations: row.translations ?? null,
    },
  })
  const read = async (context: ImportContext, selection: { keys: string[]; ids?: string[] }) => {
    const rows = await readChildRows(context.db, context.customerId, table, selection)
    for (const row of rows) definition.register?.(context, row)
    return rows.map(storedRowOf)
  }
  return {
    name,
    columns,
    texts: definition.texts,
    keys: ['product', title],
    count: countIn(table),
    find: (context, rows) => read(context, { keys: textsOf(rows, 'product'), ids: idsOf(rows) }),
    check: async (context, pairs) => {
      const ofFilms = await settleVideos(context, pairs)
      const codes = [...new Set(pairs.map(({ values }) => textIn(values, 'product')))]
      const productIds = await productIdsOf(context.db, context.customerId, codes)
      return Promise.all(
        pairs.map(async ({ values, stored }, at) => {
          const code = textIn(values, 'product')
          if (stored && stored.values.product !== code)
            return [
              {
                column: 'product',
                message: (i18n: I18n) =>
                  i18n._('must be {product}, which the row with this id belongs to', {
                    product: textIn(stored.values, 'product'),
                  }),
              },
            ]
          if (!productIds.has(code) && !context.named.products.has(code)) return [await unknownProduct(context, code)]
          return [...problems(context, values, stored), ...(ofFilms[at] ?? [])]
        }),
      )
    },
    write: async (context, changes) => {
      const { db, customerId } = context
      const products = await productIdsOf(db, customerId, [
        ...new Set(changes.map(({ values }) => String(values.product))),
      ])
      // A product with an invalid row is missing here. The import is rolled back in that case.
      const withProducts = changes.filter(({ values }) => products.has(textIn(values, 'product')))
      const rows = await definition.rowsOf(
        context,
        withProducts.map((change) => ({
          ...change,
          values: { ...change.values, productId: products.get(textIn(change.values, 'product')) ?? null },
        })),
      )
      await upsertRows(db, table, rows)
      for (const id of products.values()) context.touched.add(id)
    },
    all: async function* (context) {
      for (let after: string | undefined; ; ) {
        const codes = await readProductCodes(context.db, context.customerId, after, batchSize)
        const rows = codes.length > 0 ? await read(context, { keys: codes }) : []
        if (rows.length > 0) yield rows
        if (codes.length < batchSize) return
        after = codes.at(-1)
      }
    },
    remove: async (context, stored) => {
      const codes = [...new Set(stored.map(({ values }) => textIn(values, 'product')))]
      for (const id of (await productIdsOf(context.db, context.customerId, codes)).values()) context.touched.add(id)
      return definition.remove(context, stored)
    },
  }
}

const deleteFrom = async (table: 'attachments' | 'lessons', context: ImportContext, stored: readonly StoredRow[]) => {
  const ids = stored.map(({ id }) => id)
  await deleteRows(context.db, context.customerId, table, ids)
  return ids.length
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
  problems: () => [],
  texts: [attachmentName, confirmation],
  columns: [
    attachmentName,
    fileOf('file', 'FILE'),
    confirmation,
    cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
  ],
  called: { file: 'asset', confirmation: 'confirmation_text' },
  register: ({ files }, row) =>
    files.set(textIn(row, 'asset'), { bytes: Number(row.bytes), contentType: textIn(row, 'content_type') }),
  rowsOf: (context, changes) =>
    changes.map(({ id, values }) => {
      const { bytes, contentType } = factsOf(context, textIn(values, 'file'))
      return {
        customer_id: context.customerId,
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
  remove: (context, stored) => deleteFrom('attachments', context, stored),
})

const title = cell.line('title', 300, { example: 'The first line' })
const summary = cell.prose('summary', 2000)

/** The lessons of a course or series. A lesson is hidden until its video is ready. */
export const lessons = ofProduct({
  name: 'lessons',
  table: 'lessons',
  title: 'title',
  problems: () => [],
  called: {},
  texts: [title, summary, chapterTitles],
  columns: [cell.wholeNumberColumn('sort', 0, 1_000_000), title, summary, ...filmColumns, cell.yesNo('free', false)],
  rowsOf: async (context, changes) => {
    const videoIdOf = await videoIdsFor(context, changes, ({ id, values }) => ({
      productId: productId.parse(textIn(values, 'productId')),
      lessonId: lessonId.parse(id),
    }))
    return changes.map((change) => ({
      customer_id: context.customerId,
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
  remove: async (context, stored) => {
    for (const { id, values } of stored)
      if (typeof values.video === 'string') context.droppedVideos.set(values.video, lessonId.parse(id))
    return deleteFrom('lessons', context, stored)
  },
})

const emptyIfOwned = (i18n: I18n) => i18n._('must be empty if the type is OWN')

const problems = ({ type, days, start_within_days, price, list_price }: Values): RowProblem[] => [
  ...(type === 'RENT' && days === null
    ? [
        {
          column: 'days',
          message: (i18n: I18n) =>
            i18n._('must be the number of days that a rental lasts from its first play, for example 2'),
        },
      ]
    : []),
  ...(type === 'OWN' && days !== null ? [{ column: 'days', message: emptyIfOwned }] : []),
  ...(type === 'OWN' && start_within_days !== null ? [{ column: 'start_within_days', message: emptyIfOwned }] : []),
  ...(isListPriceTooLow(list_price === null ? null : Number(list_price), Number(price))
    ? [{ column: 'list_price', message: lowListPrice }]
    : []),
]

const scheduled = (entries: readonly string[]) => {
  const changes = entries.map(priceChangeOf)
  return { price_changes: changes, next_price_at: changes[0]?.at ?? null }
}

const optionName = cell.line('name', 200, { example: 'Own it' })

/** The options to obtain a product, each with its price. */
export const options = ofProduct({
  name: 'options',
  table: 'product_options',
  title: 'name',
  problems: (context, values, stored) => [...problems(values), ...passedPrices(context, values, stored)],
  texts: [optionName],
  columns: [
    optionName,
    cell.oneOf('type', optionType.options),
    cell.wholeNumberColumn('days', 1, 3650, { empty: null, example: '2' }),
    cell.wholeNumberColumn('start_within_days', 1, 3650, { empty: null, example: '30' }),
    cell.money('price'),
    cell.money('list_price', { empty: null }),
    priceChanges('price_changes'),
    cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
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
      ...scheduled(listIn(values, 'price_changes')),
      currency,
      sort: values.sort,
      on_sale: values.on_sale,
      translations: translationsOf(values),
    })),
  // Orders and carts refer to options. Such an option is taken off sale instead of deleted.
  remove: async ({ db, customerId }, stored) => {
    const ids = stored.map(({ id }) => id)
    const used = await idsInUse(db, customerId, 'option_id', ids)
    const closing = stored.filter(({ id, values }) => used.has(id) && values.on_sale).map(({ id }) => id)
    await closeSales(db, customerId, 'product_options', closing)
    const unused = ids.filter((id) => !used.has(id))
    await deleteRows(db, customerId, 'product_options', unused)
    return closing.length + unused.length
  },
})
