import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { PlanId, QuoteId } from '#contract/ids.ts'
import type { SubscriptionAnswer } from '#contract/plans.ts'
import { subscribeProblem } from '~/features/plans/subscribe-problems'
import {
  cancelSubscription,
  refreshSubscription,
  resumeSubscription,
  retryRenewal,
  setPlan,
  subscriptionQuery,
} from '~/features/plans/subscription.functions'
import { type Done, doneByChange } from '~/features/plans/subscription-labels'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'

/** Refusals are told on the page. */
const handledInline = [0, 400, 403, 404, 409, 422, 429, 500, 502, 503, 504]

/** One thing that can be done with a subscription. */
type Write =
  | { intent: 'cancel'; reason: string }
  | { intent: 'resume' }
  | { intent: 'retry' }
  | { intent: 'change'; planId: PlanId; quoteId?: QuoteId | undefined }

const send = (write: Write, idempotencyKey: string): Promise<SubscriptionAnswer> =>
  call(
    (signal) => {
      switch (write.intent) {
        case 'cancel':
          return cancelSubscription({ data: write.reason ? { reason: write.reason } : {}, signal })
        case 'resume':
          return resumeSubscription({ signal })
        case 'retry':
          return retryRenewal({ data: { idempotencyKey }, signal })
        case 'change': {
          const { planId, quoteId } = write
          return setPlan({ data: { idempotencyKey, planId, ...(quoteId && { quoteId }) }, signal })
        }
        default:
          return write satisfies never
      }
    },
    { expected: handledInline },
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
export function useSubscriptionWrites(initialKey: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [idempotencyKey, setIdempotencyKey] = useState(initialKey)
  const { mutate, isPending, variables, error, data } = useMutation({
    mutationFn: (write: Write) => send(write, idempotencyKey),
    onSuccess: (answer, write) => {
      // What was done is done: the next press is another attempt.
      setIdempotencyKey(createIdempotencyKey())
      queryClient.setQueryData(subscriptionQuery.queryKey, answer)
      const done = doneBy(write, answer)
      // The answer is shown already, with buttons of its own: nothing waits for the rest.
      void refreshSubscription(queryClient)
      if (done) void navigate({ to: '/mypages/subscription', search: { done } })
    },
    onError: async (reason) => {
      if (!subscribeProblem(problemOf(reason)?.code ?? '').startsAnew) return
      setIdempotencyKey(createIdempotencyKey())
      await refreshSubscription(queryClient)
    },
  })
  const stillOverdue = variables?.intent === 'retry' && data?.regular?.overdue ? 'CARD_REFUSED' : undefined
  return {
    write: (what: Write) => {
      if (!isPending) mutate(what)
    },
    idempotencyKey,
    pending: isPending ? variables.intent : undefined,
    problem: error ? (problemOf(error)?.code ?? 'SURPRISE') : stillOverdue,
  }
}

export type SubscriptionWrites = ReturnType<typeof useSubscriptionWrites>

interface Props {
  intent: 'cancel' | 'resume' | 'retry' | 'change'
  /** Further fields. */
  fields?: Record<string, string | undefined>
  onSend: (form: FormData) => void
  className?: string | undefined
  children: ReactNode
}

/** One thing done with the subscription. A real form: it works without script. */
export function IntentForm({ intent, fields = {}, onSend, className, children }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSend(new FormData(event.currentTarget))
  }
  return (
    <form method="post" action="/mypages/subscription" className={className} onSubmit={submit} noValidate>
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(fields).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}
