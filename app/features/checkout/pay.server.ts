import type * as z from 'zod/mini'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { orderPlace } from '#contract/orders.ts'
import type { CustomerApi } from '~/platform/api/client'

interface Attempt {
  attempt: string
  method: PaymentMethod
  place: z.input<typeof orderPlace>
}

/**
 * Places the order and begins its payment under keys derived from the attempt: sent again (a double click, Back and
 * again), the same order and the same payment are answered, and nothing is charged twice.
 */
export async function pay(api: CustomerApi, { attempt, method, place }: Attempt) {
  const order = await api.commerce.placeOrder(place, { context: { idempotencyKey: `${attempt}-order` } })
  const { payment, redirectUrl } = await api.commerce.startPayment(
    { code: order.code, method, returnUrl: '/payments/result' },
    { context: { idempotencyKey: `${attempt}-payment` } },
  )
  return { orderCode: order.code, paymentId: payment.id, redirectUrl }
}
