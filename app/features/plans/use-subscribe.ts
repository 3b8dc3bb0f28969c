import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CardId } from '#contract/ids.ts'
import type { Plan } from '#contract/plans.ts'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { beginSubscription } from './plans.functions'
import { refreshSubscription } from './plans.queries'
import { subscribeProblem } from './subscribe-problems'

/** Everything but a surprise is told at the button. */
const toldHere = [0, 400, 403, 404, 409, 422, 429, 500, 502, 503, 504]

/**
 * Begins a subscription and leaves for the provider's page, or for the result where a registered card pays. The button stays locked
 * until the page is left; pressing it again after Back leads to the very same attempt.
 */
export function useSubscribe(firstAttempt: string) {
  const queryClient = useQueryClient()
  const [attempt, setAttempt] = useState(firstAttempt)
  const [leaving, setLeaving] = useState(false)
  // A second press may come before the first has locked the button.
  const sent = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ plan, cardId }: { plan: Plan; cardId: CardId | undefined }) =>
      call(
        (signal) =>
          beginSubscription({
            data: { attempt, planId: plan.id, price: plan.price, ...(cardId && { cardId }) },
            signal,
          }),
        { expected: toldHere },
      ),
    onSuccess: ({ redirectUrl }) => {
      setLeaving(true)
      window.location.assign(redirectUrl)
    },
    onError: async (reason) => {
      sent.current = false
      if (!subscribeProblem(problemOf(reason)?.code ?? '').startsAnew) return
      setAttempt(createIdempotencyKey())
      await refreshSubscription(queryClient)
    },
  })

  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      sent.current = false
      setLeaving(false)
      reset()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [reset])

  const problem = error ? (problemOf(error)?.code ?? 'SURPRISE') : undefined
  const subscribe = (plan: Plan, cardId: CardId | undefined) => {
    if (sent.current) return
    sent.current = true
    mutate({ plan, cardId })
  }
  return { subscribe, attempt, locked: isPending || leaving, problem }
}
