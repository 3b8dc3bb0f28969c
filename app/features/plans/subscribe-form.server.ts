import * as z from 'zod/mini'
import { cardId, idempotencyKey, planId } from '#contract/ids.ts'
import { currency } from '#contract/money.ts'
import { problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { subscribe } from './subscribe.server'

/** The form of a plan's payment page as a browser without script sends it. */
const subscribeForm = z.object({
  attempt: idempotencyKey,
  planId,
  card: z.union([cardId, z.literal('new')]),
  consent: z.optional(z.string()),
  amount: z.coerce.number().check(z.int(), z.gte(0)),
  currency,
})

/** Answers a real form post: begins the subscription and leads to the provider's page, or back to the form with the reason. */
export async function handleSubscribeForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const url = new URL(request.url)
  const back = (problem: string) => seeOther(`${url.pathname}?problem=${problem}`)
  const sent = subscribeForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return back('BAD_REQUEST')
  const { attempt, planId: plan, card, consent, amount } = sent.data
  if (!consent) return back('CONSENT_MISSING')
  try {
    const { redirectUrl } = await subscribe(requestContext.api, {
      attempt,
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

/** Reloading the next page sends nothing twice. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })
