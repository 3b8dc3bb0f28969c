import type { Ctx } from '#api/context.ts'
import { changeJoin } from '#api/db/queries/joins.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import type { Locale } from '#contract/enumerations.ts'
import { createCode, hashCode } from './join-secrets.ts'
import { codeMinutes, openJoin, resendSeconds, stageOf, tries } from './join-stage.ts'
import { sendCode } from './request-join.ts'

/** Sends another code, with all its tries; the one before is good no more. Not sooner than a minute after the last. */
export const resendJoinCode = async (ctx: Ctx, { token, codeKey }: { token: string; codeKey: string }) => {
  const join = await openJoin(ctx, token)
  if (isFailure(join)) return join
  const now = ctx.clock.now()
  if (join.verifiedAt) return stageOf(join, token, now)
  const wait = Date.parse(join.sentAt) + resendSeconds * 1000 - now.getTime()
  if (wait > 0) return failure('RATE_LIMITED', { retryAfterSeconds: Math.ceil(wait / 1000) })
  const code = createCode()
  const codeHash = hashCode(codeKey, join.id, code)
  const row = await changeJoin(ctx.db, join, {
    codeHash: join.codeHash === null ? null : codeHash,
    triesLeft: tries,
    sentAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000).toISOString(),
  })
  await sendCode(ctx, { to: row.email, locale: row.locale as Locale, code: join.codeHash === null ? null : code })
  return stageOf(row, token, now)
}
