import * as z from 'zod/mini'
import { optionId, orderCode, paymentId, productCode } from '#contract/ids.ts'

/** `product` and `option` buy one thing at once, past the cart. `problem`: why a form post was refused, by its code. */
export const checkoutSearch = z.object({
  product: z.catch(z.optional(productCode), undefined),
  option: z.catch(z.optional(optionId), undefined),
  problem: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
})

/** What the payment provider sends the browser back with. */
export const resultSearch = z.object({
  order: z.catch(z.optional(orderCode), undefined),
  payment: z.catch(z.optional(paymentId), undefined),
})
