import type * as z from 'zod/mini'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { cancelRequest, refundAccountInput } from '#contract/orders.ts'
import type { CustomerApi } from '~/platform/api/client'

/** Each write is made under a key of its own attempt: sent again, it answers the same and moves nothing twice. */
const once = (attempt: string, what: string) => ({ context: { idempotencyKey: `${attempt}-${what}` } })

interface PayAgain {
  attempt: string
  code: OrderCode
  method: PaymentMethod
}

export const payAgain = (api: CustomerApi, { attempt, code, method }: PayAgain) =>
  api.commerce.startPayment({ code, method, returnUrl: '/payments/result' }, once(attempt, 'payment'))

interface Cancel {
  attempt: string
  request: z.output<typeof cancelRequest>
}

export const cancelOrder = (api: CustomerApi, { attempt, request }: Cancel) =>
  api.commerce.requestCancel(request, once(attempt, 'cancel'))

interface GiveAccount {
  attempt: string
  account: z.output<typeof refundAccountInput>
}

export const giveAccount = (api: CustomerApi, { attempt, account }: GiveAccount) =>
  api.commerce.setRefundAccount(account, once(attempt, 'account'))
