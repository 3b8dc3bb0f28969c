import * as z from 'zod/mini'
import { cardId } from '#contract/ids.ts'
import { code, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/**
 * `card`: one that comes back from the provider's page. `remove`: one about to be removed, if the member says so. `problem`: why a form
 * post was refused, by its code. `done`: what a form post has done.
 */
export const cardsSearch = searchSchema({
  card: cardId,
  remove: cardId,
  problem: code,
  done: z.enum(['default', 'removed']),
})
export type CardsSearch = SearchOf<typeof cardsSearch>
