import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { cartItemId, idempotencyKey, optionId, productId } from '#contract/ids.ts'
import { currency } from '#contract/money.ts'
import { type FormPost, formAction, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { pay } from './checkout.functions'

/** The fields that the cart's forms post without JavaScript. */
const cartForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), productId, optionId }),
  z.object({ intent: z.literal('remove'), id: cartItemId }),
])

/** Handles a form of the cart without JavaScript, then redirects to the cart. */
export const handleCartForm = (request: Request, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async ({ api, parse, back }) => {
      const form = parse(cartForm)
      if (form.intent === 'add') await api.orders.addToCart(form)
      else await api.orders.removeCartItem({ id: form.id })
      return back()
    },
  })

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
