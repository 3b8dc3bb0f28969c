import { dueRequests } from '#api/db/queries/cancel-requests.ts'
import { dueUndueMoney } from '#api/db/queries/undue-money.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { returnMoney } from './return-money.ts'

const atOnce = 100

/** Gives back what is due at one tenant, as far as the provider lets it. A payment that throws holds up no other. */
export const giveBack = async (env: PaymentEnv): Promise<void> => {
  const due = await env.inTransaction(async ({ db, customer, clock }) => [
    ...(await dueRequests(db, customer.id, clock.now(), atOnce)),
    ...(await dueUndueMoney(db, customer.id, clock.now(), atOnce)),
  ])
  for (const paymentId of new Set(due)) {
    try {
      await returnMoney(env, paymentId)
    } catch (error) {
      env.log.error({ err: error, paymentId }, 'A payment could not be given back')
    }
  }
}
