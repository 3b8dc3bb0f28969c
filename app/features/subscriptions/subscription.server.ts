import * as z from 'zod/mini'
import { type CardId, cardId, idempotencyKey, type PlanId, planId, type QuoteId, quoteId } from '#contract/ids.ts'
import { currency, type Money } from '#contract/money.ts'
import { subscriptionCancel } from '#contract/subscriptions.ts'
import type { CustomerApi } from '~/platform/api/client'
import { formAction, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { type ChangeOutcome, outcomeOfCancellation, outcomeOfChange } from './subscription-labels'

interface SubscribeInput {
  idempotencyKey: string
  planId: PlanId
  /** A registered card. Without one, the payment provider asks for it. */
  cardId?: CardId | undefined
  /** The price that the member saw. */
  price: Money
  /** The trial that the member saw, in days; 0 without one. Older pages do not send it. */
  trialDays?: number | undefined
}

/**
 * Begins a subscription, once per idempotency key.
 * @returns where to send the browser
 */
export const subscribe = (api: CustomerApi, { idempotencyKey, planId, cardId, price, trialDays }: SubscribeInput) =>
  api.subscriptions.subscribe(
    {
      id: planId,
      returnUrl: `/plans/${planId}/payment-result`,
      expectedPrice: price,
      ...(trialDays !== undefined && { expectedTrialDays: trialDays }),
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
  api.subscriptions.changePlan(
    { planId, ...(quoteId && { quoteId }) },
    { context: { idempotencyKey: `${idempotencyKey}-change-${quoteId ?? planId}` } },
  )

/** Retries an overdue renewal now. */
export const retryCharge = (api: CustomerApi, idempotencyKey: string) =>
  api.subscriptions.retryCharge(undefined, { context: { idempotencyKey: `${idempotencyKey}-retry` } })

/** Ends the pause now. */
export const endPause = (api: CustomerApi, idempotencyKey: string) =>
  api.subscriptions.endPause(undefined, { context: { idempotencyKey: `${idempotencyKey}-unpause` } })

/** The fields that a plan's payment page posts without JavaScript. */
const subscribeForm = z.object({
  idempotencyKey,
  planId,
  card: z.union([cardId, z.literal('new')]),
  consent: z.optional(z.string()),
  amount: z.coerce.number().check(z.int(), z.gte(0)),
  currency,
  trialDays: z.optional(z.coerce.number().check(z.int(), z.gte(0))),
})

/**
 * Handles the form of a plan's payment page without JavaScript: begins the subscription and
 * redirects to the payment provider, or back to the form with the problem.
 */
export const handleSubscribeForm = (request: Request, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async ({ api, parse, back }) => {
      const { idempotencyKey, planId, card, consent, amount, currency, trialDays } = parse(subscribeForm)
      if (!consent) return back({ problem: 'CONSENT_MISSING' })
      const { redirectUrl } = await subscribe(api, {
        idempotencyKey,
        planId,
        cardId: card === 'new' ? undefined : card,
        price: { amount, currency },
        trialDays,
      })
      return seeOther(redirectUrl)
    },
  })

/** The fields that the subscription page's forms post without JavaScript. */
const subscriptionForm = z.discriminatedUnion('intent', [
  z.extend(subscriptionCancel, { intent: z.literal('cancel') }),
  z.object({ intent: z.literal('resume') }),
  z.object({ intent: z.literal('unpause'), idempotencyKey }),
  z.object({ intent: z.literal('retry'), idempotencyKey }),
  z.object({
    intent: z.literal('change'),
    idempotencyKey,
    planId,
    quoteId: z.optional(quoteId),
    /** Set where the member must agree to a higher regular price first. */
    needsConsent: z.optional(z.string()),
    consent: z.optional(z.string()),
  }),
])
type SubscriptionForm = z.output<typeof subscriptionForm>

/** The search of the step in which an upgrade is confirmed. */
const confirmStep = (form: FormData): Record<string, string> =>
  form.get('intent') === 'change' && form.get('quoteId') ? { step: 'change', plan: String(form.get('planId')) } : {}

/** Handles a form of the subscription page without JavaScript, then redirects to that page. */
export const handleSubscriptionForm = (request: Request, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async ({ api, fields, parse, back }) => {
      const form = parse(subscriptionForm)
      if (form.intent === 'change' && form.needsConsent && !form.consent)
        return back({ problem: 'CONSENT_MISSING', ...confirmStep(fields) })
      const done = await execute(form, api)
      return back(done ? { done } : { problem: 'CARD_REFUSED' })
    },
    refuse: ({ code }, { fields, back }) => back({ problem: code, ...(code !== 'BAD_REQUEST' && confirmStep(fields)) }),
  })

/** Returns what was done, undefined if the card was declined again. */
async function execute(form: SubscriptionForm, api: CustomerApi): Promise<ChangeOutcome | undefined> {
  switch (form.intent) {
    case 'cancel':
      return outcomeOfCancellation(
        await api.subscriptions.cancelSubscription(form.reason ? { reason: form.reason } : {}),
      )
    case 'resume':
      await api.subscriptions.resumeSubscription()
      return 'resumed'
    case 'unpause':
      return (await endPause(api, form.idempotencyKey)).regular?.overdue ? undefined : 'unpaused'
    case 'retry':
      return (await retryCharge(api, form.idempotencyKey)).regular?.overdue ? undefined : 'recovered'
    case 'change':
      return outcomeOfChange(await changePlan(api, form), form.quoteId !== undefined)
    default:
      return form satisfies never
  }
}
