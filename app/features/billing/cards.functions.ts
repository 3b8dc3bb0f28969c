import { useLingui } from '@lingui/react/macro'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type Card, cardPath } from '#contract/billing.ts'
import { createIdempotencyKey } from '#contract/http.ts'
import { type CardId, cardId, idempotencyKey } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { leftToRight } from '~/platform/format/use-format'
import { code, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { register } from './cards-form.server'

/** The member's cards, the default first. */
const getCards = readFn().handler(({ context }) => context.callApi((api) => api.billing.cards()))

/** Begins to register a card, also in place of another. Returns the provider's URL. */
export const registerCard = writeFn()
  .validator(checked(z.object({ idempotencyKey, replaces: z.optional(cardId) })))
  .handler(({ data, context }) => context.callApi((api) => register(api, data)))

/** Reads a card's registration from the provider. Safe to repeat. */
const confirmCard = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) => context.callApi((api) => api.billing.confirmCard(data)))

export const makeCardDefault = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) => context.callApi((api) => api.billing.makeDefault(data)))

export const removeCard = writeFn()
  .validator(checked(cardPath))
  .handler(({ data, context }) =>
    context.callApi(async (api) => {
      await api.billing.removeCard(data)
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

const two = (value: number) => String(value).padStart(2, '0')

/** How a card is called, and until when it works. */
export function useCardLabels() {
  const { t } = useLingui()
  return {
    /** Visa ···· 4242 */
    name: ({ issuer, lastFour }: Pick<Card, 'issuer' | 'lastFour'>) => leftToRight(`${issuer} ···· ${lastFour}`),
    /** The label for screen readers, without the dots. */
    spoken: ({ issuer, lastFour }: Pick<Card, 'issuer' | 'lastFour'>) => t`${issuer} ending in ${lastFour}`,
    /** Null if the provider does not return it. */
    expiry: ({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>) =>
      expiryMonth === null || expiryYear === null ? null : leftToRight(`${two(expiryMonth)}/${two(expiryYear % 100)}`),
  }
}
