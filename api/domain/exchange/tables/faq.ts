import * as cell from '../cells.ts'
import { wholeTable } from './whole.ts'

const texts = [
  cell.line('group', 100, { example: 'Payment' }),
  cell.line('question', 500, { example: 'How do I pay?' }),
  cell.prose('answer', 100_000, { example: '<p>By card.</p>' }),
] as const

/** Questions and their answers, by group. */
export const faq = wholeTable({
  name: 'faq',
  texts,
  columns: [...texts, cell.whole('sort', 0, 1_000_000, { empty: 0 }), cell.rowId],
  keys: ['group', 'question'],
  valuesOf: (_, { id, group, question, answer, sort }) => ({ id, group, question, answer, sort }) as cell.Values,
  complaints: () => [],
  rowOf: ({ customerId }, { id, values }) => ({
    ...{ customer_id: customerId, id, group: values.group, question: values.question, answer: values.answer },
    sort: values.sort,
  }),
})
