import * as z from 'zod/mini'
import { type PaymentMethod, paymentMethod } from '#contract/enumerations.ts'
import { cartItemId, idempotencyKey, optionId, productId } from '#contract/ids.ts'
import { currency } from '#contract/money.ts'
import type { orderPlace } from '#contract/orders.ts'
import type { CustomerApi } from '~/platform/api/client'
import { type FormPost, formAction, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

interface Purchase {
  idempotencyKey: string
  method: PaymentMethod
  place: z.input<typeof orderPlace>
}

/**
 * Places the order and begins its payment, once per idempotency key: a double click or Back and
 * again leads to the same payment.
 */
export async function pay(api: CustomerApi, { idempotencyKey, method, place }: Purchase) {
  const order = await api.commerce.placeOrder(place, { context: { idempotencyKey: `${idempotencyKey}-order` } })
  const { payment, redirectUrl } = await api.commerce.startPayment(
    { code: order.code, method, returnUrl: '/payments/result' },
    { context: { idempotencyKey: `${idempotencyKey}-payment` } },
  )
  return { orderCode: order.code, paymentId: payment.id, redirectUrl }
}

/** The fields that the checkout form posts without JavaScript. */
const checkoutForm = z.object({
  idempotencyKey,
  method: paymentMethod,
  consent: z.optional(z.string()),
  refundPolicyVersion: z.string(),
  amount: z.coerce.number().check(z.int(), z.gte(0)),
  currency,
  cartItemIds: z.array(cartItemId),
  productId: z.optional(productId),
  optionId: z.optional(optionId),
})

/**
 * Handles the checkout form without JavaScript: redirects to the provider, or back with the
 * problem.
 */
export const handleCheckoutForm = (request: Request, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async (form) => {
      const { fields, api, parse } = form
      const values = { ...Object.fromEntries(fields), cartItemIds: fields.getAll('cartItemIds') }
      const sent = parse(checkoutForm, values)
      if (!sent.consent) return backToCheckout(form, 'CONSENT_MISSING')
      const items =
        sent.productId && sent.optionId
          ? { buyNow: { productId: sent.productId, optionId: sent.optionId } }
          : { cartItemIds: sent.cartItemIds }
      const { redirectUrl } = await pay(api, {
        idempotencyKey: sent.idempotencyKey,
        method: sent.method,
        place: {
          ...items,
          refundPolicyVersion: sent.refundPolicyVersion,
          expectedTotal: { amount: sent.amount, currency: sent.currency },
        },
      })
      return seeOther(redirectUrl)
    },
    refuse: ({ code }, form) => backToCheckout(form, code),
  })

/** The search of the checkout names the product of a purchase past the cart. */
const backToCheckout = ({ url, back }: FormPost, problem: string) =>
  back({ ...Object.fromEntries(url.searchParams), problem })
