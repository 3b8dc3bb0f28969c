import { readStoredProduct } from '#api/modules/catalog/playables.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { endOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, ProductCode } from '#contract/ids.ts'
import { endGrants, heldRights, insertGrant } from './entitlements.queries.ts'

interface TitleRevocation {
  id: MemberId
  productCode: ProductCode
  /** For the history. */
  reason: string
}

interface TitleGrant extends TitleRevocation {
  /** The last day (`2026-11-21`) in the store's time zone. */
  until?: string | undefined
}

/** The last millisecond of a day in the store's time zone; null without a day. */
const endOf = ({ customer }: Ctx, day: string | undefined) =>
  day === undefined ? null : endOfDay(day, customer.settings.base.timeZone).toISOString()

/**
 * Grants a member a title without an order, on the decision of staff. Failures: NOT_FOUND without
 * the member, VALIDATION_FAILED for a past day, an unknown product or a draft, and a title that the
 * member owns or was granted.
 */
export const grantTitle = async (ctx: Ctx, by: AuditActor, grant: TitleGrant): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  const { id, productCode, reason } = grant
  const i18n = messagesOf(ctx.locale)
  // The lock puts the decisions of two people on one member after each other.
  if (!(await findMember(db, customer.id, id, { lock: true }))) return failure('NOT_FOUND')
  const now = clock.now()
  const expiresAt = endOf(ctx, grant.until)
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
    return invalidField('until', i18n._('Enter a day that is not in the past.'))
  const { product } = (await readStoredProduct(db, customer.id, productCode)) ?? {}
  if (!product || product.status === 'DRAFT')
    return invalidField('productCode', i18n._('Enter the code of a product that is not a draft.'))
  const rights = await heldRights(db, customer.id, { memberId: id, productIds: [product.id], onPlan: [] }, now)
  // A rental ends. The title stays after it.
  if (rights.entitlements.some(({ source }) => source !== 'RENT'))
    return invalidField('productCode', i18n._('The member has this title.'))
  await insertGrant(db, customer.id, { memberId: id, productId: product.id, expiresAt }, now)
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
