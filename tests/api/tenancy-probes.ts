import type { FullTenant } from '#tests/support/full-tenant.ts'
import type { Client } from '#tests/support/test-api.ts'

/** How one call is tried against another tenant's objects, and what must come of it. */
export interface Probe {
  /** With the caller's own token on the caller's own address, and the other tenant's objects. */
  attempt: (own: Client, other: FullTenant) => Promise<unknown>
  /**
   * `NOT_FOUND`: the object does not exist here. `NOTHING_FOREIGN`: an answer with nothing of the
   * other's in it.
   */
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

  'accounts.profile': nothingForeign((own) => own.accounts.profile()),
  'accounts.changeProfile': nothingForeign((own) => own.accounts.changeProfile({ name: 'Mina Kim' })),
  'accounts.changePassword': nothingForeign((own) =>
    own.accounts
      .changePassword({ currentPassword: 'wrong', newPassword: 'another one' })
      .catch((error) => error.problem),
  ),
  'accounts.exportMe': nothingForeign((own) => own.accounts.exportMe()),
  'accounts.withdrawal': nothingForeign((own) => own.accounts.withdrawal()),
  'accounts.withdraw': nothingForeign((own) =>
    own.accounts.withdraw({ password: 'wrong' }).catch((error) => error.problem),
  ),
  'accounts.searchAddress': nothingForeign((own, other) => own.accounts.searchAddress({ q: other.mark })),

  'videos.videoJobs': nothingForeign((own) => own.videos.videoJobs({})),
  'videos.videoJob': notFound((own, other) => own.videos.videoJob({ id: other.ids.videoJob })),
  'videos.addVideo': notFound((own, other) =>
    own.videos.addVideo({ product: other.product.code, upload: other.ids.video }),
  ),
  'videos.cancelVideoJob': notFound((own, other) => own.videos.cancelVideoJob({ id: other.ids.videoJob })),
  'videos.retryVideoJob': notFound((own, other) => own.videos.retryVideoJob({ id: other.ids.videoJob })),

  'analytics.store': nothingForeign((own) => own.analytics.store({})),
  'analytics.products': nothingForeign((own) => own.analytics.products({})),
  'analytics.product': notFound((own, other) => own.analytics.product({ code: other.product.code })),
  'analytics.retention': notFound((own, other) => own.analytics.retention({ code: other.product.code })),
  'analytics.table': notFound((own, other) => own.analytics.table({ product: other.product.code })),

  'operators.operator': nothingForeign((own) => own.operators.operator()),

  'joining.requestJoin': nothingForeign((own, other) =>
    own.joining
      .requestJoin({
        email: other.member.email,
        password: 'correct horse battery',
        name: 'Mina Kim',
        phone: '+82 10 1111 2222',
        agreeTerms: true,
        agreePrivacy: true,
        isOldEnough: true,
      })
      .then(({ email: _given, ...answer }) => answer),
  ),
  'joining.joinStage': notFound((own, other) => own.joining.joinStage({ token: other.joinToken })),
  'joining.resendJoinCode': notFound((own, other) => own.joining.resendJoinCode({ token: other.joinToken })),
  'joining.confirmJoin': notFound((own, other) => own.joining.confirmJoin({ token: other.joinToken, code: '123456' })),
  'joining.join': notFound((own, other) => own.joining.join({ token: other.joinToken })),
  'joining.requestReset': nothingForeign((own, other) => own.joining.requestReset({ email: other.member.email })),
  'joining.requestSignInLink': nothingForeign((own, other) =>
    own.joining.requestSignInLink({ email: other.member.email }),
  ),
  'joining.checkReset': notFound((own) => own.joining.checkReset({ accessKey: 'x'.repeat(43) })),
  'joining.reset': notFound((own) => own.joining.reset({ accessKey: 'x'.repeat(43), password: 'another one' })),

  'plans.plans': nothingForeign((own) => own.plans.plans()),
  'plans.plan': notFound((own, other) => own.plans.plan({ id: other.ids.plan })),
  'plans.planProducts': notFound((own, other) => own.plans.planProducts({ id: other.ids.plan })),
  'plans.subscriptionProducts': nothingForeign((own) => own.plans.subscriptionProducts({})),
  'plans.subscription': nothingForeign((own) => own.plans.subscription()),
  'plans.subscribe': notFound((own, other) =>
    own.plans.subscribe({
      id: other.ids.plan,
      returnUrl: '/plans/payment-result',
      agreeRecurring: true,
      expectedPrice: { amount: 900, currency: other.settings.base.currency },
    }),
  ),
  'plans.confirmSubscription': notFound((own, other) => own.plans.confirmSubscription({ id: other.ids.subscription })),
  'plans.quote': notFound((own, other) => own.plans.quote({ planId: other.ids.plan })),
  'plans.changePlan': notFound((own, other) => own.plans.changePlan({ planId: other.ids.plan })),
  'plans.cancelSubscription': nothingForeign((own) => own.plans.cancelSubscription({})),
  'plans.resumeSubscription': nothingForeign((own) => own.plans.resumeSubscription().catch((error) => error.problem)),
  'plans.retryCharge': nothingForeign((own) => own.plans.retryCharge().catch((error) => error.problem)),
  'plans.subscriptionHistory': nothingForeign((own) => own.plans.subscriptionHistory({})),

