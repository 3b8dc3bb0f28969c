import type * as z from 'zod/mini'
import { type Ctx, type Failure, isFailure } from '#api/platform/context.ts'
import { keysetPageOf, readCursor } from '#api/platform/keyset.ts'
import type { storeSubscriptionExport, storeSubscriptionPage } from '#contract/admin/subscriptions.ts'
import {
  readPlanNames,
  readSubscriptionPage,
  type SubscriptionPageFilter,
  type SubscriptionPageRow,
} from './store-subscriptions.queries.ts'

type Filters = z.output<typeof storeSubscriptionExport>

/** Returns what a list of subscriptions is filtered by. */
export const subscriptionFilterOf = (
  { clock }: Pick<Ctx, 'clock'>,
  { state, plan, sort, q }: Filters,
): Omit<SubscriptionPageFilter, 'after' | 'size'> => ({
  state: state ?? null,
  plan: plan ?? null,
  sort,
  emailStart: q === '' ? null : q.toLowerCase(),
  now: clock.now(),
})

const viewRow = ({
  memberId,
  email,
  name,
  priceAmount,
  currency,
  nextChargeAt,
  nextPriceAmount,
  attempts,
  nextAttemptAt,
  graceUntil,
  failure,
  ...row
}: Omit<SubscriptionPageRow, 'keyset'>) => ({
  ...row,
  member: memberId === null || email === null || name === null ? null : { id: memberId, email, name },
  price: { amount: priceAmount, currency },
  nextCharge: nextChargeAt === null ? null : { at: nextChargeAt, amount: { amount: nextPriceAmount, currency } },
  overdue: graceUntil === null ? null : { failure, attempts, nextAttemptAt, graceUntil },
})

/**
 * A page of the subscriptions of all members that have started. Failure: VALIDATION_FAILED for an
 * invalid cursor.
 */
export const pageSubscriptions = async (
  ctx: Ctx,
  { cursor, size, ...filters }: Filters & { cursor?: string | undefined; size: number },
): Promise<z.output<typeof storeSubscriptionPage> | Failure> => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...subscriptionFilterOf(ctx, filters), after, size }
  const { items, nextCursor } = keysetPageOf(await readSubscriptionPage(ctx.db, ctx.customer.id, filter), size)
  return { items: items.map(viewRow), nextCursor }
}

/** The plans to filter subscriptions by. */
export const listPlanNames = async ({ db, customer }: Ctx) => ({ items: await readPlanNames(db, customer.id) })
