import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { cartQuery } from '~/features/cart/cart.functions'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { payOrder } from './checkout.functions'
import type { CheckoutLine } from './checkout-lines'

interface CheckoutProblem {
  message: MessageDescriptor
  /** What was shown is no longer true: load it again, and make another attempt of the next press. */
  startsAnew: boolean
}

const pricesChanged: CheckoutProblem = {
  message: msg`A price changed while you were checking out. You haven’t been charged. Review the new total before you pay.`,
  startsAnew: true,
}
const cartChanged: CheckoutProblem = {
  message: msg`Your cart was updated elsewhere. You haven’t been charged. This is the latest version.`,
  startsAnew: true,
}
const unreachable: CheckoutProblem = {
  message: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

/** Why paying did not begin, by the code of the refusal. */
const problems: Readonly<Record<string, CheckoutProblem>> = {
  PRICE_CHANGED: pricesChanged,
  CART_CHANGED: cartChanged,
  NOT_FOUND: cartChanged,
  IDEMPOTENCY_KEY_REUSED: cartChanged,
  ALREADY_OWNED: {
    message: msg`You already own one of these titles, so it was removed. You haven’t been charged.`,
    startsAnew: true,
  },
  GONE: {
    message: msg`A title is no longer available and was removed. You haven’t been charged.`,
    startsAnew: true,
  },
  NOT_READY: {
    message: msg`One of these titles isn’t available yet, so it was left out. You haven’t been charged.`,
    startsAnew: true,
  },
  ORDER_NOT_PAYABLE: {
    message: msg`This order is already closed. Check your orders, or select the button to place a new one.`,
    startsAnew: true,
  },
  BUYER_DETAILS_MISSING: {
    message: msg`Our payment provider needs your name and phone number. Add them to your profile, then try again.`,
    startsAnew: false,
  },
  DEPOSIT_OPEN: {
    message: msg`Another order for this title is awaiting your transfer. Pay for or cancel that order first.`,
    startsAnew: true,
  },
  IDEMPOTENCY_IN_FLIGHT: {
    message: msg`Your payment is already being processed. Wait a moment.`,
    startsAnew: false,
  },
  PAYMENT_DISABLED: { message: msg`This store isn’t accepting payments right now.`, startsAnew: false },
  VALIDATION_FAILED: {
    message: msg`The terms have changed. Review them before you pay.`,
    startsAnew: true,
  },
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
  CONSENT_MISSING: { message: msg`Agree to the terms to continue.`, startsAnew: false },
}

const otherwise: CheckoutProblem = {
  message: msg`We couldn’t start the payment. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

export const checkoutProblem = (code: string): CheckoutProblem => problems[code] ?? otherwise

interface Payment {
  method: PaymentMethod
  lines: readonly CheckoutLine[]
  total: Money
  refundPolicyVersion: string
}

/** Statuses whose errors are shown beside the button. */
const handledInline = [0, 400, 404, 409, 410, 422, 429, 500, 502, 503, 504]

/**
 * Begins to pay and leaves for the provider's page. The button stays locked until the page is left; coming back by Back
 * unlocks it, and pressing it again leads to the very same payment.
 */
export function usePay(firstAttempt: string) {
  const queryClient = useQueryClient()
  const [attempt, setAttempt] = useState(firstAttempt)
  const [leaving, setLeaving] = useState(false)
  // A second press may come before the first has locked the button.
  const sent = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ method, lines, total, refundPolicyVersion }: Payment) => {
      const ids = lines.flatMap(({ cartItemId }) => cartItemId ?? [])
      const [first] = lines
      const chosen =
        ids.length > 0
          ? { cartItemIds: ids }
          : first && { buyNow: { productId: first.product.id, optionId: first.option.id } }
      const place = { ...chosen, expectedTotal: total, refundPolicyVersion }
      return call((signal) => payOrder({ data: { attempt, method, place }, signal }), { expected: handledInline })
    },
    onSuccess: ({ redirectUrl }) => {
      setLeaving(true)
      window.location.assign(redirectUrl)
    },
    onError: async (reason) => {
      sent.current = false
      if (!checkoutProblem(problemOf(reason)?.code ?? '').startsAnew) return
      setAttempt(createIdempotencyKey())
      await Promise.all([
        queryClient.invalidateQueries(cartQuery),
        queryClient.invalidateQueries({ queryKey: ['product-to-buy'] }),
        queryClient.invalidateQueries({ queryKey: ['site-settings'] }),
      ])
    },
  })

  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      sent.current = false
      setLeaving(false)
      reset()
      void queryClient.invalidateQueries(cartQuery)
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [queryClient, reset])

  const problem = error ? (problemOf(error)?.code ?? 'SURPRISE') : undefined
  const pay = (payment: Payment) => {
    if (sent.current) return
    sent.current = true
    mutate(payment)
  }
  return { pay, attempt, locked: isPending || leaving, problem }
}
