import * as z from 'zod/mini'
import { type CardId, cardId, idempotencyKey, type PlanId, planId, type QuoteId, quoteId } from '#contract/ids.ts'
import { currency, type Money } from '#contract/money.ts'
import { subscriptionCancel } from '#contract/plans.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { type Done, doneByChange } from './subscription-labels'

interface SubscribeInput {
  idempotencyKey: string
  planId: PlanId
  /** A registered card. Without one, the payment provider asks for it. */
  cardId?: CardId | undefined
  /** The price that the member saw. */
  price: Money
}

/**
 * Begins a subscription, once per idempotency key.
 * @returns where to send the browser
 */
export const subscribe = (api: CustomerApi, { idempotencyKey, planId, cardId, price }: SubscribeInput) =>
  api.plans.subscribe(
    {
      id: planId,
      returnUrl: `/plans/${planId}/payment-result`,
      expectedPrice: price,
      agreeRecurring: true,
      ...(cardId && { cardId }),
    },
    { context: { idempotencyKey: `${idempotencyKey}-subscription` } },
  )

interface Change {
  idempotencyKey: string
  planId: PlanId
  quoteId?: QuoteId | undefined
}

/**
 * Changes the plan, once per idempotency key: an upgrade at the quoted price now, a downgrade at
 * renewal.
 */
export const changePlan = (api: CustomerApi, { idempotencyKey, planId, quoteId }: Change) =>
  api.plans.changePlan(
    { planId, ...(quoteId && { quoteId }) },
    { context: { idempotencyKey: `${idempotencyKey}-change-${quoteId ?? planId}` } },
  )

/** Retries an overdue renewal now. */
export const retryCharge = (api: CustomerApi, idempotencyKey: string) =>
  api.plans.retryCharge(undefined, { context: { idempotencyKey: `${idempotencyKey}-retry` } })

/** The fields that a plan's payment page posts without JavaScript. */
const subscribeForm = z.object({
  idempotencyKey,
  planId,
  card: z.union([cardId, z.literal('new')]),
  consent: z.optional(z.string()),
  amount: z.coerce.number().check(z.int(), z.gte(0)),
  currency,
})

/**
 * Handles the form post of a plan's payment page: begins the subscription and redirects to the
 * payment provider, or back to the form with the problem.
 */
export async function handleSubscribeForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const url = new URL(request.url)
  const back = (problem: string) => seeOther(`${url.pathname}?problem=${problem}`)
  const sent = subscribeForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return back('BAD_REQUEST')
  const { idempotencyKey, planId: plan, card, consent, amount } = sent.data
  if (!consent) return back('CONSENT_MISSING')
  try {
    const { redirectUrl } = await subscribe(requestContext.api, {
      idempotencyKey,
      planId: plan,
      cardId: card === 'new' ? undefined : card,
      price: { amount, currency: sent.data.currency },
    })
    return seeOther(redirectUrl)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return back(problem.code)
    throw error
  }
}

/** 303, so that reloading the next page does not send the form again. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })

/** The fields that the subscription page's forms post without JavaScript. */
const subscriptionForm = z.discriminatedUnion('intent', [
  z.extend(subscriptionCancel, { intent: z.literal('cancel') }),
  z.object({ intent: z.literal('resume') }),
  z.object({ intent: z.literal('retry'), idempotencyKey }),
  z.object({
    intent: z.literal('change'),
    idempotencyKey,
    planId,
    quoteId: z.optional(quoteId),
    /** Set where the member must agree to a higher regular price first. */
    asksConsent: z.optional(z.string()),
    consent: z.optional(z.string()),
  }),
])
type SubscriptionForm = z.output<typeof subscriptionForm>

/** Handles a form post of the subscription page, then redirects to the page with the result. */
export async function handleSubscriptionForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const sent = subscriptionForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return back({ problem: 'BAD_REQUEST' })
  const form = sent.data
  const stay = form.intent === 'change' && form.quoteId ? { step: 'change', plan: form.planId } : {}
  if (form.intent === 'change' && form.asksConsent && !form.consent)
    return back({ problem: 'CONSENT_MISSING', ...stay })
  try {
    const done = await execute(form, requestContext.api)
    return back(done ? { done } : { problem: 'CARD_REFUSED' })
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return back({ problem: problem.code, ...stay })
    throw error
  }
}

/** Returns what was done, undefined where the card was declined again. */
async function execute(form: SubscriptionForm, api: CustomerApi): Promise<Done | undefined> {
  switch (form.intent) {
    case 'cancel':
      await api.plans.cancelSubscription(form.reason ? { reason: form.reason } : {})
      return 'cancelled'
    case 'resume':
      await api.plans.resumeSubscription()
      return 'resumed'
    case 'retry':
      return (await retryCharge(api, form.idempotencyKey)).regular?.overdue ? undefined : 'recovered'
    case 'change':
      return doneByChange(await changePlan(api, form), form.quoteId !== undefined)
    default:
      return form satisfies never
  }
}

/** 303, so that reloading the page does not send the form again. */
function back(params: Record<string, string>): Response {
  const location = `/mypages/subscription?${new URLSearchParams(params)}`
  return new Response(null, { status: 303, headers: { location } })
}
