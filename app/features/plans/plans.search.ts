import * as z from 'zod/mini'
import { planCycle, sortOption } from '#contract/enumerations.ts'
import { planId, subscriptionId } from '#contract/ids.ts'

const page = z.catch(z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000)), 1), 1)
const plan = z.catch(z.optional(planId), undefined)
/** Why a form post was refused, by its code. */
const problem = z.catch(z.optional(z.string().check(z.maxLength(40))), undefined)

/** What an address need not say. */
export const firstPage = { page: 1 } as const

/** `cycle`: whether plans by the month or by the year are compared, where there are both. */
export const plansSearch = z.object({ cycle: z.catch(z.optional(planCycle), undefined) })

export const planProductsSearch = z.object({ page })

/** `plan` narrows to what one plan covers. */
export const allPlanProductsSearch = z.object({ plan, page })
export type AllPlanProductsSearch = z.output<typeof allPlanProductsSearch>

export const planChoiceSearch = z.object({ plan })
export const planPaymentSearch = z.object({ problem })

/** What the provider sends the browser back with. */
export const planResultSearch = z.object({ subscription: z.catch(z.optional(subscriptionId), undefined) })

/** `sort` is missing for the store's own order. */
export const subscriptionProductsSearch = z.object({ sort: z.catch(z.optional(sortOption), undefined), page })
export type SubscriptionProductsSearch = z.output<typeof subscriptionProductsSearch>

/** `step`: what is about to be done, if the member says so. `done`: what a form post has done. */
export const subscriptionSearch = z.object({
  step: z.catch(z.optional(z.enum(['cancel', 'change'])), undefined),
  plan,
  problem,
  done: z.catch(z.optional(z.enum(['cancelled', 'resumed', 'upgraded', 'downgrade', 'kept', 'recovered'])), undefined),
})
export type SubscriptionSearch = z.output<typeof subscriptionSearch>

export const historiesSearch = z.object({ page })
export type HistoriesSearch = z.output<typeof historiesSearch>
