import * as z from 'zod/mini'
import { storeStates } from '#contract/store-state.ts'
import { parameter, searchParser, shared } from '../../platform/search'

/** The filter and the page of the list of stores. */
export const parseStoresSearch = searchParser({
  q: shared.text,
  state: parameter(z.enum(storeStates)),
  cursor: shared.cursor,
})
export type StoresSearch = ReturnType<typeof parseStoresSearch>
