import * as cell from '../cells.ts'
import { wholeTable } from './whole.ts'

const type = cell.code(
  'type',
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  'must be lower case letters, digits and hyphens, 40 at most',
  'terms',
)

/** The store's own pages. Members agree to a page as it was last written, so its day moves with its words alone. */
export const pages = wholeTable({
  name: 'pages',
  key: 'type',
  columns: [
    type,
    cell.line('title', 200, { example: 'Terms of use' }),
    cell.prose('body', 500_000),
    cell.whole('sort', 0, 1_000_000, { empty: 0 }),
  ],
  keys: ['type'],
  valuesOf: (_, { type: name, title, body, sort, updated_at }) =>
    ({ type: name, title, body, sort, updated: updated_at }) as cell.Values,
  complaints: () => [],
  rowOf: ({ customerId, now }, { values, kept }) => {
    const sameWords = kept?.values.title === values.title && kept?.values.body === values.body
    return {
      ...{ customer_id: customerId, type: values.type, title: values.title, body: values.body, sort: values.sort },
      updated_at: sameWords ? kept?.values.updated : now,
    }
  },
})
