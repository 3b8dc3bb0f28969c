import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Why a form post to the cart was refused, in words. */
const words: Readonly<Record<string, MessageDescriptor>> = {
  ALREADY_OWNED: msg`You already own this title, so you don’t need to buy it again.`,
  CART_CHANGED: msg`Your cart was updated elsewhere. This is the latest version.`,
  NOT_FOUND: msg`This title is no longer available.`,
  NOT_READY: msg`This title isn’t available yet.`,
  GONE: msg`This title is no longer available.`,
}

export const cartProblem = (code: string): MessageDescriptor => words[code] ?? msg`We couldn’t update your cart.`
