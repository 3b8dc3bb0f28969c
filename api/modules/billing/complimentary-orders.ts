import { heldRights } from '#api/modules/entitlements/entitlements.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOwnOffers, type Offer } from '#api/modules/orders/cart.queries.ts'
import { lockOrder } from '#api/modules/orders/orders.queries.ts'
import { writeDraft } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, OrderCode, ProductCode } from '#contract/ids.ts'
import { lockBuyer, noProvider } from './payments.queries.ts'
import { createPayment } from './payments.ts'

interface ComplimentaryOrder {
  memberId: MemberId
  productCodes: readonly ProductCode[]
  /** For the history. The member does not see it. */
  reason: string
}

/**
 * Gives a member titles for nothing, as an order with a total of zero. Failures: NOT_FOUND without
 * the member, VALIDATION_FAILED for a title that cannot be owned or that the member has.
 */
export const createComplimentaryOrder = async (
  ctx: Ctx,
  by: AuditActor,
  { memberId, productCodes, reason }: ComplimentaryOrder,
): Promise<{ code: OrderCode } | Failure> => {
  const { db, customer } = ctx
  const member = await findMember(db, customer.id, memberId)
  if (!member) return failure('NOT_FOUND')
  await lockBuyer(db, memberId)
  const offers = await offersToGive(ctx, memberId, [...new Set(productCodes)])
  if (isFailure(offers)) return offers
  // The order keeps the words of the day, in the language of its owner.
  const locale = member.locale ?? customer.settings.base.locale
  const placed = await writeDraft({ ...ctx, locale }, { memberId, offers, total: 0, complimentary: true })
  const order = await lockOrder(db, customer.id, placed.id)
  if (!order) throw new Error('A new order is not there')
  await createPayment(ctx, order, 'CARD', noProvider)
  await audit(ctx, {
    actor: by,
    action: 'order.given',
    subject: `order:${order.code}`,
    changes: changesOf({}, { titles: offers.map(({ product }) => product.code), member: memberId }),
    detail: { reason },
  })
  return { code: order.code }
}

const offersToGive = async (
  { db, customer, clock, locale }: Ctx,
  memberId: MemberId,
  codes: readonly ProductCode[],
): Promise<Offer[] | Failure> => {
  const i18n = messagesOf(locale)
  const unsorted = await findOwnOffers(db, customer.id, codes)
  const offers = codes.flatMap((code) => unsorted.find(({ product }) => product.code === code) ?? [])
  if (offers.length < codes.length || offers.some(({ product }) => product.status === 'DRAFT'))
    return invalidField('productCodes', i18n._('Enter codes of titles that can be bought to own and are not drafts.'))
  const productIds = offers.map(({ product }) => product.id)
  const rights = await heldRights(db, customer.id, { memberId, productIds, onPlan: [] }, clock.now())
  // A rental ends. The title stays after it.
  const owned = rights.entitlements.find(({ source }) => source !== 'RENT')
  const title = offers.find(({ product }) => product.id === owned?.productId)?.product.title
  return title === undefined ? offers : invalidField('productCodes', i18n._('The member has {title}.', { title }))
}
