import type { Ctx } from '#api/context.ts'
import { findOffer, type Offer } from '#api/db/queries/carts.ts'
import { findProduct } from '#api/db/queries/playables.ts'
import { isVisible } from '#api/domain/catalog/visible-product.ts'
import { type Right, rightsOf } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { OptionId, ProductId } from '#contract/ids.ts'
import { blockedBy } from './blocked.ts'

/** An option the actor may buy now, or why not. Cart and order ask the same question here. */
export const buyableOffer = async (ctx: Ctx, productId: ProductId, optionId: OptionId): Promise<Offer | Failure> => {
  const { order } = ctx.customer.settings
  if (!order.usePayment && !order.useFree) return failure('PAYMENT_DISABLED')
  const offer = await findOffer(ctx.db, ctx.customer.id, productId, optionId)
  if (!offer) {
    const product = await findProduct(ctx.db, ctx.customer.id, productId)
    if (!product || product.status === 'DRAFT') return failure('NOT_FOUND')
    return failure('VALIDATION_FAILED', { errors: { optionId: ['Choose one of the options of this product.'] } })
  }
  const [answer = failure('NOT_FOUND')] = await judgeOffers(ctx, [offer])
  return answer
}

/** The same of options that have been read, in their order. */
export const judgeOffers = async (ctx: Ctx, offers: readonly Offer[]): Promise<(Offer | Failure)[]> => {
  const rights = await rightsOf(
    ctx,
    offers.map(({ product }) => ({ id: product.id as ProductId, access: product.access as ProductAccess })),
  )
  return offers.map((offer) => {
    const right = rights.get(offer.product.id as ProductId)
    return right ? judge(ctx, offer, right) : failure('NOT_FOUND')
  })
}

const judge = ({ customer, clock }: Ctx, offer: Offer, right: Right): Offer | Failure => {
  const { order } = customer.settings
  const { status } = offer.product
  if (status === 'DRAFT' || status === 'HIDDEN' || !isVisible(offer.product, right, order)) return failure('NOT_FOUND')
  if (!order.usePayment && offer.option.priceAmount > 0) return failure('PAYMENT_DISABLED')
  const blocked = blockedBy(offer, right, customer.settings, clock.now())
  switch (blocked) {
    case null:
      return offer
    case 'ENDED':
      return failure('GONE')
    case 'NOT_READY':
      return failure('NOT_READY')
    case 'OWNED':
      return failure('ALREADY_OWNED')
    case 'INCLUDED_IN_PLAN':
      return failure('INCLUDED_IN_PLAN')
    default:
      return blocked satisfies never
  }
}
