import * as z from 'zod/mini'
import { cardId, idempotencyKey, planId, subscriptionId } from '#contract/ids.ts'
import { money } from '#contract/money.ts'
import { size } from '#contract/paging.ts'
import { planProductsQuery, quoteBody } from '#contract/plans.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { planByKey } from './plan-key.server'
import { subscribe } from './subscribe.server'

/** A plan by its id or, as banners name it, by its code. */
const key = z.string().check(z.minLength(1), z.maxLength(80))

export const getPlans = readFn().handler(({ context }) => context.ask((api) => api.plans.plans()))

export const getPlan = readFn()
  .validator(checked(z.object({ key })))
  .handler(({ data, context }) => context.ask((api) => planByKey(api, data.key)))

/** One page of what a plan covers, with the plan. */
export const getPlanProducts = readFn()
  .validator(checked(z.extend(planProductsQuery, { key })))
  .handler(({ data: { key: asked, ...paging }, context }) =>
    context.ask(async (api) => {
      const plan = await planByKey(api, asked)
      return { plan, products: await api.plans.planProducts({ id: plan.id, ...paging }) }
    }),
  )

/** Every plan on sale with the first of what it covers. */
export const getPlanShelves = readFn()
  .validator(checked(z.object({ size })))
  .handler(({ data, context }) =>
    context.ask(async (api) => {
      const { items } = await api.plans.plans()
      const shelves = items.map(async (plan) => ({
        plan,
        products: await api.plans.planProducts({ id: plan.id, page: 1, size: data.size }),
      }))
      return { items: await Promise.all(shelves) }
    }),
  )

/** Begins a subscription, once per attempt. Answers where the browser goes. */
export const beginSubscription = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, planId, cardId: z.optional(cardId), price: money })))
  .handler(({ data, context }) => context.ask((api) => subscribe(api, data)))

/** Asks how a subscription begun stands. Safe to repeat. */
export const confirmSubscription = writeFn()
  .validator(checked(z.object({ id: subscriptionId })))
  .handler(({ data, context }) => context.ask((api) => api.plans.confirmSubscription(data)))

/** What a change of plan would cost now. */
export const getQuote = writeFn()
  .validator(checked(quoteBody))
  .handler(({ data, context }) => context.ask((api) => api.plans.quote(data)))
