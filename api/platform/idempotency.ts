import { createHash } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import type { CallContext } from '#api/platform/http/procedures.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'
import { headers } from '#contract/index.ts'
import { idempotencyKeys } from './idempotency.schema.ts'

export interface KeyedWrite {
  memberId: MemberId
  key: string
  call: string
  bodyHash: string
}

export type Claim =
  | { code: 'MINE' }
  | { code: 'IN_FLIGHT' }
  | { code: 'REUSED' }
  | { code: 'ANSWERED'; answer: unknown }

const row = (customerId: CustomerId, { memberId, key }: Pick<KeyedWrite, 'memberId' | 'key'>) =>
  and(eq(idempotencyKeys.customerId, customerId), eq(idempotencyKeys.memberId, memberId), eq(idempotencyKeys.key, key))

/**
 * Claims a key for a write. One that is in flight is given up once its lock has run out: the process that held it died before it
 * could answer.
 */
export const claimKey = async (
  db: TenantDb,
  customerId: CustomerId,
  write: KeyedWrite,
  time: { now: Date; lockSeconds: number },
): Promise<Claim> => {
  const lockedUntil = new Date(time.now.getTime() + time.lockSeconds * 1000).toISOString()
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ ...write, customerId, lockedUntil, createdAt: time.now.toISOString() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (inserted.length > 0) return { code: 'MINE' }

  const [known] = await db.select().from(idempotencyKeys).where(row(customerId, write)).for('update')
  // The holder gave it up between our two statements: the sender may simply try again.
  if (!known) return { code: 'IN_FLIGHT' }
  if (known.call !== write.call || known.bodyHash !== write.bodyHash) return { code: 'REUSED' }
  if (known.status !== null) return { code: 'ANSWERED', answer: known.answer }
  if (Date.parse(known.lockedUntil) > time.now.getTime()) return { code: 'IN_FLIGHT' }
  await db.update(idempotencyKeys).set({ lockedUntil }).where(row(customerId, write))
  return { code: 'MINE' }
}

export const saveAnswer = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite, answer: unknown) => {
  await db.update(idempotencyKeys).set({ status: 200, answer }).where(row(customerId, write))
}

/** Gives a key back: nothing was done under it. */
export const releaseKey = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite) => {
  await db.delete(idempotencyKeys).where(row(customerId, write))
}

export const deleteKeysBefore = async (db: TenantDb, customerId: CustomerId, moment: Date) => {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.customerId, customerId), lt(idempotencyKeys.createdAt, moment.toISOString())))
}

/** Longer than any call takes: the time-out of a request is 10 s. */
const lockSeconds = 60

/** The same JSON, however its keys were ordered. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/**
 * Runs a write that moves money once for each Idempotency-Key of a member. The same key with the same input answers again what it
 * answered before; with another input it is refused. A write that failed did nothing and gives its key back.
 */
export const once = async <Answer>(
  call: CallContext,
  name: string,
  input: unknown,
  write: () => Promise<Answer>,
): Promise<Answer> => {
  const key = call.headers.get(headers.idempotencyKey)
  if (!key || key.length > 255) throw new ApiError('IDEMPOTENCY_KEY_MISSING')
  if (call.actor.kind !== 'USER') throw new ApiError('UNAUTHORIZED')
  const { pool, clock } = call.deps
  const { id } = call.customer
  const bodyHash = createHash('sha256').update(canonical(input)).digest('hex')
  const keyed: KeyedWrite = { memberId: call.actor.memberId, key, call: name, bodyHash }

  const claim = await withTenant(pool, id, (db) => claimKey(db, id, keyed, { now: clock.now(), lockSeconds }))
  switch (claim.code) {
    case 'ANSWERED':
      return claim.answer as Answer
    case 'REUSED':
      throw new ApiError('IDEMPOTENCY_KEY_REUSED')
    case 'IN_FLIGHT':
      throw new ApiError('IDEMPOTENCY_IN_FLIGHT')
    case 'MINE':
      break
    default:
      claim satisfies never
  }
  try {
    const answer = await write()
    await withTenant(pool, id, (db) => saveAnswer(db, id, keyed, answer))
    return answer
  } catch (error) {
    await withTenant(pool, id, (db) => releaseKey(db, id, keyed)).catch(() => undefined)
    throw error
  }
}
