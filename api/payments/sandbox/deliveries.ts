import { and, eq, isNull, lt, lte } from 'drizzle-orm'
import { sandboxDeliveries } from '#api/db/schema/sandbox.ts'
import { signatureHeader, signWebhook } from '#api/payments/signature.ts'
import type { CustomerId } from '#contract/ids.ts'
import { customerBase } from '#contract/index.ts'
import type { InTenant } from './books.ts'

/** A store that does not answer is tried again after 5, 10, 20, … seconds, at most an hour apart, for about half a day. */
const mostAttempts = 20
const pause = (attempts: number) => Math.min(5 * 2 ** attempts, 3600)

export interface DeliveryDeps {
  inTenant: InTenant
  now: () => Date
  webhookSecret: string
}

export type Post = (request: Request) => Promise<Response>

/**
 * Sends the webhooks of one tenant that are due and answers how many arrived. Each is claimed by moving its time on before it is
 * sent, so that two processes do not send the same one, and one that dies in the middle loses none.
 */
export const deliverDue = async (
  deps: DeliveryDeps,
  merchant: { id: CustomerId; code: string },
  post: Post,
): Promise<number> => {
  const waiting = and(
    eq(sandboxDeliveries.customerId, merchant.id),
    isNull(sandboxDeliveries.deliveredAt),
    lt(sandboxDeliveries.attempts, mostAttempts),
  )
  const due = await deps.inTenant(merchant.id, async (db) => {
    const rows = await db
      .select()
      .from(sandboxDeliveries)
      .where(and(waiting, lte(sandboxDeliveries.dueAt, deps.now().toISOString())))
      .orderBy(sandboxDeliveries.dueAt)
      .limit(50)
      .for('update', { skipLocked: true })
    for (const row of rows) {
      const again = new Date(deps.now().getTime() + pause(row.attempts) * 1000).toISOString()
      await db
        .update(sandboxDeliveries)
        .set({ attempts: row.attempts + 1, dueAt: again })
        .where(and(eq(sandboxDeliveries.customerId, merchant.id), eq(sandboxDeliveries.id, row.id)))
    }
    return rows
  })

  let arrived = 0
  for (const row of due) {
    const body = JSON.stringify(row.payload)
    const request = new Request(`http://localhost${customerBase(merchant.code)}/webhooks/sandbox`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signWebhook(deps.webhookSecret, body, deps.now()),
      },
      body,
    })
    const answer = await post(request).catch(() => null)
    if (!answer?.ok) continue
    arrived++
    await deps.inTenant(merchant.id, (db) =>
      db
        .update(sandboxDeliveries)
        .set({ deliveredAt: deps.now().toISOString() })
        .where(and(eq(sandboxDeliveries.customerId, merchant.id), eq(sandboxDeliveries.id, row.id))),
    )
  }
  return arrived
}
