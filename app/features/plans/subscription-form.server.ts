import * as z from 'zod/mini'
import { idempotencyKey, planId, quoteId } from '#contract/ids.ts'
import { subscriptionCancel } from '#contract/plans.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { changePlan, retryCharge } from './subscribe.server'
import { type Done, doneByChange } from './subscription-done'

/** What the forms of the subscription's page send where no script runs. */
const subscriptionForm = z.discriminatedUnion('intent', [
  z.extend(subscriptionCancel, { intent: z.literal('cancel') }),
  z.object({ intent: z.literal('resume') }),
  z.object({ intent: z.literal('retry'), attempt: idempotencyKey }),
  z.object({
    intent: z.literal('change'),
    attempt: idempotencyKey,
    planId,
    quoteId: z.optional(quoteId),
    /** A rise of the regular price is agreed to beforehand. */
    asksConsent: z.optional(z.string()),
    consent: z.optional(z.string()),
  }),
])
type SubscriptionForm = z.output<typeof subscriptionForm>

/** Answers a real form post of the subscription's page: does it, then shows the subscription as it stands. */
export async function handleSubscriptionForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const sent = subscriptionForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return back({ problem: 'BAD_REQUEST' })
  const form = sent.data
  const stay = form.intent === 'change' && form.quoteId ? { step: 'change', plan: form.planId } : {}
  if (form.intent === 'change' && form.asksConsent && !form.consent)
    return back({ problem: 'CONSENT_MISSING', ...stay })
  try {
    const done = await carryOut(form, requestContext.api)
    return back(done ? { done } : { problem: 'CARD_REFUSED' })
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return back({ problem: problem.code, ...stay })
    throw error
  }
}

/** What was done; undefined where the card was refused again. */
async function carryOut(form: SubscriptionForm, api: CustomerApi): Promise<Done | undefined> {
  switch (form.intent) {
    case 'cancel':
      await api.plans.cancelSubscription(form.reason ? { reason: form.reason } : {})
      return 'cancelled'
    case 'resume':
      await api.plans.resumeSubscription()
      return 'resumed'
    case 'retry':
      return (await retryCharge(api, form.attempt)).regular?.overdue ? undefined : 'recovered'
    case 'change':
      return doneByChange(await changePlan(api, form), form.quoteId !== undefined)
    default:
      return form satisfies never
  }
}

/** See Other: reloading the next page sends nothing twice. */
function back(words: Record<string, string>): Response {
  const location = `/mypages/subscription?${new URLSearchParams(words)}`
  return new Response(null, { status: 303, headers: { location } })
}
