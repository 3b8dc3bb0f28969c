import * as z from 'zod/mini'
import { planCycle, sortOption } from '#contract/enumerations.ts'
import { planId, subscriptionId } from '#contract/ids.ts'
import { code, firstPage, pageNumber, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/** `cycle`: which billing period is compared, where the store has both. */
export const plansSearch = searchSchema({ cycle: planCycle })

export const planProductsSearch = searchSchema({ page: pageNumber }, firstPage)

/** `plan` restricts the list to one plan's products. */
export const allPlanProductsSearch = searchSchema({ plan: planId, page: pageNumber }, firstPage)
export type AllPlanProductsSearch = SearchOf<typeof allPlanProductsSearch>

export const planChoiceSearch = searchSchema({ plan: planId })

/** `problem`: why a form post was refused, by its code. */
export const planPaymentSearch = searchSchema({ problem: code })

/** The parameters of the address that the payment provider returns to. */
export const planResultSearch = searchSchema({ subscription: subscriptionId })

/** `sort` is missing for the store's own order. */
export const subscriptionProductsSearch = searchSchema({ sort: sortOption, page: pageNumber }, firstPage)
export type SubscriptionProductsSearch = SearchOf<typeof subscriptionProductsSearch>

/** `step`: the panel that is open. `done`: the result of a form post. */
export const subscriptionSearch = searchSchema({
  step: z.enum(['cancel', 'change']),
  plan: planId,
  problem: code,
  done: z.enum(['cancelled', 'ended', 'resumed', 'upgraded', 'downgrade', 'unchanged', 'unpaused', 'recovered']),
})
export type SubscriptionSearch = SearchOf<typeof subscriptionSearch>

export const historiesSearch = searchSchema({ page: pageNumber }, firstPage)
export type HistoriesSearch = SearchOf<typeof historiesSearch>
