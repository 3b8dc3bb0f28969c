import * as z from 'zod/mini'
import { productCard } from '../catalog.ts'
import { sortOption } from '../enumerations.ts'
import { subscriptionId } from '../ids.ts'
import { page, pageOf, pagingQuery, size } from '../paging.ts'
import {
  plan,
  planChange,
  planPath,
  planProductsQuery,
  quote,
  quoteBody,
  subscribeAnswer,
  subscribeBody,
  subscribeConfirmed,
  subscriptionAnswer,
  subscriptionCancel,
  subscriptionHistory,
} from '../subscriptions.ts'
import { procedure } from './procedure.ts'

const tag = 'Subscriptions'
const cards = pageOf(productCard)

export const subscriptionProcedures = {
  plans: procedure('guest', 'GET', '/plans', {
    tag,
    summary: 'Plans on sale, and the one the member has',
  }).output(z.object({ items: z.array(plan) })),
  plan: procedure('guest', 'GET', '/plans/{id}', { tag, summary: 'One plan' }).input(planPath).output(plan),
  planProducts: procedure('guest', 'GET', '/plans/{id}/products', { tag, summary: 'What a plan covers' })
    .input(z.extend(planProductsQuery, { id: planPath.shape.id }))
    .output(cards),
  subscriptionProducts: procedure('member', 'GET', '/subscription-products', {
    tag,
    summary: "What the member's plans cover now",
  })
    .input(z.object({ sort: z.optional(sortOption), page, size }))
    .output(cards),

  subscription: procedure('member', 'GET', '/subscription', {
    tag,
    summary: 'What the member has, and what will be charged when',
  }).output(subscriptionAnswer),
  subscribe: procedure('member', 'POST', '/plans/{id}/subscriptions', {
    tag,
    summary: 'Begin a subscription: answers where the browser goes',
    status: 201,
    idempotent: true,
  })
    .input(z.extend(subscribeBody, { id: planPath.shape.id }))
    .output(subscribeAnswer),
  confirmSubscription: procedure('member', 'POST', '/subscriptions/{id}/confirm', {
    tag,
    summary: 'Ask the provider how the first charge stands',
    description: 'Safe to repeat: one charge happens.',
  })
    .input(z.object({ id: subscriptionId }))
    .output(subscribeConfirmed),
  quote: procedure('member', 'POST', '/subscription/quote', {
    tag,
    summary: 'What a change of plan would cost now; the price of an upgrade holds for 15 minutes',
  })
    .input(quoteBody)
    .output(quote),
  changePlan: procedure('member', 'POST', '/subscription/change', {
    tag,
    summary: 'Change the plan: up at once for the quoted price, down at the renewal',
    description: 'The plan one has takes a downgrade back.',
    idempotent: true,
  })
    .input(planChange)
    .output(subscriptionAnswer),
  cancelSubscription: procedure('member', 'POST', '/subscription/cancel', {
    tag,
    summary: "Stop at the period's end",
  })
    .input(subscriptionCancel)
    .output(subscriptionAnswer),
  resumeSubscription: procedure('member', 'POST', '/subscription/resume', {
    tag,
    summary: 'Take the cancelling back before it happens',
  }).output(subscriptionAnswer),
  retryCharge: procedure('member', 'POST', '/subscription/retry', {
    tag,
    summary: 'Try an overdue renewal again now, with the card of today',
    idempotent: true,
  }).output(subscriptionAnswer),
  subscriptionHistory: procedure('member', 'GET', '/subscription/histories', {
    tag,
    summary: 'What happened to the member’s subscriptions, latest first',
  })
    .input(pagingQuery)
    .output(subscriptionHistory),
}
