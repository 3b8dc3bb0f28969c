import type { Ctx } from '#api/context.ts'
import { changeJoin } from '#api/db/queries/joins.ts'
import { isFailure } from '#api/domain/failure.ts'
import type { Locale } from '#contract/enumerations.ts'
import { invalid } from './field-words.ts'
import { isCode } from './join-secrets.ts'
import { openJoin, stageOf } from './join-stage.ts'

export interface Confirmation {
  token: string
  code: string
  codeKey: string
  language: Locale
}

/** Compares a code. Each wrong one uses up a try, also when several come at once; the failure carries how the join stands then. */
export const confirmJoin = async (ctx: Ctx, { token, code, codeKey, language }: Confirmation) => {
  const join = await openJoin(ctx, token)
  if (isFailure(join)) return join
  const now = ctx.clock.now()
  if (join.verifiedAt) return stageOf(join, token, now)
  if (join.triesLeft <= 0 || Date.parse(join.expiresAt) <= now.getTime())
    return invalid(language, 'code', 'codeOver', { data: stageOf(join, token, now) })
  if (isCode(codeKey, join.id, code, join.codeHash))
    return stageOf(await changeJoin(ctx.db, join, { verifiedAt: now.toISOString() }), token, now)
  const tried = await changeJoin(ctx.db, join, { triesLeft: join.triesLeft - 1 })
  const sentence = tried.triesLeft > 0 ? 'wrongCode' : 'codeOver'
  return invalid(language, 'code', sentence, { data: stageOf(tried, token, now) })
}
