import * as z from 'zod/mini'
import { cardId } from '#contract/ids.ts'
import { code, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/**
 * `card`: returned by the provider's page. `remove`: the card to confirm the removal of. `problem`:
 * the code of a refused form post. `done`: the result of a form post.
 */
export const cardsSearch = searchSchema({
  card: cardId,
  remove: cardId,
  problem: code,
  done: z.enum(['default', 'removed']),
})
export type CardsSearch = SearchOf<typeof cardsSearch>
