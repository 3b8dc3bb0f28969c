import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PlanId, QuoteId } from '#contract/ids.ts'
import type { SubscriptionAnswer } from '#contract/plans.ts'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { refreshSubscription, subscriptionQuery } from './plans.queries'
import { subscribeProblem } from './subscribe-problems'
import { cancelSubscription, resumeSubscription, retryRenewal, setPlan } from './subscription.functions'
import { type Done, doneByChange } from './subscription-done'

/** Refusals are told on the page. */
const expected = [0, 400, 403, 404, 409, 422, 429, 500, 502, 503, 504]

/** One thing that can be done with a subscription. */
type Write =
  | { intent: 'cancel'; reason: string }
  | { intent: 'resume' }
  | { intent: 'retry' }
  | { intent: 'change'; planId: PlanId; quoteId?: QuoteId | undefined }

const send = (write: Write, attempt: string): Promise<SubscriptionAnswer> =>
  call(
    (signal) => {
      switch (write.intent) {
        case 'cancel':
          return cancelSubscription({ data: write.reason ? { reason: write.reason } : {}, signal })
        case 'resume':
          return resumeSubscription({ signal })
        case 'retry':
          return retryRenewal({ data: { attempt }, signal })
        case 'change': {
          const { planId, quoteId } = write
          return setPlan({ data: { attempt, planId, ...(quoteId && { quoteId }) }, signal })
        }
        default:
          return write satisfies never
      }
    },
    { expected },
  )

function doneBy(write: Write, answer: SubscriptionAnswer): Done | undefined {
  switch (write.intent) {
    case 'cancel':
      return 'cancelled'
    case 'resume':
      return 'resumed'
    case 'retry':
      return answer.regular?.overdue ? undefined : 'recovered'
    case 'change':
      return doneByChange(answer, write.quoteId !== undefined)
    default:
      return write satisfies never
  }
}

/** What a member may do with the subscription. One thing at a time; `problem` is why the latest was refused, by its code. */
export function useSubscriptionWrites(firstAttempt: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState(firstAttempt)
  const { mutate, isPending, variables, error, data } = useMutation({
    mutationFn: (write: Write) => send(write, attempt),
    onSuccess: (answer, write) => {
      // What was done is done: the next press is another attempt.
      setAttempt(createIdempotencyKey())
      queryClient.setQueryData(subscriptionQuery.queryKey, answer)
      const done = doneBy(write, answer)
      // The answer is shown already, with buttons of its own: nothing waits for the rest.
      void refreshSubscription(queryClient)
      if (done) void navigate({ to: '/mypages/subscription', search: { done } })
    },
    onError: async (reason) => {
      if (!subscribeProblem(problemOf(reason)?.code ?? '').startsAnew) return
      setAttempt(createIdempotencyKey())
      await refreshSubscription(queryClient)
    },
  })
  const stillOverdue = variables?.intent === 'retry' && data?.regular?.overdue ? 'CARD_REFUSED' : undefined
  return {
    write: (what: Write) => {
      if (!isPending) mutate(what)
    },
    attempt,
    pending: isPending ? variables.intent : undefined,
    problem: error ? (problemOf(error)?.code ?? 'SURPRISE') : stillOverdue,
  }
}

export type SubscriptionWrites = ReturnType<typeof useSubscriptionWrites>
