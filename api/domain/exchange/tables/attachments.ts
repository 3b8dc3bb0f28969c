import { deleteRows } from '#api/db/queries/exchange.ts'
import * as cell from '../cells.ts'
import type { Work } from '../table.ts'
import { translationsOf } from '../translated.ts'
import { ofProduct } from './of-product.ts'

const factsOf = ({ files }: Work, key: string) => {
  const facts = files.get(key)
  if (!facts) throw new Error(`The file ${key} was not made ready`)
  return facts
}

const name = cell.line('name', 180, { example: 'Workbook.pdf' })
const confirmation = cell.prose('confirmation', 2000, { empty: null })

/** Files that come with a product. */
export const attachments = ofProduct({
  ...{ name: 'attachments', table: 'attachments', title: 'name', complaints: () => [] },
  texts: [name, confirmation],
  columns: [name, cell.fileOf('file', 'FILE'), confirmation, cell.whole('sort', 0, 1_000_000, { empty: 0 })],
  called: { file: 'asset', confirmation: 'confirmation_text' },
  remember: ({ files }, { asset, bytes, content_type }) =>
    files.set(asset as string, { bytes: bytes as number, contentType: content_type as string }),
  rowsOf: (work, changes) =>
    changes.map(({ id, values }) => {
      const { bytes, contentType } = factsOf(work, values.file as string)
      return {
        ...{ customer_id: work.customerId, id, product_id: values.productId, name: values.name },
        ...{ content_type: contentType, bytes, asset: values.file, confirmation_text: values.confirmation },
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
