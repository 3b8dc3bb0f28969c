import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { createIdempotencyKey } from '#contract/http.ts'
import type { PlanId, QuoteId } from '#contract/ids.ts'
import type { SubscriptionAnswer } from '#contract/subscriptions.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import {
  cancelSubscription,
  endPause,
  refreshSubscription,
  resumeSubscription,
  retryRenewal,
  setPlan,
  subscriptionQuery,
} from '../subscription.functions'
import { type ChangeOutcome, isOutdated, outcomeOfCancellation, outcomeOfChange } from '../subscription-labels'

/** The page shows these failures itself, without a toast. */
const handledInline = [0, 400, 403, 404, 409, 422, 429, 500, 502, 503, 504]

/** A change of a subscription. */
type Write =
  | { intent: 'cancel'; reason: string }
  | { intent: 'resume' }
  | { intent: 'unpause' }
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
        case 'unpause':
          return endPause({ data: { idempotencyKey }, signal })
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

function outcomeOf(write: Write, answer: SubscriptionAnswer): ChangeOutcome | undefined {
  switch (write.intent) {
    case 'cancel':
      return outcomeOfCancellation(answer)
    case 'resume':
      return 'resumed'
    case 'unpause':
      return answer.regular?.overdue ? undefined : 'unpaused'
    case 'retry':
      return answer.regular?.overdue ? undefined : 'recovered'
    case 'change':
      return outcomeOfChange(answer, write.quoteId !== undefined)
    default:
      return write satisfies never
  }
}

/**
 * The member's changes of a subscription, one at a time. `problem` is the code of the latest
 * failure.
 */
export function useSubscriptionMutations(initialKey: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [idempotencyKey, setIdempotencyKey] = useState(initialKey)
  const { mutate, isPending, variables, error, data } = useMutation({
    mutationFn: (write: Write) => send(write, idempotencyKey),
    onSuccess: (answer, write) => {
      // The change is made: the next one needs its own idempotency key.
      setIdempotencyKey(createIdempotencyKey())
      queryClient.setQueryData(subscriptionQuery.queryKey, answer)
      const done = outcomeOf(write, answer)
      // The result is on the screen already, so nothing waits for the refresh.
      void refreshSubscription(queryClient)
      if (done) void navigate({ to: '/mypages/subscription', search: { done } })
    },
    onError: async (reason) => {
      if (!isOutdated(problemOf(reason)?.code ?? '')) return
      setIdempotencyKey(createIdempotencyKey())
      await refreshSubscription(queryClient)
    },
  })
  const stillOverdue =
    (variables?.intent === 'retry' || variables?.intent === 'unpause') && data?.regular?.overdue
      ? 'CARD_REFUSED'
      : undefined
  return {
    mutate: (what: Write) => {
      if (!isPending) mutate(what)
    },
    idempotencyKey,
    pending: isPending ? variables.intent : undefined,
    problem: error ? (problemOf(error)?.code ?? unknownError) : stillOverdue,
  }
}

export type SubscriptionMutations = ReturnType<typeof useSubscriptionMutations>

interface Props {
  intent: Write['intent']
  /** Additional hidden fields. */
  fields?: Record<string, string | undefined>
  onSend: (form: FormData) => void
  className?: string | undefined
  children: ReactNode
}

/** A form for one change of the subscription. Works as a POST form without JavaScript. */
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
