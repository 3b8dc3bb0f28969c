import type { Offer } from '#api/db/queries/carts.ts'
import type { Right } from '#api/domain/entitlements/rights.ts'
import type { CartItem } from '#contract/cart.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

type Sold = Pick<Offer, 'product' | 'option'>

/** Whether an option may be sold at this moment, to anyone. */
const isOnSale = ({ product, option }: Sold, { base, order }: SiteSettings, now: Date) =>
  product.status === 'ON_SALE' &&
  option.onSale &&
  option.currency === base.currency &&
  (order.useFree || option.priceAmount > 0) &&
  (product.saleFrom === null || Date.parse(product.saleFrom) <= now.getTime()) &&
  (product.saleTo === null || Date.parse(product.saleTo) > now.getTime())

/**
 * Whether a right that was bought or given, even one that is suspended for now, stands in the way of buying an option. A rental may be
 * followed by a purchase, never by another rental.
 */
export const owns = ({ source, suspended }: Pick<Right, 'source' | 'suspended'>, optionType: string): boolean =>
  [source, suspended].some((one) => one === 'OWN' || one === 'GRANT' || (one === 'RENT' && optionType === 'RENT'))

/** Why a person cannot buy an option now; null when they can. */
export const blockedBy = (offer: Sold, right: Right, settings: SiteSettings, now: Date): CartItem['blocked'] => {
  if (owns(right, offer.option.type)) return 'OWNED'
  switch (right.source) {
    case 'FREE':
    case 'MEMBER':
      return 'OWNED'
    case 'PLAN':
      return 'INCLUDED_IN_PLAN'
    case 'OWN':
    case 'GRANT':
    case 'RENT':
    case null:
      break
    default:
      right.source satisfies never
  }
  if (!isOnSale(offer, settings, now)) return 'ENDED'
  return offer.product.ready ? null : 'NOT_READY'
}
