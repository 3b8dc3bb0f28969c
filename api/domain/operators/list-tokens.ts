import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { operatorTokens } from '#api/db/schema/operators.ts'

/** Every bearer there was, the latest first; never what would open anything. */
export const listTokens = async ({ db, customer, clock }: Ctx) => {
  const rows = await db
    .select()
    .from(operatorTokens)
    .where(eq(operatorTokens.customerId, customer.id))
    .orderBy(desc(operatorTokens.createdAt))
  const now = clock.now().toISOString()
  return rows.map(({ name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
    ...{ name, scopes, createdAt, expiresAt, lastUsedAt },
    status: revokedAt ? 'REVOKED' : expiresAt && expiresAt <= now ? 'EXPIRED' : 'LIVE',
  }))
}

/** The bearer of a name that is not revoked and not past its time. */
export const liveTokenNamed = async ({ db, customer, clock }: Ctx, name: string) => {
  const rows = await db
    .select()
    .from(operatorTokens)
    .where(
      and(eq(operatorTokens.customerId, customer.id), eq(operatorTokens.name, name), isNull(operatorTokens.revokedAt)),
    )
  const now = clock.now().getTime()
  return rows.find(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now) ?? null
}
