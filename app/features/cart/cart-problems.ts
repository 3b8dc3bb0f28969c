import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Why a form post to the cart was refused, in words. */
const words: Readonly<Record<string, MessageDescriptor>> = {
  ALREADY_OWNED: msg`You own this already. There is no need to buy it again.`,
  CART_CHANGED: msg`Your cart was changed elsewhere. This is how it stands now.`,
  NOT_FOUND: msg`This is no longer for sale.`,
  GONE: msg`This is no longer for sale.`,
}

export const cartProblem = (code: string): MessageDescriptor => words[code] ?? msg`The cart could not be changed.`
