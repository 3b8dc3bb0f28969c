import type { ProductOption } from '#contract/catalog.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

/** The options that a product page offers the viewer. */
export type AccessOption =
  | { to: 'watch' }
  | { to: 'download' }
  | { to: 'sign in' }
  | { to: 'buy'; options: ProductOption[]; orPlan: boolean }
  | { to: 'plan' }
  | { to: 'nothing' }
  /** The product has no stream or file yet. `owned`: the member has bought it already. */
  | { to: 'wait'; owned: boolean }

/** Whether there is a video, not only files. */
const hasStream = ({ durationSeconds, lessons }: ProductDetail) => durationSeconds !== null || lessons.length > 0

/** Decides by the product's access, the viewer's rights and the store's offers. */
export function accessOption(product: ProductDetail, order: SiteSettings['order'], signedIn: boolean): AccessOption {
  if (!product.ready) return { to: 'wait', owned: ['OWN', 'RENT'].includes(product.viewer?.source ?? '') }
  const open = product.access === 'FREE' || (product.access === 'MEMBER' && signedIn)
  if (product.viewer?.entitled || (open && order.useFree)) return { to: hasStream(product) ? 'watch' : 'download' }
  if (product.access === 'MEMBER' && order.useFree) return { to: 'sign in' }

  const byPlan = order.useSubscribe && (product.access === 'PLAN' || product.access === 'PURCHASE_OR_PLAN')
  const bySale = order.usePayment && product.access !== 'PLAN' && product.options.length > 0
  if (bySale) return { to: 'buy', options: product.options, orPlan: byPlan }
  return { to: byPlan ? 'plan' : 'nothing' }
}
