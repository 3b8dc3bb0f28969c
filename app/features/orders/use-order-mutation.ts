import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createIdempotencyKey } from '#contract/http.ts'
import type { ProductCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { problemOf, type Result, unknownError } from '~/platform/api/problem'
import { cartQuery } from './cart/cart.functions'
import { handledInline } from './order-labels'
import { orderDetailQuery } from './orders.functions'

/** Queries that depend on the state of orders. */
const queriesToInvalidate = [
  'me',
  'paid-products',
  'products',
  'product',
  'product-to-watch',
  'product-to-buy',
  'payment-result',
]

interface OrderMutation<Input> {
  order: Order
  /** Sends the write with the idempotency key. Returns the updated order. */
  send: (input: Input, idempotencyKey: string, signal: AbortSignal) => Promise<Result<Order>>
  /** The key in the form, which may also be posted without JavaScript. */
  firstKey?: string | undefined
}

/**
 * A write that moves an order's money, once per idempotency key. Without an answer the write may
 * have been done, so a retry has the same key. After a refusal the next press has a new key, and a
 * conflict loads the order again.
 */
export function useOrderMutation<Input>({ order, send, firstKey }: OrderMutation<Input>) {
  const queryClient = useQueryClient()
  const [idempotencyKey, setIdempotencyKey] = useState(firstKey ?? createIdempotencyKey)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (input: Input) => call((signal) => send(input, idempotencyKey, signal), { expected: handledInline }),
    onSuccess: async (answer) => {
      setIdempotencyKey(createIdempotencyKey())
      queryClient.setQueryData(orderDetailQuery(order.code).queryKey, answer)
      for (const key of queriesToInvalidate) void queryClient.invalidateQueries({ queryKey: [key] })
      await queryClient.invalidateQueries({ queryKey: ['orders'] })
    },
    onError: async (reason) => {
      const status = problemOf(reason)?.status ?? 0
      if (status >= 400 && status < 500) setIdempotencyKey(createIdempotencyKey())
      if (status === 409) await queryClient.invalidateQueries({ queryKey: ['orders', 'detail', order.code] })
    },
  })
  return {
    mutate,
    idempotencyKey,
    pending: isPending,
    done: data,
    problem: error ? problemCode(error) : undefined,
  }
}

/** The code of a refusal. A 422 is shown at its fields. */
const problemCode = (error: Error) => {
  const problem = problemOf(error)
  return problem?.status === 422 && Object.keys(problem.errors).length > 0 ? undefined : (problem?.code ?? unknownError)
}

/**
 * Where to try again: the cart while it has the order's items, else the product of a direct
 * purchase.
 */
export function useTryAgain(order: Order): { product?: ProductCode } {
  const { data: cart } = useQuery(cartQuery)
  const [first, second] = order.items
  if (!cart || !first || second) return {}
  const inCart = cart.items.some(({ product }) => product.id === first.product.id)
  return inCart ? {} : { product: first.product.code }
}
