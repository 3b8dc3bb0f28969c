import * as cell from '../cells.ts'
import { periodComplaints, wholeTable } from './whole.ts'

interface NoticeFile {
  name: string
  bytes: number
  url: string
}

const title = cell.line('title', 300, { example: 'Closed on Friday' })
const body = cell.prose('body', 200_000)

/** Of the attachments, in their order: `attachment_names.ko`. Their own names stand in `attachments`. */
const fileNames = cell.list('attachment_names', 10, 180, 'Programme.pdf|Map.pdf', { repeats: true })

/** What the store tells everybody. */
export const notices = wholeTable({
  name: 'notices',
  texts: [title, body, fileNames],
  columns: [
    title,
    body,
    cell.yesNo('pinned', false),
    cell.namedFiles('attachments', 10),
    cell.time('show_from'),
    cell.time('show_to'),
    cell.keeping(cell.time('created')),
    cell.rowId,
  ],
  keys: ['title'],
  valuesOf: ({ files }, row) => {
    const attachments = (row.attachments as NoticeFile[]).map(({ name, bytes, url }) => {
      const key = url.replace(/^\/media\//, '')
      files.set(key, { bytes, contentType: '' })
      return `${name}=${key}`
    })
    const { attachments: _, created_at: created, ...same } = row as cell.Values
    return { ...same, attachments, created } as cell.Values
  },
  complaints: (_, values) => periodComplaints(values),
  rowOf: ({ customerId, now, files }, { id, values }) => ({
    ...{ customer_id: customerId, id, title: values.title, body: values.body, pinned: values.pinned },
    attachments: (values.attachments as string[]).map(cell.namedFile).map(({ name, key }) => {
      const facts = files.get(key)
      if (!facts) throw new Error(`The file ${key} was not made ready`)
      return { name, bytes: facts.bytes, url: `/media/${key}` }
    }),
    ...{ show_from: values.show_from, show_to: values.show_to, created_at: values.created ?? now },
  }),
})
