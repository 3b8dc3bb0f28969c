import { optionId, orderCode, paymentId, productCode } from '#contract/ids.ts'
import { code, searchSchema } from '~/platform/navigation/search-schema'

/** `product` and `option` buy one thing at once, past the cart. `problem`: why a form post was refused, by its code. */
export const checkoutSearch = searchSchema({ product: productCode, option: optionId, problem: code })

/** What the payment provider sends the browser back with. */
export const resultSearch = searchSchema({ order: orderCode, payment: paymentId })
