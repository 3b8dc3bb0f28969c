import { deleteRows, idsInUse } from '#api/db/queries/exchange.ts'
import { optionType } from '#contract/enumerations.ts'
import * as cell from '../cells.ts'
import type { Complaint } from '../table.ts'
import { translationsOf } from '../translated.ts'
import { ofProduct } from './of-product.ts'

const complaints = ({ type, days, start_within_days, price, list_price }: cell.Values): Complaint[] => [
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

const name = cell.line('name', 200, { example: 'Own it' })

/** The ways to obtain a product, each with its price. */
export const options = ofProduct({
  ...{ name: 'options', table: 'product_options', title: 'name', complaints },
  texts: [name],
  columns: [
    name,
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
      ...{ customer_id: customerId, id, product_id: values.productId, name: values.name, type: values.type },
      ...{ days: values.days, start_within_days: values.start_within_days, price_amount: values.price },
      ...{ list_price_amount: values.list_price, currency, sort: values.sort, on_sale: values.on_sale },
      translations: translationsOf(values),
    })),
  // What was bought or lies in a cart is named by its option: such a one is sold no more, and stays.
  remove: async ({ db, customerId }, kept) => {
    const ids = kept.map(({ id }) => id)
    const used = await idsInUse(db, customerId, 'option_id', ids)
    const closing = kept.filter(({ id, values }) => used.has(id) && values.on_sale).map(({ id }) => id)
    await db.$client.query(
      'UPDATE product_options SET on_sale = false WHERE customer_id = $1 AND id = ANY($2::uuid[])',
      [customerId, closing],
    )
    const unused = ids.filter((id) => !used.has(id))
    await deleteRows(db, customerId, 'product_options', unused)
    return closing.length + unused.length
  },
})
