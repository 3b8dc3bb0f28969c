import * as z from 'zod/mini'
import { type PaymentMethod, paymentMethod } from '#contract/enumerations.ts'
import { cartItemId, idempotencyKey, optionId, productId } from '#contract/ids.ts'
import { currency } from '#contract/money.ts'
import type { orderPlace } from '#contract/orders.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

interface Attempt {
  attempt: string
  method: PaymentMethod
  place: z.input<typeof orderPlace>
}

/**
 * Places the order and begins its payment under keys derived from the attempt: sent again (a double click, Back and
 * again), the same order and the same payment are answered, and nothing is charged twice.
 */
export async function pay(api: CustomerApi, { attempt, method, place }: Attempt) {
  const order = await api.commerce.placeOrder(place, { context: { idempotencyKey: `${attempt}-order` } })
  const { payment, redirectUrl } = await api.commerce.startPayment(
    { code: order.code, method, returnUrl: '/payments/result' },
    { context: { idempotencyKey: `${attempt}-payment` } },
  )
  return { orderCode: order.code, paymentId: payment.id, redirectUrl }
}

/** The checkout's form as a browser without script sends it. */
const checkoutForm = z.object({
  attempt: idempotencyKey,
  method: paymentMethod,
  consent: z.optional(z.string()),
  refundPolicyVersion: z.string(),
  amount: z.coerce.number().check(z.int(), z.gte(0)),
  currency,
  cartItemIds: z.array(cartItemId),
  productId: z.optional(productId),
  optionId: z.optional(optionId),
})

/** Answers a real form post: begins to pay and leads to the provider's page, or back to the form with the reason. */
export async function handleCheckoutForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const url = new URL(request.url)
  const back = (problem: string) => {
    url.searchParams.set('problem', problem)
    return seeOther(url.pathname + url.search)
  }
  const fields = await readForm(request)
  if (!fields) return back('BAD_REQUEST')
  const sent = checkoutForm.safeParse({ ...Object.fromEntries(fields), cartItemIds: fields.getAll('cartItemIds') })
  if (!sent.success) return back('BAD_REQUEST')
  const { attempt, method, consent, refundPolicyVersion, amount, cartItemIds } = sent.data
  if (!consent) return back('CONSENT_MISSING')

  const { productId: product, optionId: option } = sent.data
  const chosen = product && option ? { buyNow: { productId: product, optionId: option } } : { cartItemIds }
  const place = { ...chosen, refundPolicyVersion, expectedTotal: { amount, currency: sent.data.currency } }
  try {
    const { redirectUrl } = await pay(requestContext.api, { attempt, method, place })
    return seeOther(redirectUrl)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return back(problem.code)
    throw error
  }
}

/** Reloading the next page sends nothing twice. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })
