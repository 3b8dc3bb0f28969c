import type { MemberCtx } from '#api/context.ts'
import { beginEntitlement, insertGrant } from '#api/db/queries/entitlements.ts'
import type { ProductRow } from '#api/db/queries/playables.ts'
import { insertProvision } from '#api/db/queries/provisions.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Right } from './rights.ts'

const day = 86_400_000

/**
 * A member takes a product of the kind FREE with the first play or download: it is theirs from then on, also when the store gives it
 * away no more. Ask only where the member may play or download it.
 */
export const takeFreeProduct = async (
  ctx: MemberCtx,
  product: Pick<ProductRow, 'id' | 'kind'>,
  { held }: Right,
): Promise<void> => {
  if (product.kind !== 'FREE' || held) return
  const grant = { memberId: ctx.actor.memberId, productId: product.id as ProductId }
  await insertGrant(ctx.db, ctx.customer.id, grant, ctx.clock.now())
}

/**
 * Begins the provision behind a bought right: the first play or download. A rental's days count from here. What was done is kept
 * as evidence, with whether the person had read that it ends the right to send the product back. Answers when the right ends.
 */
export const beginProvision = async (
  ctx: MemberCtx,
  productId: ProductId,
  right: Right,
  act: { kind: 'PLAY' | 'DOWNLOAD'; subject: string; accepted: boolean },
): Promise<string | null> => {
  const { entitlement } = right
  if (!entitlement) return right.expiresAt
  if (entitlement.startedAt !== null) return entitlement.expiresAt
  const now = ctx.clock.now()
  const ends = entitlement.rentalDays === null ? null : new Date(now.getTime() + entitlement.rentalDays * day)
  const { first, expiresAt } = await beginEntitlement(ctx.db, ctx.customer.id, entitlement, {
    at: now,
    expiresAt: ends,
  })
  if (first) {
    await insertProvision(ctx.db, ctx.customer.id, {
      memberId: ctx.actor.memberId,
      productId,
      entitlementId: entitlement.id,
      at: now.toISOString(),
      ...act,
    })
  }
  return expiresAt
}
