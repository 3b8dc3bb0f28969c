import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { cardPath } from '#contract/cards.ts'
import { type CardId, cardId, idempotencyKey } from '#contract/ids.ts'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { register } from './cards-form.server'

/** The member's cards, the default first. */
const getCards = readFn().handler(({ context }) => context.ask((api) => api.cards.cards()))

/** Begins to register a card, also in place of another. Returns the provider's URL. */
export const registerCard = writeFn()
  .validator(checked(z.object({ idempotencyKey, replaces: z.optional(cardId) })))
  .handler(({ data, context }) => context.ask((api) => register(api, data)))

/** Reads a card's registration from the provider. Safe to repeat. */
const confirmCard = writeFn()
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

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: ({ signal }) => call((s) => getCards({ signal: s }), { signal }),
})

/** Milliseconds before each poll. After the last one the page polls no longer. */
const backOff = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** A card after the provider's page. Polls until the provider has registered or refused it. */
export const returnedCardQuery = (id: CardId) =>
  queryOptions({
    queryKey: ['returned-card', id],
    queryFn: ({ signal }) =>
      call((s) => confirmCard({ data: { id }, signal: s }), { signal, expected: [404, 409, 502] }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.status === 'WAITING' ? (backOff[state.dataUpdateCount - 1] ?? false) : false,
  })

/** Confirms a returned card, then loads all cards. Returns the key of the next registration. */
export async function loadCards(queryClient: QueryClient, returned: CardId | undefined) {
  if (returned) {
    await queryClient.fetchQuery(returnedCardQuery(returned)).catch((error: unknown) => {
      if (!problemOf(error)) throw error
    })
  }
  await queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 })
  return { idempotencyKey: createIdempotencyKey() }
}