  'cards.cards': nothingForeign((own) => own.cards.cards()),
  'cards.registerCard': notFound((own, other) =>
    own.cards.registerCard({ returnUrl: '/mypages/cards', replaces: other.ids.card }),
  ),
  'cards.confirmCard': notFound((own, other) => own.cards.confirmCard({ id: other.ids.card })),
  'cards.makeDefault': notFound((own, other) => own.cards.makeDefault({ id: other.ids.card })),
  'cards.removeCard': notFound((own, other) => own.cards.removeCard({ id: other.ids.card })),

  'inquiries.inquiryTypes': nothingForeign((own) => own.inquiries.inquiryTypes()),
  'inquiries.inquiries': nothingForeign((own) => own.inquiries.inquiries({})),
  'inquiries.inquiry': notFound((own, other) => own.inquiries.inquiry({ code: other.inquiryCode })),
  'inquiries.createInquiry': nothingForeign((own, other) =>
    own.inquiries
      .createInquiry({ type: 'ETC', title: 'Whose?', body: 'Not mine', files: [other.ids.file] })
      .catch((error) => error.problem),
  ),
  'inquiries.reply': notFound((own, other) => own.inquiries.reply({ code: other.inquiryCode, body: 'Mine now' })),
  'inquiries.sendFile': nothingForeign((own) => own.inquiries.sendFile({ file: new File(['mine'], 'mine.txt') })),

  'catalog.categories': nothingForeign((own) => own.catalog.categories()),
  'catalog.search': nothingForeign(async (own, other) => [
    await own.catalog.search({}),
    await own.catalog.search({ q: other.mark }),
    await own.catalog.search({ category: other.category.id }),
  ]),
  'catalog.suggest': nothingForeign((own, other) => own.catalog.suggest({ q: other.mark })),
  'catalog.sitemap': nothingForeign((own) => own.catalog.sitemap({})),
  'catalog.recentlyWatched': nothingForeign((own) => own.catalog.recentlyWatched({})),
  'catalog.viewed': nothingForeign((own) => own.catalog.viewed({})),
  'catalog.histories': nothingForeign((own) => own.catalog.histories({})),
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

  'checkout.cart': nothingForeign((own) => own.checkout.cart()),
  'checkout.addToCart': notFound((own, other) =>
    own.checkout.addToCart({ productId: other.product.id, optionId: other.product.optionId! }),
  ),
  'checkout.changeCartItem': notFound((own, other) =>
    own.checkout.changeCartItem({ id: other.ids.cartItem, optionId: other.product.optionId!, version: 1 }),
  ),
  'checkout.removeCartItem': notFound((own, other) => own.checkout.removeCartItem({ id: other.ids.cartItem })),
  'checkout.placeOrder': notFound((own, other) =>
    own.checkout.placeOrder({
      buyNow: { productId: other.product.id, optionId: other.product.optionId! },
      refundPolicyVersion: other.settings.order.refundPolicy.version,
    }),
  ),
  'checkout.orders': nothingForeign((own) => own.checkout.orders({})),
  'checkout.order': notFound((own, other) => own.checkout.order({ code: other.orderCode })),
  'checkout.requestCancel': notFound((own, other) =>
    own.checkout.requestCancel({ code: other.orderCode, reason: 'Not mine' }),
  ),
  'checkout.withdrawCancelRequest': notFound((own, other) =>
    own.checkout.withdrawCancelRequest({ code: other.orderCode }),
  ),
  'checkout.setRefundAccount': notFound((own, other) =>
    own.checkout.setRefundAccount({
      code: other.orderCode,
      refundAccount: { bank: 'A bank', number: '123-456-789', holder: 'Mina Kim' },
    }),
  ),
  'checkout.receiptPdf': notFound((own, other) => own.checkout.receiptPdf({ code: other.orderCode })),
  'checkout.receipt': notFound((own, other) => own.checkout.receipt({ code: other.orderCode })),
  'checkout.startPayment': notFound((own, other) =>
    own.checkout.startPayment({ code: other.orderCode, method: 'CARD', returnUrl: '/payments/result' }),
  ),
  'checkout.confirmPayment': notFound((own, other) => own.checkout.confirmPayment({ id: other.ids.payment })),

  'playback.preview': notFound((own, other) =>
    own.playback.preview({ id: other.product.id, previewId: other.ids.video }),
  ),
  'playback.startPlayback': notFound((own, other) => own.playback.startPlayback({ id: other.free.id })),
  'playback.progress': notFound((own, other) =>
    own.playback.progress({ id: other.free.id, positionSeconds: 5, playedSeconds: 5, at: new Date().toISOString() }),
  ),
  'playback.dismissWatched': notFound((own, other) =>
    own.playback.dismissWatched({ id: other.free.id, dismissed: true }),
  ),
}
