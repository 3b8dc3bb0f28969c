import { readStoredProduct } from '#api/modules/catalog/playables.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { endOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, ProductCode, ProductId } from '#contract/ids.ts'
import { endGrants, heldRights, insertGrant } from './entitlements.queries.ts'

interface TitleRevocation {
  id: MemberId
  productCode: ProductCode
  /** For the history. */
  reason: string
}

export interface TitleGrant extends TitleRevocation {
  /** The last day (`2026-11-21`) in the store's time zone. */
  until?: string | undefined
}

/** The last millisecond of a day in the store's time zone; null without a day. */
const endOf = ({ customer }: Ctx, day: string | undefined) =>
  day === undefined ? null : endOfDay(day, customer.settings.base.timeZone).toISOString()

/**
 * Returns what a grant is to be written of, and locks the member. Failures: NOT_FOUND without the
 * member, VALIDATION_FAILED for a past day, an unknown product or a draft.
 */
export const checkGrant = async (ctx: Ctx, { id, productCode, until }: TitleGrant) => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  // The lock puts the decisions of two people on one member after each other.
  if (!(await findMember(db, customer.id, id, { lock: true }))) return failure('NOT_FOUND')
  const expiresAt = endOf(ctx, until)
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now().getTime())
    return invalidField('until', i18n._('Enter a day that is not in the past.'))
  const { product } = (await readStoredProduct(db, customer.id, productCode)) ?? {}
  if (!product || product.status === 'DRAFT')
    return invalidField('productCode', i18n._('Enter the code of a product that is not a draft.'))
  return { productId: product.id, expiresAt }
}

/**
 * Writes a grant that `checkGrant` accepted. Failure: VALIDATION_FAILED for a title that the member
 * owns or was granted.
 */
export const writeGrant = async (
  ctx: Ctx,
  by: AuditActor,
  { id, productCode, reason }: TitleGrant,
  { productId, expiresAt }: { productId: ProductId; expiresAt: string | null },
): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  const now = clock.now()
  const rights = await heldRights(db, customer.id, { memberId: id, productIds: [productId], onPlan: [] }, now)
  // A rental ends. The title stays after it.
  if (rights.entitlements.some(({ source }) => source !== 'RENT'))
    return invalidField('productCode', i18n._('The member has this title.'))
  await insertGrant(db, customer.id, { memberId: id, productId, expiresAt }, now)
  await audit(ctx, {
    actor: by,
    action: 'title.granted',
    subject: `member:${id}`,
    changes: changesOf({}, { title: productCode, expiresAt }),
    detail: { reason },
  })
  return undefined
}

/**
 * Takes away what a member was granted of a title; streams end with their next file. Failure:
 * NOT_FOUND without the member or such a grant, also for a title that was bought.
 */
export const revokeTitle = async (
  ctx: Ctx,
  by: AuditActor,
  { id, productCode, reason }: TitleRevocation,
): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  if (!(await findMember(db, customer.id, id, { lock: true }))) return failure('NOT_FOUND')
  const stored = await readStoredProduct(db, customer.id, productCode)
  if (!stored) return failure('NOT_FOUND')
  const [ended] = await endGrants(db, customer.id, { memberId: id, productId: stored.product.id }, clock.now())
  if (!ended) return failure('NOT_FOUND')
  await audit(ctx, {
    actor: by,
    action: 'title.revoked',
    subject: `member:${id}`,
    changes: changesOf({ title: productCode, expiresAt: ended.expiresAt }, {}),
    detail: { reason },
  })
  return undefined
}
