import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import { listIn, translationsOf, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { planCycle } from '#contract/enumerations.ts'
import { planId } from '#contract/ids.ts'
import * as cell from './column-codecs.ts'
import { closeSales, deleteRows, idsInUse, upsertRows } from './import-export.queries.ts'
import { listProducts, readWhole, type SmallTableRows } from './small-tables.queries.ts'
import { countIn, type ImportContext, type RowProblem, type StoredRow, type Table } from './table.ts'

const texts = [
  cell.line('name', 200, { example: 'The pass' }),
  cell.prose('summary', 2000),
  cell.list('benefits', 20, 300, 'Every film|New ones each week'),
] as const

const columns = [
  cell.code(
    'code',
    /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/,
    (i18n) => i18n._('must have at most 64 letters A to Z, digits and hyphens'),
    'pass',
  ),
  ...texts,
  cell.money('price'),
  cell.oneOf('cycle', planCycle.options),
  cell.wholeNumberColumn('trial_days', 0, 365, { empty: 0, example: '14' }),
  cell.oneOf('scope', ['ALL', 'CATEGORIES', 'PRODUCTS'], 'ALL'),
  cell.categories('categories'),
  cell.list('products', 10_000, 64, 'K100|K200'),
  cell.wholeNumberColumn('streams', 1, 100, { empty: 1 }),
  cell.yesNo('on_sale', true),
  cell.yesNo('recommended', false),
  cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
]

const storedRowOf = (context: ImportContext, row: SmallTableRows['plans']): StoredRow => {
  const { price_amount, category_ids, ...rest } = row
  return {
    id: row.id,
    values: {
      ...rest,
      price: price_amount,
      categories: category_ids.flatMap((id) => context.tree.pathOf(id) ?? []),
    },
  }
}

const read = async (context: ImportContext) =>
  (await readWhole(context.db, context.customerId, 'plans')).map((row) => storedRowOf(context, row))

/** Whether the store has a plan with a code. */
export const knownPlan = async (context: ImportContext, code: string) =>
  (await read(context)).some(({ values }) => values.code === code)

const scopeProblems = (values: Values): RowProblem[] => {
  const { scope } = values
  const inCategories = listIn(values, 'categories').length > 0
  const listed = listIn(values, 'products').length > 0
  return [
    ...(scope === 'CATEGORIES' && !inCategories
      ? [
          {
            column: 'categories',
            message: (i18n: I18n) =>
              i18n._('must list what the plan covers, for example {example}', { example: 'Films' }),
          },
        ]
      : []),
    ...(scope === 'PRODUCTS' && !listed
      ? [
          {
            column: 'products',
            message: (i18n: I18n) =>
              i18n._('must list what the plan covers, for example {example}', { example: 'K100|K200' }),
          },
        ]
      : []),
    ...(scope !== 'CATEGORIES' && inCategories
      ? [{ column: 'scope', message: (i18n: I18n) => i18n._('must be CATEGORIES if categories are listed') }]
      : []),
    ...(scope !== 'PRODUCTS' && listed
      ? [{ column: 'scope', message: (i18n: I18n) => i18n._('must be PRODUCTS if products are listed') }]
      : []),
  ]
}

/**
 * Plans on sale. Subscribers retain the price they agreed to; a new price applies to new
 * subscribers.
 */
export const plans: Table = {
  name: 'plans',
  columns,
  texts,
  keys: ['code'],
  find: read,
  count: countIn('plans'),
  registerKey: ({ named }, { code }) => typeof code === 'string' && named.plans.add(code),
  check: async (context, pairs) => {
    const codes = [...new Set(pairs.flatMap(({ values }) => listIn(values, 'products')))]
    const productIds = await productIdsOf(context.db, context.customerId, codes)
    return pairs.map(({ values }) => {
      const missing = listIn(values, 'products').find(
        (code) => !productIds.has(code) && !context.named.products.has(code),
      )
      return [
        ...scopeProblems(values),
        ...(missing
          ? [
              {
                column: 'products',
                message: (i18n: I18n) =>
                  i18n._('must list products of the store. There is no {code}', { code: missing }),
              },
            ]
          : []),
      ]
    })
  },
  write: async (context, changes) => {
    const { db, customerId, currency, tree, now } = context
    const rows = changes.map(({ id, values, stored }) => ({
      customer_id: customerId,
      id,
      code: values.code,
      name: values.name,
      summary: values.summary,
      benefits: values.benefits,
      price_amount: values.price,
      currency,
      cycle: values.cycle,
      trial_days: values.trial_days,
      scope: values.scope,
      streams: values.streams,
      category_ids: listIn(values, 'categories').flatMap((path) => tree.idOf(path) ?? []),
      on_sale: values.on_sale,
      recommended: values.recommended,
      sort: values.sort,
      translations: translationsOf(values),
      created_at: stored?.values.created_at ?? now,
    }))
    await upsertRows(db, 'plans', rows)
    const codes = [...new Set(changes.flatMap(({ values }) => listIn(values, 'products')))]
    const productIds = await productIdsOf(db, customerId, codes)
    const listed = changes.map(({ id, values }) => ({
      planId: planId.parse(id),
      productIds: listIn(values, 'products').flatMap((code) => productIds.get(code) ?? []),
    }))
    await listProducts(db, customerId, listed)
  },
  all: async function* (context) {
    const rows = await read(context)
    if (rows.length > 0) yield rows
  },
  // A plan with subscribers is taken off sale and remains for them.
  remove: async ({ db, customerId }, stored) => {
    const ids = stored.map(({ id }) => id)
    const used = await idsInUse(db, customerId, 'plan_id', ids)
    const closing = stored.filter(({ id, values }) => used.has(id) && values.on_sale).map(({ id }) => id)
    await closeSales(db, customerId, 'plans', closing)
    const unused = ids.filter((id) => !used.has(id))
    await deleteRows(db, customerId, 'plan_products', unused, 'plan_id')
    await deleteRows(db, customerId, 'plans', unused)
    return closing.length + unused.length
  },
}
