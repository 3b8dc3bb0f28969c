import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { cartQuery } from '~/features/cart/cart.functions'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { refusalMessages } from '~/platform/api/failures'
import { problemOf } from '~/platform/api/problem'
import { payOrder } from './checkout.functions'
import type { CheckoutLine } from './checkout-lines'

const cartChanged = msg`Your cart was updated elsewhere. You haven’t been charged. This is the latest version.`

/** The message of a payment that did not begin, by problem code. */
export const checkoutProblem = refusalMessages({
  byCode: {
    PRICE_CHANGED: msg`A price changed while you were checking out. You haven’t been charged. Review the new total before you pay.`,
    CART_CHANGED: cartChanged,
    NOT_FOUND: cartChanged,
    IDEMPOTENCY_KEY_REUSED: cartChanged,
    ALREADY_OWNED: msg`You already own one of these titles, so it was removed. You haven’t been charged.`,
    GONE: msg`A title is no longer available and was removed. You haven’t been charged.`,
    NOT_READY: msg`One of these titles isn’t available yet, so it was left out. You haven’t been charged.`,
    ORDER_NOT_PAYABLE: msg`This order is already closed. Check your orders, or select the button to place a new one.`,
    IDEMPOTENCY_IN_FLIGHT: msg`Your payment is already being processed. Wait a moment.`,
    VALIDATION_FAILED: msg`The terms have changed. Review them before you pay.`,
    CONSENT_MISSING: msg`Agree to the terms to continue.`,
  },
  unreachable: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  otherwise: msg`We couldn’t start the payment. You haven’t been charged. Try again in a moment.`,
})

/** The shown items or prices are out of date: load them again and use a new idempotency key. */
const outdatedCodes: readonly string[] = [
  'PRICE_CHANGED',
  'CART_CHANGED',
  'NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'ALREADY_OWNED',
  'GONE',
  'NOT_READY',
  'ORDER_NOT_PAYABLE',
  'DEPOSIT_OPEN',
  'VALIDATION_FAILED',
]

interface Payment {
  method: PaymentMethod
  lines: readonly CheckoutLine[]
  total: Money
  refundPolicyVersion: string
}

/** Statuses whose errors are shown beside the button. */
const handledInline = [0, 400, 404, 409, 410, 422, 429, 500, 502, 503, 504]

/**
 * Begins the payment and leaves for the provider's page. The button stays locked until then. Back
 * unlocks it, and another press leads to the same payment.
 */
export function usePay(firstKey: string) {
  const queryClient = useQueryClient()
  const [idempotencyKey, setIdempotencyKey] = useState(firstKey)
  const [leaving, setLeaving] = useState(false)
  // A second press may come before the state has locked the button.
  const sent = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ method, lines, total, refundPolicyVersion }: Payment) => {
      const ids = lines.flatMap(({ cartItemId }) => cartItemId ?? [])
      const [first] = lines
      const items =
        ids.length > 0
          ? { cartItemIds: ids }
          : first && { buyNow: { productId: first.product.id, optionId: first.option.id } }
      const place = { ...items, expectedTotal: total, refundPolicyVersion }
      return call((signal) => payOrder({ data: { idempotencyKey, method, place }, signal }), {
        expected: handledInline,
      })
    },
    onSuccess: ({ redirectUrl }) => {
      setLeaving(true)
      window.location.assign(redirectUrl)
    },
    onError: async (reason) => {
      sent.current = false
      if (!outdatedCodes.includes(problemOf(reason)?.code ?? '')) return
      setIdempotencyKey(createIdempotencyKey())
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
  return { pay, idempotencyKey, locked: isPending || leaving, problem }
}
