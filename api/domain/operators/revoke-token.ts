import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { operatorTokens } from '#api/db/schema/operators.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { liveTokenNamed } from './list-tokens.ts'

/** Ends a bearer with its next call. */
export const revokeToken = async (ctx: Ctx, by: AuditActor, name: string): Promise<{ name: string } | Failure> => {
  const live = await liveTokenNamed(ctx, name)
  if (!live)
    return failure('NOT_FOUND', { errors: { name: [`There is no live operator token called ${name} in this store.`] } })
  await ctx.db
    .update(operatorTokens)
    .set({ revokedAt: ctx.clock.now().toISOString() })
    .where(and(eq(operatorTokens.customerId, ctx.customer.id), eq(operatorTokens.id, live.id)))
  await audit(ctx, { actor: by, action: 'operator-token.revoked', subject: `operator:${name}` })
  return { name }
}
