import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import type { ProcedureContext } from '#api/platform/http/procedures.ts'
import { claimKey, deleteKeysBefore, type KeyedWrite, releaseKey, saveAnswer } from '#api/platform/platform.queries.ts'
import { headers } from '#contract/http.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Longer than any procedure takes, because a request times out after 10 s. */
const lockSeconds = 60

/** Serializes JSON independently of the order of keys. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, property]) => `${JSON.stringify(key)}:${canonical(property)}`).join(',')}}`
}

const holderOf = ({ actor, operator }: ProcedureContext): KeyedWrite['holder'] => {
  if (operator) return operator.id
  if (actor.kind !== 'USER') throw new ApiError('UNAUTHORIZED')
  return actor.memberId
}

/**
 * Runs a write that moves money once per Idempotency-Key of a member or an operator. The same key
 * and input return the stored answer. The same key with another input is refused. A failed write
 * releases its key.
 */
export const idempotent = async <Answer>(
  context: ProcedureContext,
  procedure: string,
  input: unknown,
  write: () => Promise<Answer>,
): Promise<Answer> => {
  const key = context.headers.get(headers.idempotencyKey)
  if (!key || key.length > 255) throw new ApiError('IDEMPOTENCY_KEY_MISSING')
  const { pool, clock } = context.deps
  const { id } = context.customer
  const bodyHash = createHash('sha256').update(canonical(input)).digest('hex')
  const keyed: KeyedWrite = { holder: holderOf(context), key, procedure, bodyHash }

  const claim = await withTenant(pool, id, (db) => claimKey(db, id, keyed, { now: clock.now(), lockSeconds }))
  switch (claim.code) {
    case 'ANSWERED':
      // The same procedure stored this answer for the same input.
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

const retentionMilliseconds = 48 * 3_600_000

/** Deletes the keys of a tenant that no client repeats any more, after two days. */
export const deleteOldKeys = ({ pool, clock }: { pool: pg.Pool; clock: Clock }, customerId: CustomerId) => {
  const past = new Date(clock.now().getTime() - retentionMilliseconds)
  return withTenant(pool, customerId, (db) => deleteKeysBefore(db, customerId, past))
}
