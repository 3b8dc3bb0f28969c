import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '#contract/orders.ts'
import { call, createIdempotencyKey } from '~/platform/api/call'
import { problemOf, type Result } from '~/platform/api/problem'
import { handledInline } from './order-labels'
import { orderDetailQuery } from './orders.functions'

/** What one owns, and what the header counts, follow the money. */
const touched = ['me', 'paid-products', 'products', 'product', 'product-to-watch', 'product-to-buy', 'payment-result']

interface OrderWrite<Input> {
  order: Order
  /** Makes the write under the attempt's name; answers the order as it stands then. */
  send: (input: Input, attempt: string, signal: AbortSignal) => Promise<Result<Order>>
  /** Made with the page, where the form is sent without script as well. */
  firstAttempt?: string | undefined
}

/**
 * A write that moves an order's money, once per attempt. What was never answered may have been done, so that the same attempt asks
 * again; a refusal makes the next press a new attempt, and a conflict shows the order as it stands.
 */
export function useOrderWrite<Input>({ order, send, firstAttempt }: OrderWrite<Input>) {
  const queryClient = useQueryClient()
  const [attempt, setAttempt] = useState(firstAttempt ?? createIdempotencyKey)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (input: Input) => call((signal) => send(input, attempt, signal), { expected: handledInline }),
    onSuccess: async (answer) => {
      setAttempt(createIdempotencyKey())
      queryClient.setQueryData(orderDetailQuery(order.code).queryKey, answer)
      for (const key of touched) void queryClient.invalidateQueries({ queryKey: [key] })
      await queryClient.invalidateQueries({ queryKey: ['orders'] })
    },
    onError: async (reason) => {
      const status = problemOf(reason)?.status ?? 0
      if (status >= 400 && status < 500) setAttempt(createIdempotencyKey())
      if (status === 409) await queryClient.invalidateQueries({ queryKey: ['orders', 'detail', order.code] })
    },
  })
  return { write: mutate, attempt, pending: isPending, done: data, problem: error ? problemCode(error) : undefined }
}

/** The code of a refusal; a 422 is told at its fields. */
const problemCode = (error: Error) => {
  const problem = problemOf(error)
  return problem?.status === 422 && Object.keys(problem.errors).length > 0 ? undefined : (problem?.code ?? 'SURPRISE')
}
