import type { ProductAccess } from '#contract/enumerations.ts'

/** What stands behind a right: anyone's, a member's, a bought one, a plan's. */
export type Standing = 'guest' | 'member' | 'buyer' | 'subscriber'

/** Who may watch or download a product, by its access. Everyone else gets the preview and the way to obtain it. */
export const accessTable = {
  FREE: { guest: true, member: true, buyer: true, subscriber: true },
  MEMBER: { guest: false, member: true, buyer: true, subscriber: true },
  PURCHASE: { guest: false, member: false, buyer: true, subscriber: false },
  PLAN: { guest: false, member: false, buyer: true, subscriber: true },
  PURCHASE_OR_PLAN: { guest: false, member: false, buyer: true, subscriber: true },
} as const satisfies Record<ProductAccess, Record<Standing, boolean>>
