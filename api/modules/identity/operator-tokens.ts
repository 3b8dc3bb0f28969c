import { randomBytes } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId } from '#contract/ids.ts'
import { type OperatorScope, operatorScope } from '#contract/operators.ts'
import { operatorTokens } from './identity.schema.ts'
import { hashSessionToken } from './sessions.ts'

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

/** A bearer of operators: like a session's token, of a shape of its own, so that neither is ever taken for the other. */
export const createOperatorToken = (customerId: CustomerId) =>
  `mqo_${Buffer.from(customerId.replaceAll('-', ''), 'hex').toString('base64url')}_${randomBytes(32).toString('base64url')}`

const shape = /^mqo_([A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{43}$/

/** The tenant a bearer of operators names; null when it is none. */
export const customerOfOperatorToken = (token: string): CustomerId | null => {
  const packed = shape.exec(token)?.[1]
  if (!packed) return null
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as CustomerId
}

const longestName = 80

/** Makes a bearer for a program of the operators. The token is answered this once; what is kept proves it and gives it to nobody. */
export const createToken = async (
  ctx: Ctx,
  by: AuditActor,
  input: { name: string; scopes: readonly OperatorScope[]; livesMilliseconds: number | null },
): Promise<{ token: string; name: string; expiresAt: string | null } | Failure> => {
  const name = input.name.trim()
  const scopes = [...new Set(input.scopes)]
  if (scopes.length === 0)
    return failure('VALIDATION_FAILED', {
      errors: { scopes: [`Give it at least one scope: ${operatorScope.options.join(', ')}.`] },
    })
  if (!/^[^\s\p{C}][^\p{C}]*$/u.test(name) || name.length > longestName)
    return failure('VALIDATION_FAILED', {
      errors: { name: [`Give it a name of 1 to ${longestName} characters, for example studio-pc.`] },
    })
  if (await liveTokenNamed(ctx, name))
    return failure('CONFLICT', {
      errors: { name: [`There is a live token called ${name} already: revoke it first, or choose another name.`] },
    })
  const token = createOperatorToken(ctx.customer.id)
  const now = ctx.clock.now()
  const expiresAt =
    input.livesMilliseconds === null ? null : new Date(now.getTime() + input.livesMilliseconds).toISOString()
  await ctx.db.insert(operatorTokens).values({
    customerId: ctx.customer.id,
    id: newId(),
    name,
    scopes,
    expiresAt,
    tokenHash: hashSessionToken(token),
    createdAt: now.toISOString(),
  })
  await audit(ctx, {
    actor: by,
    action: 'operator-token.created',
    subject: `operator:${name}`,
    detail: { scopes, expiresAt },
  })
  return { token, name, expiresAt }
}

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

export type OperatorRow = typeof operatorTokens.$inferSelect

/** The bearer behind a hash, unless it was revoked or its time has passed. */
export const findLiveOperator = async (
  db: TenantDb,
  customerId: CustomerId,
  tokenHash: string,
  now: Date,
): Promise<OperatorRow | null> => {
  const [row] = await db
    .select()
    .from(operatorTokens)
    .where(
      and(
        eq(operatorTokens.customerId, customerId),
        eq(operatorTokens.tokenHash, tokenHash),
        isNull(operatorTokens.revokedAt),
        sql`coalesce(${operatorTokens.expiresAt} > ${now.toISOString()}, true)`,
      ),
    )
  return row ?? null
}

export const touchOperator = async (db: TenantDb, customerId: CustomerId, id: string, now: Date) => {
  await db
    .update(operatorTokens)
    .set({ lastUsedAt: now.toISOString() })
    .where(and(eq(operatorTokens.customerId, customerId), eq(operatorTokens.id, id)))
}
