import * as z from 'zod/mini'
import { cardPath } from '#contract/cards.ts'
import { cardId, idempotencyKey } from '#contract/ids.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { register } from './register.server'

/** The member's cards, the default first. */
export const getCards = readFn().handler(({ context }) => context.ask((api) => api.cards.cards()))

/** Begins to register a card, in place of another or beside it. Answers where the browser goes. */
export const registerCard = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, replaces: z.optional(cardId) })))
  .handler(({ data, context }) => context.ask((api) => register(api, data)))

/** Asks whether a card is registered. Safe to repeat. */
export const confirmCard = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) => context.ask((api) => api.cards.confirmCard(data)))

export const makeCardDefault = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) => context.ask((api) => api.cards.makeDefault(data)))

export const removeCard = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) =>
    context.ask(async (api) => {
      await api.cards.removeCard(data)
      return null
    }),
  )
