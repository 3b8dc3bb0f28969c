import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { cartQuery } from '~/features/cart/cart.queries'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { payOrder } from './checkout.functions'
import type { CheckoutLine } from './checkout-lines'
import { checkoutProblem } from './checkout-problems'

interface Payment {
  method: PaymentMethod
  lines: readonly CheckoutLine[]
  total: Money
  refundPolicyVersion: string
}

/** Everything but a surprise is told at the button. */
const toldHere = [0, 400, 404, 409, 410, 422, 429, 500, 502, 503, 504]

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
      return call((signal) => payOrder({ data: { attempt, method, place }, signal }), { expected: toldHere })
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
