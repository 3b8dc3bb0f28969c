import type { Ctx } from '#api/context.ts'
import { operatorTokens } from '#api/db/schema/operators.ts'
import { newId } from '#api/db/uuid.ts'
import { hashSessionToken } from '#api/domain/accounts/session-token.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { type OperatorScope, operatorScope } from '#contract/operators.ts'
import { liveTokenNamed } from './list-tokens.ts'
import { createOperatorToken } from './operator-token.ts'

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
