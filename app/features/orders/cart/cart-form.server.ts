import * as z from 'zod/mini'
import { cartItemId, optionId, productId } from '#contract/ids.ts'
import { formAction } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

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
