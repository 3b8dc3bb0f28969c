import { mailStatus } from '#contract/enumerations.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseMailsSearch = searchParser({
  to: shared.text,
  status: parameter(mailStatus),
  template: shared.text,
  since: shared.day,
  until: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type MailsSearch = ReturnType<typeof parseMailsSearch>

export const parseSuppressedSearch = searchParser({ q: shared.text, cursor: shared.cursor })
export type SuppressedSearch = ReturnType<typeof parseSuppressedSearch>
