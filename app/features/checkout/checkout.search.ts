import { optionId, orderCode, paymentId, productCode } from '#contract/ids.ts'
import { code, searchSchema } from '~/platform/navigation/search-schema'

/**
 * `product` and `option` buy one item directly, without the cart. `problem`: the code of a refused
 * form post.
 */
export const checkoutSearch = searchSchema({ product: productCode, option: optionId, problem: code })

/** The parameters of the payment provider's redirect. */
export const resultSearch = searchSchema({ order: orderCode, payment: paymentId })
