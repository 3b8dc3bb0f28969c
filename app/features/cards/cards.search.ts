import * as z from 'zod/mini'
import { cardId } from '#contract/ids.ts'

/**
 * `card`: one that comes back from the provider's page. `remove`: one about to be removed, if the member says so. `problem`: why a form
 * post was refused, by its code. `done`: what a form post has done.
 */
export const cardsSearch = z.object({
  card: z.catch(z.optional(cardId), undefined),
  remove: z.catch(z.optional(cardId), undefined),
  problem: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
  done: z.catch(z.optional(z.enum(['default', 'removed'])), undefined),
})
export type CardsSearch = z.output<typeof cardsSearch>
