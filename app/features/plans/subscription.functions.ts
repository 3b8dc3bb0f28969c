import * as z from 'zod/mini'
import { sortOption } from '#contract/enumerations.ts'
import { idempotencyKey, planId, quoteId } from '#contract/ids.ts'
import { page, pagingQuery, size } from '#contract/paging.ts'
import { subscriptionCancel } from '#contract/plans.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { changePlan, retryCharge } from './subscribe.server'

/** What the member has, and what will be charged when. */
export const getSubscription = readFn().handler(({ context }) => context.ask((api) => api.plans.subscription()))

/** What the member's plans cover now. */
export const getSubscriptionProducts = readFn()
  .validator(checked(z.object({ sort: z.optional(sortOption), page, size })))
  .handler(({ data, context }) => context.ask((api) => api.plans.subscriptionProducts(data)))

/** What happened to the member's subscriptions, latest first. */
export const getSubscriptionHistory = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.ask((api) => api.plans.subscriptionHistory(data)))

export const setPlan = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, planId, quoteId: z.optional(quoteId) })))
  .handler(({ data, context }) => context.ask((api) => changePlan(api, data)))

export const cancelSubscription = writeFn()
  .validator(checked(subscriptionCancel))
  .handler(({ data, context }) => context.ask((api) => api.plans.cancelSubscription(data)))

export const resumeSubscription = writeFn().handler(({ context }) =>
  context.ask((api) => api.plans.resumeSubscription()),
)

/** Tries an overdue renewal again now, once per attempt. */
export const retryRenewal = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey })))
  .handler(({ data, context }) => context.ask((api) => retryCharge(api, data.attempt)))
