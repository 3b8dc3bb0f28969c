import { searchParser, shared } from '../../platform/search'

export const parseNoticesSearch = searchParser({ q: shared.text, cursor: shared.cursor })
export type NoticesSearch = ReturnType<typeof parseNoticesSearch>
