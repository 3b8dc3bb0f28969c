import * as cell from '../cells.ts'
import { translationsOf } from '../translated.ts'
import { wholeTable } from './whole.ts'

const type = cell.code(
  'type',
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  'must be lower case letters, digits and hyphens, 40 at most',
  'terms',
)

const title = cell.line('title', 200, { example: 'Terms of use' })
const body = cell.prose('body', 500_000)

/** In one order, so that two can be compared. */
const sorted = (translations: object) =>
  Object.entries(translations)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([language, texts]) => [language, Object.entries(texts as object).sort(([a], [b]) => a.localeCompare(b))])

/** The store's own pages. Members agree to a page as it was last written, so its day moves with its words alone. */
export const pages = wholeTable({
  name: 'pages',
  key: 'type',
  texts: [title, body],
  columns: [type, title, body, cell.whole('sort', 0, 1_000_000, { empty: 0 })],
  keys: ['type'],
  valuesOf: (_, { type: name, title: called, body: text, sort, updated_at }) =>
    ({ type: name, title: called, body: text, sort, updated: updated_at }) as cell.Values,
  complaints: () => [],
  rowOf: ({ customerId, now }, { values, kept }) => {
    const words = (of: cell.Values | undefined) =>
      JSON.stringify([of?.title, of?.body, of && sorted(translationsOf(of))])
    const sameWords = words(kept?.values) === words(values)
    return {
      ...{ customer_id: customerId, type: values.type, title: values.title, body: values.body, sort: values.sort },
      updated_at: sameWords ? kept?.values.updated : now,
    }
  },
})
