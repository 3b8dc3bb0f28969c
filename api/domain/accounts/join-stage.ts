import type { Ctx } from '#api/context.ts'
import { type JoinRow, lockJoin } from '#api/db/queries/joins.ts'
import { failure } from '#api/domain/failure.ts'
import type { JoinStage } from '#contract/accounts.ts'
import { hashJoinToken } from './join-secrets.ts'

/** How long a code is good, how long until the next may be asked for, how long a join may take in all. */
export const codeMinutes = 10
export const resendSeconds = 60
export const joinHours = 1
export const tries = 5

/** How far a join has come, without the demo's mailbox: whether there is one is not the domain's to know. */
export type Stage = Omit<JoinStage, 'mailbox'>

export const stageOf = (row: JoinRow, token: string, now: Date): Stage => ({
  token,
  stage: row.completedAt ? 'COMPLETED' : row.verifiedAt ? 'READY' : 'VERIFY',
  email: row.email,
  expiresAt: row.expiresAt,
  resendAt: new Date(Date.parse(row.sentAt) + resendSeconds * 1000).toISOString(),
  triesLeft: row.triesLeft,
  now: now.toISOString(),
})

/** The join a token opens, locked. NOT_FOUND for a token of none; GONE for a join left lying. */
export const openJoin = async ({ db, customer, clock }: Ctx, token: string) => {
  const row = await lockJoin(db, customer.id, hashJoinToken(token))
  if (!row) return failure('NOT_FOUND')
  const endsAt = Date.parse(row.createdAt) + joinHours * 3_600_000
  return !row.completedAt && endsAt <= clock.now().getTime() ? failure('GONE') : row
}
