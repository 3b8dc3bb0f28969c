import type { Ctx } from '#api/context.ts'
import { moveCase, openOrderCase, openRequest, updateRequest } from '#api/db/queries/cancel-requests.ts'
import { appendOrderEvent, lockOrder } from '#api/db/queries/orders.ts'
import { changeUndueCase } from '#api/db/queries/undue-money.ts'
import { tellAccountRefused } from './refund-mails.ts'
import type { Owed } from './return-money.ts'

/** Tried again after 1, 2, 4, … minutes, at most a day apart. */
const longestPause = 24 * 60
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, longestPause) * 60_000

/** The bank knows no such account: trying again is of no use before the member has given another. */
const accountReasons = new Set(['ACCOUNT_REFUSED', 'ACCOUNT_MISSING'])

/**
 * Money could not be given back: it is tried again later and later, and a refusal is shown on the order and stands on the desk. An
 * account that the bank refuses is forgotten and asked for again.
 */
export const postpone = async (ctx: Ctx, owed: Owed, reason: string) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const order = await lockOrder(db, customer.id, owed.order.id)
  if (!order) return
  const badAccount = accountReasons.has(reason)
  const again = (attempts: number) => new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()

  for (const { id, data } of owed.undue) {
    const attempts = data.attempts ?? 0
    const retry = { attempts: attempts + 1, nextAttemptAt: again(attempts) }
    await changeUndueCase(db, customer.id, id, badAccount ? { ...retry, needsAccount: true, account: null } : retry)
  }
  const request = owed.request && (await openRequest(db, customer.id, order.id))
  const mine = request && request.id === owed.request?.id ? request : null
  if (mine) {
    const caseId = await onTheDesk(ctx, owed, mine.caseId, reason)
    await updateRequest(db, mine, {
      ...{ attempts: mine.attempts + 1, failure: reason, caseId },
      ...(badAccount ? { refundAccount: null, nextAttemptAt: null } : { nextAttemptAt: again(mine.attempts) }),
    })
  }
  const known = mine?.failure === reason || owed.undue.some(({ data }) => (data.attempts ?? 0) > 0)
  if (reason !== 'PROVIDER_UNAVAILABLE' && !known) {
    await appendOrderEvent(db, order, { type: 'REFUND_FAILED', detail: reason, at: now })
  }
  if (badAccount) await tellAccountRefused(ctx, order, owed)
}

/** A refusal needs a person's eye, even where a rule had decided; silence does not. */
const onTheDesk = async (ctx: Ctx, owed: Owed, caseId: string | null, reason: string): Promise<string | null> => {
  if (reason === 'PROVIDER_UNAVAILABLE') return caseId
  const { db, customer, clock } = ctx
  if (caseId) {
    await moveCase(db, customer.id, caseId, 'WAIT', clock.now())
    return caseId
  }
  const { order, payment } = owed
  const subject = `The refund of order ${order.code} was refused`
  const data = { kind: 'REFUND_REFUSED', paymentId: payment.id, reason }
  return openOrderCase(db, customer.id, { memberId: order.memberId, orderId: order.id, subject, data }, clock.now())
}
