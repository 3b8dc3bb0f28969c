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
    summary: 'List plans',
    description: 'Returns the plans on sale and the member’s current plan.',
  }).output(z.object({ items: z.array(plan) })),
  plan: procedure('guest', 'GET', '/plans/{id}', { tag, summary: 'Retrieve a plan' }).input(planPath).output(plan),
  planProducts: procedure('guest', 'GET', '/plans/{id}/products', { tag, summary: 'List the products of a plan' })
    .input(z.extend(planProductsQuery, { id: planPath.shape.id }))
    .output(cards),
  subscriptionProducts: procedure('member', 'GET', '/subscription-products', {
    tag,
    summary: 'List the products of the member’s plans',
  })
    .input(z.object({ sort: z.optional(sortOption), page, size }))
    .output(cards),

  subscription: procedure('member', 'GET', '/subscription', {
    tag,
    summary: 'Retrieve the subscription',
    description: 'Returns the member’s subscription, its scheduled changes and the next charge.',
  }).output(subscriptionAnswer),
  subscribe: procedure('member', 'POST', '/plans/{id}/subscriptions', {
    tag,
    summary: 'Create a subscription',
    description: 'Returns the URL to which the browser must be redirected.',
    status: 201,
    idempotent: true,
  })
    .input(z.extend(subscribeBody, { id: planPath.shape.id }))
    .output(subscribeAnswer),
  confirmSubscription: procedure('member', 'POST', '/subscriptions/{id}/confirm', {
    tag,
    summary: 'Confirm the first charge of a subscription',
    description: 'Requests the result from the provider. It can be repeated: the member is charged once.',
  })
    .input(z.object({ id: subscriptionId }))
    .output(subscribeConfirmed),
  quote: procedure('member', 'POST', '/subscription/quote', {
    tag,
    summary: 'Create a quote for a plan change',
    description: 'The quoted price of an upgrade is valid for 15 minutes.',
  })
    .input(quoteBody)
    .output(quote),
  changePlan: procedure('member', 'POST', '/subscription/change', {
    tag,
    summary: 'Change the plan',
    description:
      'An upgrade takes effect at once and charges the quoted price. A downgrade takes effect at the next renewal. Choosing the current plan cancels a scheduled downgrade.',
    idempotent: true,
  })
    .input(planChange)
    .output(subscriptionAnswer),
  cancelSubscription: procedure('member', 'POST', '/subscription/cancel', {
    tag,
    summary: 'Cancel the subscription',
    description: 'The subscription ends at the end of the paid period.',
  })
    .input(subscriptionCancel)
    .output(subscriptionAnswer),
  resumeSubscription: procedure('member', 'POST', '/subscription/resume', {
    tag,
    summary: 'Resume the subscription',
    description: 'Revokes a cancellation that has not taken effect.',
  }).output(subscriptionAnswer),
  endPause: procedure('member', 'POST', '/subscription/pause/end', {
    tag,
    summary: 'End the pause of the subscription',
    description:
      'Where the paid period is over, the next one begins now and the default card is charged. If that is declined, the renewal is overdue.',
    idempotent: true,
  }).output(subscriptionAnswer),
  retryCharge: procedure('member', 'POST', '/subscription/retry', {
    tag,
    summary: 'Retry an overdue renewal',
    description: 'Charges the current default card now.',
    idempotent: true,
  }).output(subscriptionAnswer),
  subscriptionHistory: procedure('member', 'GET', '/subscription/histories', {
    tag,
    summary: 'List subscription events',
    description: 'Returns the latest events of the member’s subscriptions first.',
  })
    .input(pagingQuery)
    .output(subscriptionHistory),
}
