import type { FullTenant } from '#tests/support/full-tenant.ts'
import type { Client } from '#tests/support/test-api.ts'

/** How one call is tried against another tenant's objects, and what must come of it. */
export interface Probe {
  /** With the caller's own token on the caller's own address, and the other tenant's objects. */
  attempt: (own: Client, other: FullTenant) => Promise<unknown>
  /** `NOT_FOUND`: the object does not exist here. `NOTHING_FOREIGN`: an answer with nothing of the other's in it. */
  expects: 'NOT_FOUND' | 'NOTHING_FOREIGN'
}

const notFound = (attempt: Probe['attempt']): Probe => ({ attempt, expects: 'NOT_FOUND' })
const nothingForeign = (attempt: Probe['attempt']): Probe => ({ attempt, expects: 'NOTHING_FOREIGN' })

/** One probe a call, by the call's name in the contract. A call without one fails the test. */
export const probes: Record<string, Probe> = {
  'tenancy.contract': nothingForeign((own) => own.tenancy.contract()),
  'tenancy.siteSettings': nothingForeign((own) => own.tenancy.siteSettings()),

  'accounts.login': nothingForeign((own, other) =>
    own.accounts
      .login({ email: other.member.email, password: 'correct horse battery' })
      .catch((error) => error.problem),
  ),
  'accounts.me': nothingForeign((own) => own.accounts.me()),
  'accounts.sessions': nothingForeign((own) => own.accounts.sessions()),
  'accounts.endOtherSessions': nothingForeign((own) => own.accounts.endOtherSessions()),
  'accounts.endSession': notFound((own, other) => own.accounts.endSession({ id: other.ids.session })),
  'accounts.logout': nothingForeign((own) => own.accounts.logout()),

  'catalog.categories': nothingForeign((own) => own.catalog.categories()),
  'catalog.search': nothingForeign(async (own, other) => [
    await own.catalog.search({}),
    await own.catalog.search({ q: other.mark }),
    await own.catalog.search({ category: other.category.id }),
  ]),
  'catalog.suggest': nothingForeign((own, other) => own.catalog.suggest({ q: other.mark })),
  'catalog.recentlyWatched': nothingForeign((own) => own.catalog.recentlyWatched({})),
  'catalog.viewed': nothingForeign((own) => own.catalog.viewed({})),
  'catalog.product': notFound((own, other) => own.catalog.product({ id: other.product.id })),
  'catalog.productOptions': notFound((own, other) => own.catalog.productOptions({ id: other.product.id })),
  'catalog.options': nothingForeign(async (own, other) => {
    const { items } = await own.catalog.options({ productIds: [other.product.id] })
    return items
  }),
  'catalog.viewerStates': nothingForeign((own, other) => own.catalog.viewerStates({ productIds: [other.product.id] })),
  'catalog.attachments': notFound((own, other) => own.catalog.attachments({ id: other.product.id })),
  'catalog.confirmAttachment': notFound((own, other) =>
    own.catalog.confirmAttachment({ id: other.product.id, attachmentId: other.ids.attachment }),
  ),

  'engagement.like': notFound((own, other) => own.engagement.like({ id: other.product.id, liked: true })),
  'engagement.view': notFound((own, other) => own.engagement.view({ id: other.product.id })),
  'engagement.liked': nothingForeign((own) => own.engagement.liked({})),
  'engagement.purchased': nothingForeign((own) => own.engagement.purchased({})),
  'engagement.comments': notFound((own, other) => own.engagement.comments({ id: other.product.id })),
  'engagement.addComment': notFound((own, other) => own.engagement.addComment({ id: other.product.id, body: 'Hello' })),
  'engagement.replies': notFound((own, other) =>
    own.engagement.replies({ id: other.product.id, commentId: other.ids.comment }),
  ),
  'engagement.editComment': notFound((own, other) =>
    own.engagement.editComment({ id: other.product.id, commentId: other.ids.comment, body: 'Mine now' }),
  ),
  'engagement.deleteComment': notFound((own, other) =>
    own.engagement.deleteComment({ id: other.product.id, commentId: other.ids.comment }),
  ),
  'engagement.reportComment': notFound((own, other) =>
    own.engagement.reportComment({ id: other.product.id, commentId: other.ids.comment, reason: 'SPAM' }),
  ),

  'content.banners': nothingForeign((own) => own.content.banners()),
  'content.notices': nothingForeign((own) => own.content.notices({})),
  'content.notice': notFound((own, other) => own.content.notice({ id: other.ids.notice })),
  'content.faq': nothingForeign((own, other) => own.content.faq({ q: other.mark })),
  'content.pages': nothingForeign((own) => own.content.pages()),
  'content.page': notFound((own, other) => own.content.page({ type: other.pageType })),

  'commerce.cart': nothingForeign((own) => own.commerce.cart()),
  'commerce.addToCart': notFound((own, other) =>
    own.commerce.addToCart({ productId: other.product.id, optionId: other.product.optionId! }),
  ),
  'commerce.changeCartItem': notFound((own, other) =>
    own.commerce.changeCartItem({ id: other.ids.cartItem, optionId: other.product.optionId!, version: 1 }),
  ),
  'commerce.removeCartItem': notFound((own, other) => own.commerce.removeCartItem({ id: other.ids.cartItem })),
  'commerce.placeOrder': notFound((own, other) =>
    own.commerce.placeOrder({
      buyNow: { productId: other.product.id, optionId: other.product.optionId! },
      refundPolicyVersion: other.settings.order.refundPolicy.version,
    }),
  ),
  'commerce.orders': nothingForeign((own) => own.commerce.orders({})),
  'commerce.order': notFound((own, other) => own.commerce.order({ code: other.orderCode })),
  'commerce.startPayment': notFound((own, other) =>
    own.commerce.startPayment({ code: other.orderCode, method: 'CARD', returnUrl: '/payments/result' }),
  ),
  'commerce.confirmPayment': notFound((own, other) => own.commerce.confirmPayment({ id: other.ids.payment })),

  'playback.preview': notFound((own, other) =>
    own.playback.preview({ id: other.product.id, previewId: other.ids.video }),
  ),
  'playback.startPlayback': notFound((own, other) => own.playback.startPlayback({ id: other.free.id })),
  'playback.progress': notFound((own, other) =>
    own.playback.progress({ id: other.free.id, positionSeconds: 5, playedSeconds: 5, at: new Date().toISOString() }),
  ),
}
