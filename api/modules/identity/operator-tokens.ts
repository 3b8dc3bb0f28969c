import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import {
  type Ctx,
  type Customer,
  type Failure,
  failure,
  invalidField,
  type TokenOperator,
} from '#api/platform/context.ts'
import { createTokenFormat } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type OperatorTokenId, operatorTokenId } from '#contract/ids.ts'
import { type Permission, permission, permissionsAt } from '#contract/permissions.ts'
import { findLiveOperator, insertOperatorToken, readOperatorTokens, updateOperatorToken } from './sessions.queries.ts'
import { hashSessionToken, touchEveryMilliseconds } from './sessions.ts'

const statusOf = (
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  now: string,
): 'LIVE' | 'EXPIRED' | 'REVOKED' => {
  if (revokedAt) return 'REVOKED'
  return expiresAt && expiresAt <= now ? 'EXPIRED' : 'LIVE'
}

/** All operator tokens, latest first, without their secrets. */
export const listTokens = async ({ db, customer, clock }: Ctx) => {
  const rows = await readOperatorTokens(db, customer.id)
  const now = clock.now().toISOString()
  return rows.map(({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
    id,
    name,
    scopes,
    createdAt,
    expiresAt,
    lastUsedAt,
    status: statusOf({ expiresAt, revokedAt }, now),
  }))
}

/** How a token that is neither revoked nor expired is named. */
type LiveToken = { name: string } | { id: OperatorTokenId }

const findLiveToken = async ({ db, customer, clock }: Ctx, which: LiveToken) => {
  const rows = await readOperatorTokens(db, customer.id)
  const now = clock.now().getTime()
  const isLive = ({ revokedAt, expiresAt }: (typeof rows)[number]) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)
  return rows.find((row) => isLive(row) && ('id' in which ? row.id === which.id : row.name === which.name)) ?? null
}

/** The tokens of operators' programs. */
export const operatorToken = createTokenFormat('mqo')

const longestName = 80

/**
 * Creates an operator token. The token is returned only here; the database has its hash. Fails with
 * VALIDATION_FAILED for an invalid name or no scope, and with CONFLICT if a live token has the
 * name.
 */
export const createToken = async (
  ctx: Ctx,
  by: AuditActor,
  input: { name: string; scopes: readonly Permission[]; validMilliseconds: number | null },
): Promise<{ token: string; name: string; expiresAt: string | null } | Failure> => {
  const i18n = messagesOf(ctx.locale)
  const name = input.name.trim()
  const scopes = [...new Set(input.scopes)]
  if (scopes.length === 0)
    return invalidField(
      'scopes',
      i18n._('Choose at least one scope: {scopes}.', { scopes: permission.options.join(', ') }),
    )
  if (!/^[^\s\p{C}][^\p{C}]*$/u.test(name) || name.length > longestName)
    return invalidField(
      'name',
      i18n._('Enter a name of 1 to {max} characters, for example {example}.', {
        max: longestName,
        example: 'studio-pc',
      }),
    )
  if (await findLiveToken(ctx, { name }))
    return failure('CONFLICT', {
      errors: {
        name: [
          i18n._('An active token named {name} already exists. Revoke it first, or choose another name.', { name }),
        ],
      },
    })
  const token = operatorToken.create(ctx.customer.id)
  const now = ctx.clock.now()
  const expiresAt =
    input.validMilliseconds === null ? null : new Date(now.getTime() + input.validMilliseconds).toISOString()
  await insertOperatorToken(ctx.db, {
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
    changes: changesOf({}, { permissions: scopes, expiresAt }),
  })
  return { token, name, expiresAt }
}

/**
 * Revokes an operator token from the next request on. Fails with NOT_FOUND if there is no such live
 * token.
 */
export const revokeToken = async (ctx: Ctx, by: AuditActor, which: LiveToken): Promise<{ name: string } | Failure> => {
  const live = await findLiveToken(ctx, which)
  if (!live) return failure('NOT_FOUND')
  const { id, name, scopes, expiresAt } = live
  const changes = changesOf({ permissions: scopes, expiresAt }, {})
  await updateOperatorToken(ctx.db, ctx.customer.id, id, { revokedAt: ctx.clock.now().toISOString() })
  await audit(ctx, { actor: by, action: 'operator-token.revoked', subject: `operator:${name}`, changes })
  return { name }
}

/** The permissions of a live token by its id; none once it has expired or is revoked. */
export const livePermissionsOfToken = async (ctx: Ctx, id: string): Promise<readonly Permission[]> => {
  const live = await findLiveToken(ctx, { id: operatorTokenId.parse(id) })
  return (live?.scopes ?? []).filter((each) => permissionsAt(ctx.customer).includes(each))
}

/** Returns the operator of a live token; null without one. Records when it was last used. */
export const resolveOperatorToken = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id' | 'isInstallation'> },
  token: string,
): Promise<TokenOperator | null> => {
  const now = clock.now()
  const live = await findLiveOperator(db, customer.id, hashSessionToken(token), now)
  const lastUsed = live?.lastUsedAt ? Date.parse(live.lastUsedAt) : 0
  if (live && now.getTime() - lastUsed > touchEveryMilliseconds)
    await updateOperatorToken(db, customer.id, live.id, { lastUsedAt: now.toISOString() })
  if (!live) return null
  const { id, name, scopes, createdAt, expiresAt } = live
  const permissions = scopes.filter((each) => permissionsAt(customer).includes(each))
  return { kind: 'TOKEN', id, name, permissions, createdAt, expiresAt }
}
