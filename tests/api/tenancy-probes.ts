import { randomUUID } from 'node:crypto'
import { bulkJobId, customerCode, paymentId, planCode, productCode, quoteId, uploadId } from '#contract/ids.ts'
import type { FullTenant } from '#tests/support/full-tenant.ts'
import { smallPicture } from '#tests/support/media.ts'
import { type Client, failureOf } from '#tests/support/test-api.ts'

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

/** A count of what only the other store has. */
const countsNothing = (attempt: (...stores: Parameters<Probe['attempt']>) => Promise<{ count: number }>): Probe =>
  nothingForeign(async (own, other) => {
    const { count } = await attempt(own, other)
    if (count > 0) throw new Error(`It counts ${count} of the other store`)
  })

/** A call of the installation's staff alone, who decide about all stores. */
const onlyInstallation = (attempt: Probe['attempt']): Probe =>
  nothingForeign(async (own, other) => {
    const refused = await failureOf(attempt(own, other))
    if (refused.code !== 'FORBIDDEN') throw new Error(`A store's program is answered ${refused.code}`)
  })

/** One probe a call, by the call's name in the contract. A call without one fails the test. */
export const probes: Record<string, Probe> = {
  'tenancy.contract': nothingForeign((own) => own.tenancy.contract()),
  'tenancy.siteSettings': nothingForeign((own) => own.tenancy.siteSettings()),

  'identity.login': nothingForeign((own, other) =>
    own.identity
      .login({ email: other.member.email, password: 'correct horse battery' })
      .catch((error) => error.problem),
  ),
  'identity.me': nothingForeign((own) => own.identity.me()),
  'identity.sessions': nothingForeign((own) => own.identity.sessions()),
  'identity.endOtherSessions': nothingForeign((own) => own.identity.endOtherSessions()),
  'identity.endSession': notFound((own, other) => own.identity.endSession({ id: other.ids.session })),
  'identity.logout': nothingForeign((own) => own.identity.logout()),

  'identity.profile': nothingForeign((own) => own.identity.profile()),
  'identity.changeProfile': nothingForeign((own) => own.identity.changeProfile({ name: 'Mina Kim' })),
  'identity.changePassword': nothingForeign((own) =>
    own.identity
      .changePassword({ currentPassword: 'wrong', newPassword: 'another one' })
      .catch((error) => error.problem),
  ),
  'identity.exportMe': nothingForeign((own) => own.identity.exportMe()),
  'identity.withdrawal': nothingForeign((own) => own.identity.withdrawal()),
  'identity.withdraw': nothingForeign((own) =>
    own.identity.withdraw({ password: 'wrong' }).catch((error) => error.problem),
  ),
  'identity.searchAddress': nothingForeign((own, other) => own.identity.searchAddress({ q: other.mark })),

  'media.videoJobs': nothingForeign((own) => own.media.videoJobs({})),
  'media.videoJob': notFound((own, other) => own.media.videoJob({ id: other.ids.videoJob })),
  'media.addVideo': notFound((own, other) =>
    own.media.addVideo({ product: other.product.code, upload: other.ids.video }),
  ),
  'media.cancelVideoJob': notFound((own, other) => own.media.cancelVideoJob({ id: other.ids.videoJob })),
  'media.retryVideoJob': notFound((own, other) => own.media.retryVideoJob({ id: other.ids.videoJob })),

  'analytics.store': nothingForeign((own) => own.analytics.store({})),
  'analytics.products': nothingForeign((own) => own.analytics.products({})),
  'analytics.product': notFound((own, other) => own.analytics.product({ code: other.product.code })),
  'analytics.retention': notFound((own, other) => own.analytics.retention({ code: other.product.code })),
  'analytics.sales': nothingForeign((own) => own.analytics.sales({})),
  'analytics.settlements': nothingForeign((own) => own.analytics.settlements({})),
  'analytics.titles': nothingForeign((own) => own.analytics.titles({})),
  'analytics.subscriptions': nothingForeign((own) => own.analytics.subscriptions({})),
  // The probe of the search has searched here for the mark itself.
  'analytics.searches': nothingForeign(async (own, other) =>
    (await own.analytics.searches({})).items.filter(({ words }) => words !== other.mark),
  ),
  'analytics.table': notFound((own, other) => own.analytics.table({ product: other.product.code })),

  'staff.signIn': nothingForeign((own, other) =>
    own.staff.signIn({ email: other.staff.email, password: 'correct horse battery' }).catch((error) => error.problem),
  ),
  'staff.signOut': nothingForeign((own) => own.staff.signOut()),
  'staff.me': nothingForeign((own) => own.staff.me()),
  'staff.stores': nothingForeign((own) => own.staff.stores()),
  'staff.changeProfile': nothingForeign((own) => own.staff.changeProfile({ name: 'Jo Lee' })),
  'staff.changePassword': nothingForeign((own) =>
    own.staff.changePassword({ currentPassword: 'wrong', newPassword: 'another one' }).catch((error) => error.problem),
  ),
  'staff.sessions': nothingForeign((own) => own.staff.sessions()),
  'staff.endSession': notFound((own, other) => own.staff.endSession({ id: other.ids.staffSession })),
  'staff.endOtherSessions': nothingForeign((own) => own.staff.endOtherSessions()),
  'staff.confirmSecondFactor': nothingForeign((own) =>
    own.staff.confirmSecondFactor({ code: '123456' }).catch((error) => error.problem),
  ),
  'staff.startTotp': nothingForeign((own) => own.staff.startTotp({ password: 'correct horse battery' })),
  'staff.confirmTotp': nothingForeign((own) =>
    own.staff.confirmTotp({ code: '123456' }).catch((error) => error.problem),
  ),
  'staff.removeTotp': nothingForeign((own) => own.staff.removeTotp({ password: 'correct horse battery' })),
  'staff.passkeyChallenge': nothingForeign((own) => own.staff.passkeyChallenge()),
  'staff.signInWithPasskey': nothingForeign((own, other) =>
    own.staff.signInWithPasskey(other.passkeyProof).catch((error) => error.problem),
  ),
  'staff.confirmPasskey': nothingForeign((own, other) =>
    own.staff.confirmPasskey(other.passkeyProof).catch((error) => error.problem),
  ),
  'staff.passkeys': nothingForeign((own) => own.staff.passkeys()),
  'staff.startPasskey': nothingForeign((own) => own.staff.startPasskey({ password: 'correct horse battery' })),
  'staff.addPasskey': nothingForeign((own, other) =>
    own.staff.addPasskey(other.passkeyForm).catch((error) => error.problem),
  ),
  'staff.removePasskey': notFound((own, other) =>
    own.staff.removePasskey({ id: other.ids.passkey, password: 'correct horse battery' }),
  ),
  'staff.views': nothingForeign((own) => own.staff.views()),
  'staff.saveView': nothingForeign((own) =>
    own.staff.saveView({ list: 'orders', name: 'Paid', search: { status: 'PAYMENT_COMPLETE' }, isShared: false }),
  ),
  'staff.changeView': notFound((own, other) => own.staff.changeView({ id: other.ids.view, name: 'Mine' })),
  'staff.deleteView': notFound((own, other) => own.staff.deleteView({ id: other.ids.view })),
  'staff.requestReset': nothingForeign((own, other) => own.staff.requestReset({ email: other.staff.email })),
  'staff.reset': notFound((own) => own.staff.reset({ key: 'x'.repeat(43), password: 'another one' })),
  'staff.checkInvitation': notFound((own) => own.staff.checkInvitation({ key: 'x'.repeat(43) })),
  'staff.acceptInvitation': notFound((own) =>
    own.staff.acceptInvitation({ key: 'x'.repeat(43), name: 'Jo', password: 'correct horse battery' }),
  ),
  'staff.people': nothingForeign((own) => own.staff.people()),
  'staff.changeRole': notFound((own, other) =>
    own.staff.changeRole({ id: other.ids.staffPerson, grant: { role: 'SUPPORT' } }),
  ),
  'staff.resetSecondFactor': notFound((own, other) =>
    own.staff.resetSecondFactor({ id: other.ids.staffPerson, reason: 'none' }),
  ),
  'staff.requestEmailChange': nothingForeign((own) =>
    own.staff.requestEmailChange({ email: 'probe@example.com', password: 'wrong' }).catch((error) => error.problem),
  ),
  'staff.confirmEmailChange': notFound((own) => own.staff.confirmEmailChange({ key: 'x'.repeat(60) })),
  'staff.remove': notFound((own, other) => own.staff.remove({ id: other.ids.staffPerson })),
  'staff.invitations': nothingForeign((own) => own.staff.invitations()),
  'staff.invite': nothingForeign((own) => own.staff.invite({ email: 'new@example.com', grant: { role: 'SUPPORT' } })),
  'staff.revokeInvitation': notFound((own, other) => own.staff.revokeInvitation({ id: other.ids.staffInvitation })),
  'staff.roles': nothingForeign((own) => own.staff.roles()),
  'staff.createRole': nothingForeign((own) => own.staff.createRole({ name: 'Editor', permissions: ['content:write'] })),
  'staff.changeOwnRole': notFound((own, other) =>
    own.staff.changeOwnRole({ id: other.ids.staffRole, name: 'Editor', permissions: ['content:write'] }),
  ),
  'staff.deleteRole': notFound((own, other) => own.staff.deleteRole({ id: other.ids.staffRole })),
  'staff.tokens': nothingForeign((own) => own.staff.tokens()),
  'staff.createToken': nothingForeign((own) => own.staff.createToken({ name: 'new', scopes: ['orders:read'] })),
  'staff.revokeToken': notFound((own, other) => own.staff.revokeToken({ id: other.ids.token })),

  'identity.operator': nothingForeign((own) => own.identity.operator()),

  'identity.requestJoin': nothingForeign((own, other) =>
    own.identity
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
  'identity.joinStage': notFound((own, other) => own.identity.joinStage({ token: other.joinToken })),
  'identity.resendJoinCode': notFound((own, other) => own.identity.resendJoinCode({ token: other.joinToken })),
  'identity.confirmJoin': notFound((own, other) =>
    own.identity.confirmJoin({ token: other.joinToken, code: '123456' }),
  ),
  'identity.join': notFound((own, other) => own.identity.join({ token: other.joinToken })),
  'identity.requestReset': nothingForeign((own, other) => own.identity.requestReset({ email: other.member.email })),
  'identity.requestSignInLink': nothingForeign((own, other) =>
    own.identity.requestSignInLink({ email: other.member.email }),
  ),
  'identity.checkReset': notFound((own) => own.identity.checkReset({ accessKey: 'x'.repeat(43) })),
  'identity.reset': notFound((own) => own.identity.reset({ accessKey: 'x'.repeat(43), password: 'another one' })),

  'subscriptions.plans': nothingForeign((own) => own.subscriptions.plans()),
  'subscriptions.plan': notFound((own, other) => own.subscriptions.plan({ id: other.ids.plan })),
  'subscriptions.planProducts': notFound((own, other) => own.subscriptions.planProducts({ id: other.ids.plan })),
  'subscriptions.subscriptionProducts': nothingForeign((own) => own.subscriptions.subscriptionProducts({})),
  'subscriptions.subscription': nothingForeign((own) => own.subscriptions.subscription()),
  'subscriptions.subscribe': notFound((own, other) =>
    own.subscriptions.subscribe({
      id: other.ids.plan,
      returnUrl: '/plans/payment-result',
      agreeRecurring: true,
      expectedPrice: { amount: 900, currency: other.settings.base.currency },
    }),
  ),
  'subscriptions.confirmSubscription': notFound((own, other) =>
    own.subscriptions.confirmSubscription({ id: other.ids.subscription }),
  ),
  'subscriptions.quote': notFound((own, other) => own.subscriptions.quote({ planId: other.ids.plan })),
  'subscriptions.changePlan': notFound((own, other) => own.subscriptions.changePlan({ planId: other.ids.plan })),
  'subscriptions.cancelSubscription': nothingForeign((own) => own.subscriptions.cancelSubscription({})),
  'subscriptions.resumeSubscription': nothingForeign((own) =>
    own.subscriptions.resumeSubscription().catch((error) => error.problem),
  ),
  'subscriptions.endPause': nothingForeign((own) => own.subscriptions.endPause().catch((error) => error.problem)),
  'subscriptions.retryCharge': nothingForeign((own) => own.subscriptions.retryCharge().catch((error) => error.problem)),
  'subscriptions.subscriptionHistory': nothingForeign((own) => own.subscriptions.subscriptionHistory({})),

  'billing.cards': nothingForeign((own) => own.billing.cards()),
  'billing.registerCard': notFound((own, other) =>
    own.billing.registerCard({ returnUrl: '/mypages/cards', replaces: other.ids.card }),
  ),
  'billing.confirmCard': notFound((own, other) => own.billing.confirmCard({ id: other.ids.card })),
  'billing.makeDefault': notFound((own, other) => own.billing.makeDefault({ id: other.ids.card })),
  'billing.removeCard': notFound((own, other) => own.billing.removeCard({ id: other.ids.card })),

  'support.inquiryTypes': nothingForeign((own) => own.support.inquiryTypes()),
  'support.inquiries': nothingForeign((own) => own.support.inquiries({})),
  'support.inquiry': notFound((own, other) => own.support.inquiry({ code: other.inquiryCode })),
  'support.createInquiry': nothingForeign((own, other) =>
    own.support
      .createInquiry({ type: 'ETC', title: 'Whose?', body: 'Not mine', files: [other.ids.file] })
      .catch((error) => error.problem),
  ),
  'support.reply': notFound((own, other) => own.support.reply({ code: other.inquiryCode, body: 'Mine now' })),
  'support.sendFile': nothingForeign((own) => own.support.sendFile({ file: new File(['mine'], 'mine.txt') })),

  'catalog.categories': nothingForeign((own) => own.catalog.categories()),
  'catalog.search': nothingForeign(async (own, other) => [
    await own.catalog.search({}),
    await own.catalog.search({ q: other.mark }),
    await own.catalog.search({ category: other.category.id }),
  ]),
  'catalog.chosen': nothingForeign((own, other) => own.catalog.chosen({ section: other.ids.homeSection })),
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

  'orders.cart': nothingForeign((own) => own.orders.cart()),
  'orders.addToCart': notFound((own, other) =>
    own.orders.addToCart({ productId: other.product.id, optionId: other.product.optionId! }),
  ),
  'orders.changeCartItem': notFound((own, other) =>
    own.orders.changeCartItem({ id: other.ids.cartItem, optionId: other.product.optionId!, version: 1 }),
  ),
  'orders.removeCartItem': notFound((own, other) => own.orders.removeCartItem({ id: other.ids.cartItem })),
  'orders.placeOrder': notFound((own, other) =>
    own.orders.placeOrder({
      buyNow: { productId: other.product.id, optionId: other.product.optionId! },
      refundPolicyVersion: other.settings.order.refundPolicy.version,
    }),
  ),
  'orders.orders': nothingForeign((own) => own.orders.orders({})),
  'orders.order': notFound((own, other) => own.orders.order({ code: other.orderCode })),
  'billing.requestCancel': notFound((own, other) =>
    own.billing.requestCancel({ code: other.orderCode, reason: 'Not mine' }),
  ),
  'billing.withdrawCancelRequest': notFound((own, other) =>
    own.billing.withdrawCancelRequest({ code: other.orderCode }),
  ),
  'billing.setRefundAccount': notFound((own, other) =>
    own.billing.setRefundAccount({
      code: other.orderCode,
      refundAccount: { bank: 'A bank', number: '123-456-789', holder: 'Mina Kim' },
    }),
  ),
  'billing.receiptPdf': notFound((own, other) => own.billing.receiptPdf({ code: other.orderCode })),
  'billing.receipt': notFound((own, other) => own.billing.receipt({ code: other.orderCode })),
  'billing.startPayment': notFound((own, other) =>
    own.billing.startPayment({ code: other.orderCode, method: 'CARD', returnUrl: '/payments/result' }),
  ),
  'billing.confirmPayment': notFound((own, other) => own.billing.confirmPayment({ id: other.ids.payment })),

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

  'admin.audit': nothingForeign((own, other) => own.admin.audit({ subject: `order:${other.paidOrderCode}` })),
  'admin.orders.list': nothingForeign((own, other) => own.admin.orders.list({ memberId: other.member.id })),
  'admin.orders.search': nothingForeign((own, other) => own.admin.orders.search({ q: other.member.email })),
  'admin.orders.export': nothingForeign(async (own) => (await own.admin.orders.export({})).text()),
  'admin.orders.exportMovements': nothingForeign(async (own) => (await own.admin.orders.exportMovements({})).text()),
  'admin.orders.get': notFound((own, other) => own.admin.orders.get({ code: other.paidOrderCode })),
  'admin.orders.refund': notFound((own, other) =>
    own.admin.orders.refund({ code: other.paidOrderCode, reason: 'none' }),
  ),
  'admin.orders.cancel': notFound((own, other) =>
    own.admin.orders.cancel({ code: other.paidOrderCode, reason: 'none' }),
  ),
  'admin.orders.createComplimentary': notFound((own, other) =>
    own.admin.orders.createComplimentary({
      memberId: other.member.id,
      productCodes: [other.product.code],
      reason: 'none',
    }),
  ),
  'admin.orders.createPaid': notFound((own, other) =>
    own.admin.orders.createPaid({
      memberId: other.member.id,
      productCodes: [other.product.code],
      amount: 1,
      reference: 'none',
      day: '2026-01-01',
      reason: 'none',
    }),
  ),
  'admin.orders.acceptCancel': notFound((own, other) => own.admin.orders.acceptCancel({ code: other.paidOrderCode })),
  'admin.orders.rejectCancel': notFound((own, other) =>
    own.admin.orders.rejectCancel({ code: other.paidOrderCode, reason: 'none' }),
  ),
  'admin.orders.openRefunds': nothingForeign((own) => own.admin.orders.openRefunds()),
  'admin.orders.sendReceipt': notFound((own, other) => own.admin.orders.sendReceipt({ code: other.paidOrderCode })),
  'admin.orders.addNote': notFound((own, other) =>
    own.admin.orders.addNote({ code: other.paidOrderCode, text: 'note' }),
  ),
  'admin.deposits.expected': nothingForeign((own) => own.admin.deposits.expected({})),
  'admin.deposits.received': nothingForeign((own) => own.admin.deposits.received({})),
  'admin.deposits.export': nothingForeign(async (own) =>
    (await own.admin.deposits.export({ list: 'RECEIVED' })).text(),
  ),
  'admin.deposits.toReturn': nothingForeign((own) => own.admin.deposits.toReturn({})),
  'admin.deposits.receive': notFound((own, other) =>
    own.admin.deposits.receive({ code: other.paidOrderCode, amount: 1, reference: 'x', day: '2026-01-01' }),
  ),
  'admin.deposits.undo': notFound((own, other) =>
    own.admin.deposits.undo({ code: other.paidOrderCode, reason: 'Other order' }),
  ),
  'admin.deposits.match': notFound((own, other) =>
    own.admin.deposits.match({ id: other.ids.lesson as string, code: other.paidOrderCode }),
  ),
  'admin.deposits.recordReturn': notFound((own, other) =>
    own.admin.deposits.recordReturn({ id: other.ids.lesson as string, reference: 'x', day: '2026-01-01' }),
  ),
  'admin.deposits.recordRefund': notFound((own, other) =>
    own.admin.deposits.recordRefund({ code: other.paidOrderCode, reference: 'x', day: '2026-01-01' }),
  ),
  'admin.subscriptions.list': nothingForeign((own, other) => own.admin.subscriptions.list({ q: other.mark })),
  'admin.changes': nothingForeign(async (own) => (await own.admin.changes({ seconds: 1 })).text()),
  'admin.subscriptions.export': nothingForeign(async (own) => (await own.admin.subscriptions.export({})).text()),
  'admin.subscriptions.plans': nothingForeign((own) => own.admin.subscriptions.plans()),
  'admin.members.list': nothingForeign((own) => own.admin.members.list({})),
  'admin.members.export': nothingForeign(async (own) => (await own.admin.members.export({})).text()),
  'admin.members.tags': nothingForeign((own) => own.admin.members.tags()),
  'admin.members.changeTags': nothingForeign(async (own, other) => {
    const { items } = await own.admin.members.changeTags({ ids: [other.member.id], add: ['probe'] })
    return items.map(({ result, reason }) => [result, reason])
  }),
  'admin.members.get': notFound((own, other) => own.admin.members.get({ id: other.member.id })),
  'admin.members.create': nothingForeign(async (own, other) => {
    const { email } = other.member
    const { id } = await own.admin.members.create({ email })
    // The lists of this store would have the address otherwise.
    await own.admin.members.erase({ id, email, reason: 'none' })
    return id === other.member.id
  }),
  'admin.members.change': notFound((own, other) =>
    own.admin.members.change({ id: other.member.id, name: 'Nobody', reason: 'none' }),
  ),
  'admin.members.signOut': notFound((own, other) => own.admin.members.signOut({ id: other.member.id })),
  'admin.members.view': notFound((own, other) => own.admin.members.view({ id: other.member.id, reason: 'none' })),
  'admin.members.block': notFound((own, other) => own.admin.members.block({ id: other.member.id, reason: 'none' })),
  'admin.members.unblock': notFound((own, other) => own.admin.members.unblock({ id: other.member.id, reason: 'none' })),
  'admin.members.subscription': notFound((own, other) => own.admin.members.subscription({ id: other.member.id })),
  'admin.members.cancelSubscription': notFound((own, other) =>
    own.admin.members.cancelSubscription({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.revokeCancellation': notFound((own, other) =>
    own.admin.members.revokeCancellation({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.refundCharge': notFound((own, other) =>
    own.admin.members.refundCharge({
      id: other.member.id,
      chargeId: paymentId.parse(other.ids.lesson),
      amount: 1,
      reason: 'none',
    }),
  ),
  'admin.members.extendSubscription': notFound((own, other) =>
    own.admin.members.extendSubscription({ id: other.member.id, reason: 'none', days: 7 }),
  ),
  'admin.members.retryCharge': notFound((own, other) =>
    own.admin.members.retryCharge({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.pauseSubscription': notFound((own, other) =>
    own.admin.members.pauseSubscription({ id: other.member.id, reason: 'none', until: '2030-01-01' }),
  ),
  'admin.members.resumeSubscription': notFound((own, other) =>
    own.admin.members.resumeSubscription({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.quotePlanChange': notFound((own, other) =>
    own.admin.members.quotePlanChange({ id: other.member.id, planId: other.ids.plan }),
  ),
  'admin.members.changePlan': notFound((own, other) =>
    own.admin.members.changePlan({ id: other.member.id, planId: other.ids.plan, reason: 'none' }),
  ),
  'admin.members.changePlanNow': notFound((own, other) =>
    own.admin.members.changePlanNow({ id: other.member.id, quoteId: quoteId.parse(other.ids.plan), reason: 'none' }),
  ),
  'admin.members.endSubscription': notFound((own, other) =>
    own.admin.members.endSubscription({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.exportData': notFound((own, other) =>
    own.admin.members.exportData({ id: other.member.id, reason: 'none' }),
  ),
  'admin.members.erase': notFound((own, other) =>
    own.admin.members.erase({ id: other.member.id, email: other.member.email, reason: 'none' }),
  ),
  'admin.members.merge': notFound((own, other) =>
    own.admin.members.merge({
      id: other.member.id,
      otherId: other.ids.staffPerson as never,
      email: other.member.email,
      reason: 'none',
    }),
  ),
  'admin.members.changeEmail': notFound((own, other) =>
    own.admin.members.changeEmail({ id: other.member.id, email: 'probe@example.com', reason: 'none' }),
  ),
  'admin.members.grantTitle': notFound((own, other) =>
    own.admin.members.grantTitle({ id: other.member.id, productCode: other.product.code, reason: 'none' }),
  ),
  'admin.members.revokeTitle': notFound((own, other) =>
    own.admin.members.revokeTitle({ id: other.member.id, productCode: other.product.code, reason: 'none' }),
  ),
  'admin.products.list': nothingForeign((own) => own.admin.products.list({})),
  'admin.products.get': notFound((own, other) => own.admin.products.get({ code: other.product.code })),
  'admin.products.create': nothingForeign((own) =>
    own.admin.products.create({ code: productCode.parse('probe'), title: 'Probe', kind: 'VOD' }),
  ),
  'admin.products.change': notFound((own, other) =>
    own.admin.products.change({ code: other.product.code, title: 'Probe' }),
  ),
  'admin.products.export': nothingForeign(async (own) => (await own.admin.products.export({})).text()),
  'admin.products.duplicate': notFound((own, other) =>
    own.admin.products.duplicate({
      code: other.product.code,
      newCode: productCode.parse('probe-copy'),
      title: 'Probe',
    }),
  ),
  'admin.products.changeMany': nothingForeign((own, other) =>
    own.admin.products.changeMany({ codes: [productCode.parse('probe-none')], addCategoryIds: [other.category.id] }),
  ),
  'admin.products.previewMany': nothingForeign((own, other) =>
    own.admin.products.previewMany({
      codes: [other.product.code],
      discount: { percent: 10, from: null, until: null },
    }),
  ),
  'admin.products.restoreMany': nothingForeign((own, other) =>
    own.admin.products.restoreMany({
      items: [{ code: other.product.code, version: 'probe', status: 'HIDDEN', categoryIds: [] }],
    }),
  ),
  'admin.products.parts': notFound((own, other) => own.admin.products.parts({ code: other.product.code })),
  'admin.products.changeParts': notFound((own, other) =>
    own.admin.products.changeParts({ code: other.product.code, lessons: [] }),
  ),
  'admin.products.addAttachment': notFound((own, other) =>
    own.admin.products.addAttachment({ code: other.product.code, file: new File(['probe'], 'probe.txt') }),
  ),
  'admin.products.attachUpload': notFound((own, other) =>
    own.admin.products.attachUpload({ code: other.product.code, upload: uploadId.parse(crypto.randomUUID()) }),
  ),
  'admin.products.delete': notFound((own, other) => own.admin.products.delete({ code: other.product.code })),
  'admin.products.deleteMany': nothingForeign((own, other) =>
    own.admin.products.deleteMany({ codes: [other.product.code] }),
  ),
  'admin.products.createPreview': notFound((own, other) =>
    own.admin.products.createPreview({ code: other.product.code }),
  ),
  'admin.addPicture': nothingForeign(async (own) => own.admin.addPicture({ file: await smallPicture() })),
  'admin.imports.list': nothingForeign((own) => own.admin.imports.list()),
  'admin.imports.create': nothingForeign((own) =>
    own.admin.imports.create({ table: 'faq', file: new File(['question,answer\r\n'], 'faq.csv'), dryRun: true }),
  ),
  'admin.imports.undo': notFound((own, other) => own.admin.imports.undo({ id: other.ids.catalogImport })),
  'admin.imports.exportTable': nothingForeign(async (own) =>
    (await own.admin.imports.exportTable({ table: 'products' })).text(),
  ),
  'admin.tableJobs.list': nothingForeign((own) => own.admin.tableJobs.list()),
  'admin.tableJobs.cancel': notFound((own, other) => own.admin.tableJobs.cancel({ id: other.ids.tableJob })),
  'admin.videos.list': nothingForeign((own) => own.admin.videos.list({})),
  'admin.videos.export': nothingForeign(async (own) => (await own.admin.videos.export({})).text()),
  'admin.videos.use': notFound((own, other) =>
    own.admin.videos.use({ id: other.ids.video, product: other.product.code }),
  ),
  'admin.videos.get': notFound((own, other) => own.admin.videos.get({ id: other.ids.video })),
  'admin.videos.rename': notFound((own, other) => own.admin.videos.rename({ id: other.ids.video, name: 'probe' })),
  'admin.videos.retire': notFound((own, other) => own.admin.videos.retire({ id: other.ids.video })),
  'admin.videos.captions': notFound((own, other) => own.admin.videos.captions({ id: other.ids.video, language: 'en' })),
  'admin.videos.setCaptions': notFound((own, other) =>
    own.admin.videos.setCaptions({ id: other.ids.video, language: 'en', file: new File(['probe'], 'probe.srt') }),
  ),
  'admin.videos.removeCaptions': notFound((own, other) =>
    own.admin.videos.removeCaptions({ id: other.ids.video, language: 'en' }),
  ),
  'admin.videos.setChapters': notFound((own, other) =>
    own.admin.videos.setChapters({ id: other.ids.video, chapters: [] }),
  ),
  'admin.videos.setPreview': notFound((own, other) =>
    own.admin.videos.setPreview({ id: other.ids.video, startSeconds: 0, seconds: 0 }),
  ),
  'admin.categories.list': nothingForeign((own) => own.admin.categories.list()),
  'admin.categories.create': nothingForeign((own, other) =>
    own.admin.categories.create({ name: 'Probe', parentId: other.category.id }).catch((error) => error.problem),
  ),
  'admin.categories.update': notFound((own, other) =>
    own.admin.categories.update({ id: other.category.id, name: 'Probe' }),
  ),
  'admin.categories.move': notFound((own, other) =>
    own.admin.categories.move({ id: other.category.id, parentId: null, position: 1 }),
  ),
  'admin.categories.delete': notFound((own, other) => own.admin.categories.delete({ id: other.category.id })),
  'admin.members.sendPasswordReset': notFound((own, other) =>
    own.admin.members.sendPasswordReset({ id: other.member.id }),
  ),
  'admin.auditExport': nothingForeign(async (own) => (await own.admin.auditExport({})).text()),
  'admin.inquiries.export': nothingForeign(async (own) => (await own.admin.inquiries.export({})).text()),
  'admin.mails.export': nothingForeign(async (own, other) => {
    // Probes of other procedures have sent emails to the other's member.
    return (await own.admin.mails.export({ to: `${other.mark}@invited.example.com` })).text()
  }),
  'admin.counts.orders': countsNothing((own, other) => own.admin.counts.orders({ q: other.paidOrderCode })),
  'admin.counts.deposits': countsNothing((own, other) => own.admin.counts.deposits({ q: other.mark })),
  'admin.counts.subscriptions': countsNothing((own, other) => own.admin.counts.subscriptions({ q: other.mark })),
  'admin.counts.members': countsNothing((own, other) => own.admin.counts.members({ q: other.member.email })),
  'admin.counts.products': countsNothing((own, other) => own.admin.counts.products({ q: other.product.code })),
  'admin.counts.comments': countsNothing((own, other) => own.admin.counts.comments({ memberId: other.member.id })),
  'admin.counts.inquiries': countsNothing((own, other) => own.admin.counts.inquiries({ memberId: other.member.id })),
  'admin.counts.cases': nothingForeign((own) => own.admin.counts.cases({})),
  'admin.counts.mails': countsNothing((own, other) => own.admin.counts.mails({ to: `${other.mark}@x.example.com` })),
  'admin.counts.suppressed': countsNothing((own, other) => own.admin.counts.suppressed({ q: other.suppressedAddress })),
  'admin.counts.videos': countsNothing((own, other) => own.admin.counts.videos({ q: other.product.code })),
  'admin.counts.notices': countsNothing((own, other) => own.admin.counts.notices({ q: other.mark })),
  'admin.counts.audit': countsNothing((own, other) =>
    own.admin.counts.audit({ subject: `order:${other.paidOrderCode}` }),
  ),
  'admin.bulk.count': nothingForeign((own, other) =>
    own.admin.bulk.count({ kind: 'INQUIRIES', filters: { memberId: other.member.id } }),
  ),
  'admin.bulk.start': nothingForeign((own, other) =>
    own.admin.bulk.start({
      id: bulkJobId.parse(randomUUID()),
      kind: 'MEMBER_TAGS',
      filters: { q: other.member.email },
      change: { add: ['probe'] },
    }),
  ),
  'admin.bulk.list': nothingForeign((own) => own.admin.bulk.list()),
  'admin.bulk.get': notFound((own, other) => own.admin.bulk.get({ id: other.ids.bulkJob })),
  'admin.bulk.cancel': notFound((own, other) => own.admin.bulk.cancel({ id: other.ids.bulkJob })),
  'admin.bulk.retry': notFound((own, other) => own.admin.bulk.retry({ id: other.ids.bulkJob })),
  'admin.bulk.undo': notFound((own, other) => own.admin.bulk.undo({ id: other.ids.bulkJob })),
  'admin.members.facets': nothingForeign((own) => own.admin.members.facets()),
  'admin.members.changePartnerships': nothingForeign(async (own, other) => {
    const change = { ids: [other.member.id], until: null, name: null, reason: 'Probe' }
    const { items } = await own.admin.members.changePartnerships(change)
    return items.map(({ result, reason }) => [result, reason])
  }),
  'admin.members.restorePartnerships': nothingForeign(async (own, other) => {
    const none = { until: null, name: null }
    const item = { id: other.member.id, before: none, after: none }
    const { items } = await own.admin.members.restorePartnerships({ items: [item] })
    return items.map(({ result, reason }) => [result, reason])
  }),
  'admin.members.setPartnership': notFound((own, other) =>
    own.admin.members.setPartnership({ id: other.member.id, until: null, name: null, reason: 'Probe' }),
  ),
  'admin.plans.list': nothingForeign((own) => own.admin.plans.list()),
  'admin.plans.get': notFound((own, other) => own.admin.plans.get({ id: other.ids.plan })),
  'admin.plans.create': nothingForeign((own) =>
    own.admin.plans.create({ code: planCode.parse('probe'), name: 'Probe', cycle: 'MONTH', price: 100 }),
  ),
  'admin.plans.change': notFound((own, other) => own.admin.plans.change({ id: other.ids.plan, name: 'Probe' })),
  'admin.plans.move': notFound((own, other) => own.admin.plans.move({ id: other.ids.plan, position: 1 })),
  'admin.plans.delete': notFound((own, other) => own.admin.plans.delete({ id: other.ids.plan })),
  'admin.products.posters': notFound((own, other) => own.admin.products.posters({ code: other.product.code })),
  'admin.products.choosePoster': notFound((own, other) =>
    own.admin.products.choosePoster({ code: other.product.code, number: 1 }),
  ),
  'admin.products.pictures': notFound((own, other) => own.admin.products.pictures({ code: other.product.code })),
  'admin.products.setPicture': notFound((own, other) =>
    own.admin.products.setPicture({ code: other.product.code, place: 'poster', file: new File(['probe'], 'a.png') }),
  ),
  'admin.products.removePicture': notFound((own, other) =>
    own.admin.products.removePicture({ code: other.product.code, place: 'poster' }),
  ),
  'admin.products.addPicture': notFound((own, other) =>
    own.admin.products.addPicture({ code: other.product.code, file: new File(['probe'], 'a.png') }),
  ),
  'admin.products.changePictures': notFound((own, other) =>
    own.admin.products.changePictures({ code: other.product.code, gallery: [] }),
  ),
  'admin.products.removeVideo': notFound((own, other) => own.admin.products.removeVideo({ code: other.product.code })),
  'admin.members.addNote': notFound((own, other) => own.admin.members.addNote({ id: other.member.id, text: 'note' })),
  'admin.comments.queue': nothingForeign((own) => own.admin.comments.queue()),
  'admin.comments.list': nothingForeign((own) => own.admin.comments.list({})),
  'admin.comments.export': nothingForeign(async (own) => (await own.admin.comments.export({})).text()),
  'admin.comments.changeMany': nothingForeign(async (own, other) => {
    const { items } = await own.admin.comments.changeMany({ ids: [other.ids.comment], state: 'HIDDEN' })
    return items.map(({ result, before }) => [result, before])
  }),
  'admin.comments.restoreMany': nothingForeign(async (own, other) => {
    const before = { id: other.ids.comment, state: 'SHOWN' as const, version: 'probe' }
    const { items } = await own.admin.comments.restoreMany({ items: [before] })
    return items.map(({ result }) => result)
  }),
  'admin.comments.approve': notFound((own, other) => own.admin.comments.approve({ id: other.ids.comment })),
  'admin.comments.hide': notFound((own, other) => own.admin.comments.hide({ id: other.ids.comment })),
  'admin.comments.blockedPhrases': nothingForeign((own) => own.admin.comments.blockedPhrases()),
  'admin.comments.changeBlockedPhrases': nothingForeign((own) =>
    own.admin.comments.changeBlockedPhrases({ phrases: ['scam'] }).catch((error) => error.problem),
  ),
  'admin.comments.reply': notFound((own, other) => own.admin.comments.reply({ id: other.ids.comment, body: 'reply' })),
  'admin.inquiries.list': nothingForeign((own) => own.admin.inquiries.list({})),
  'admin.inquiries.facets': nothingForeign((own) => own.admin.inquiries.facets()),
  'admin.inquiries.assignMany': nothingForeign((own, other) =>
    own.admin.inquiries.assignMany({ codes: [other.inquiryCode], assigneeId: null }),
  ),
  'admin.inquiries.get': notFound((own, other) => own.admin.inquiries.get({ code: other.inquiryCode })),
  'admin.inquiries.file': notFound((own, other) =>
    own.admin.inquiries.file({ code: other.inquiryCode, id: other.ids.file }),
  ),
  'admin.inquiries.sendFile': notFound((own, other) =>
    own.admin.inquiries.sendFile({ code: other.inquiryCode, file: new File(['line'], 'log.txt') }),
  ),
  'admin.inquiries.assign': notFound((own, other) =>
    own.admin.inquiries.assign({ code: other.inquiryCode, assigneeId: null }),
  ),
  'admin.inquiryTopics.read': nothingForeign((own) => own.admin.inquiryTopics.read()),
  'admin.inquiryTopics.change': nothingForeign((own) =>
    own.admin.inquiryTopics.change({ items: [{ name: 'Probe' }] }).catch((error) => error.problem),
  ),
  'admin.inquiries.close': notFound((own, other) =>
    own.admin.inquiries.close({ code: other.inquiryCode, reason: 'Spam' }),
  ),
  'admin.inquiries.reopen': notFound((own, other) => own.admin.inquiries.reopen({ code: other.inquiryCode })),
  'admin.inquiries.saveDraft': notFound((own, other) =>
    own.admin.inquiries.saveDraft({ code: other.inquiryCode, body: 'draft' }),
  ),
  'admin.mails.suppressed': nothingForeign((own) => own.admin.mails.suppressed({})),
  'admin.mails.exportSuppressed': nothingForeign(async (own) => (await own.admin.mails.exportSuppressed({})).text()),
  'admin.mails.suppress': nothingForeign((own) =>
    own.admin.mails.suppress({ address: 'probe@example.com', reason: 'Asked' }),
  ),
  'admin.mails.release': notFound((own, other) => own.admin.mails.release({ address: other.suppressedAddress })),
  'admin.savedReplies.list': nothingForeign((own) => own.admin.savedReplies.list()),
  'admin.savedReplies.create': nothingForeign((own) =>
    own.admin.savedReplies.create({ title: 'Thanks', body: 'Thank you.' }),
  ),
  'admin.savedReplies.change': notFound((own, other) =>
    own.admin.savedReplies.change({ id: other.ids.savedReply, title: 'Ours' }),
  ),
  'admin.savedReplies.delete': notFound((own, other) => own.admin.savedReplies.delete({ id: other.ids.savedReply })),
  'admin.inquiries.answer': notFound((own, other) =>
    own.admin.inquiries.answer({ code: other.inquiryCode, body: 'answer' }),
  ),
  'admin.cases.list': nothingForeign((own) => own.admin.cases.list({})),
  'admin.cases.export': nothingForeign(async (own) => (await own.admin.cases.export({})).text()),
  'admin.cases.close': notFound((own, other) =>
    own.admin.cases.close({ id: other.ids.lesson as string, note: 'none' }),
  ),
  'webhooks.list': nothingForeign((own) => own.webhooks.list()),
  'webhooks.create': nothingForeign((own) =>
    own.webhooks.create({ url: 'http://127.0.0.1:9/hook', eventTypes: ['order.paid'] }),
  ),
  'webhooks.get': notFound((own, other) => own.webhooks.get({ id: other.ids.webhook })),
  'webhooks.change': notFound((own, other) => own.webhooks.change({ id: other.ids.webhook, enabled: false })),
  'webhooks.delete': notFound((own, other) => own.webhooks.delete({ id: other.ids.webhook })),
  'webhooks.rotateSecret': notFound((own, other) => own.webhooks.rotateSecret({ id: other.ids.webhook })),
  'webhooks.test': notFound((own, other) => own.webhooks.test({ id: other.ids.webhook })),
  'webhooks.deliveries': notFound((own, other) => own.webhooks.deliveries({ id: other.ids.webhook })),
  'webhooks.countDeliveries': notFound((own, other) => own.webhooks.countDeliveries({ id: other.ids.webhook })),
  'webhooks.exportDeliveries': notFound((own, other) => own.webhooks.exportDeliveries({ id: other.ids.webhook })),
  'webhooks.delivery': notFound((own, other) =>
    own.webhooks.delivery({ id: other.ids.webhook, deliveryId: other.ids.webhookDelivery }),
  ),
  'webhooks.replay': notFound((own, other) =>
    own.webhooks.replay({ id: other.ids.webhook, deliveryId: other.ids.webhookDelivery }),
  ),
  'webhooks.replayFailed': notFound((own, other) =>
    own.webhooks.replayFailed({ id: other.ids.webhook, since: '2026-01-01T00:00:00.000Z' }),
  ),

  'admin.mails.list': nothingForeign((own, other) => own.admin.mails.list({ to: `${other.mark}@invited.example.com` })),
  'admin.mails.get': notFound((own, other) => own.admin.mails.get({ id: other.ids.mail })),
  'admin.mails.html': notFound((own, other) => own.admin.mails.html({ id: other.ids.mail })),
  'admin.mails.sendTest': nothingForeign((own, other) =>
    own.admin.mails.sendTest({ email: `${other.mark}@invited.example.com` }),
  ),
  'admin.mails.resend': notFound((own, other) => own.admin.mails.resend({ id: other.ids.lesson as string })),
  'admin.settings.read': nothingForeign((own) => own.admin.settings.read()),
  'admin.settings.update': nothingForeign((own) =>
    own.admin.settings.update({ base: { name: 'Probe' } }).catch((error) => error.problem),
  ),
  'admin.store.read': nothingForeign((own) => own.admin.store.read()),
  'admin.store.open': nothingForeign((own) => own.admin.store.open().catch((error) => error.problem)),
  'admin.store.close': nothingForeign((own) =>
    own.admin.store.close({ code: 'other' }).catch((error) => error.problem),
  ),
  'admin.store.setMaintenance': nothingForeign((own) =>
    own.admin.store.setMaintenance({ texts: {}, backAt: null }).catch((error) => error.problem),
  ),
  'admin.store.createPreview': nothingForeign((own) => own.admin.store.createPreview()),
  'admin.stores.count': onlyInstallation((own) => own.admin.stores.count({})),
  'admin.stores.list': onlyInstallation((own) => own.admin.stores.list({})),
  'admin.stores.create': onlyInstallation((own, { code }) =>
    own.admin.stores.create({
      name: 'Probe',
      code: customerCode.parse(code),
      host: 'probe.example.com',
      locale: 'en',
      currency: 'USD',
      timeZone: 'UTC',
      email: 'probe@example.com',
    }),
  ),
  'admin.stores.get': onlyInstallation((own, { code }) => own.admin.stores.get({ code: customerCode.parse(code) })),
  'admin.stores.suspend': onlyInstallation((own, { code }) =>
    own.admin.stores.suspend({ code: customerCode.parse(code), confirmation: code, reason: 'PAUSED' }),
  ),
  'admin.stores.resume': onlyInstallation((own, { code }) =>
    own.admin.stores.resume({ code: customerCode.parse(code) }),
  ),
  'admin.stores.setHosts': onlyInstallation((own, { code }) =>
    own.admin.stores.setHosts({ code: customerCode.parse(code), hosts: ['probe.example.com'] }),
  ),
  'admin.stores.inviteOwner': onlyInstallation((own, { code }) =>
    own.admin.stores.inviteOwner({ code: customerCode.parse(code), email: 'probe@example.com' }),
  ),
  'admin.domains.list': nothingForeign((own) => own.admin.domains.list()),
  'admin.domains.add': nothingForeign((own) => own.admin.domains.add({ host: 'probe.example.com' })),
  'admin.domains.check': notFound((own, other) => own.admin.domains.check({ host: `${other.code}.test` })),
  'admin.domains.setMain': notFound((own, other) => own.admin.domains.setMain({ host: `${other.code}.test` })),
  'admin.domains.remove': notFound((own, other) => own.admin.domains.remove({ host: `${other.code}.test` })),
  'admin.mailServer.read': nothingForeign((own) => own.admin.mailServer.read()),
  'admin.mailServer.save': nothingForeign((own) =>
    own.admin.mailServer
      .save({ host: '10.0.0.1', port: 587, security: 'STARTTLS', senderAddress: 'probe@example.com' })
      .catch((error) => error.problem),
  ),
  'admin.mailServer.remove': nothingForeign((own) => own.admin.mailServer.remove().catch((error) => error.problem)),
  'admin.mailServer.sendTest': nothingForeign((own) => own.admin.mailServer.sendTest().catch((error) => error.problem)),
  'admin.paymentAccounts.read': nothingForeign((own) => own.admin.paymentAccounts.read()),
  'admin.paymentAccounts.choose': nothingForeign((own) =>
    own.admin.paymentAccounts.choose({ provider: 'sandbox' }).catch((error) => error.problem),
  ),
  'admin.paymentAccounts.check': nothingForeign((own) => own.admin.paymentAccounts.check({ provider: 'sandbox' })),
  'admin.settings.setPicture': nothingForeign((own) =>
    own.admin.settings
      .setPicture({ picture: 'logo', file: new File(['none'], 'logo.svg') })
      .catch((error) => error.problem),
  ),
  'admin.notices.list': nothingForeign((own) => own.admin.notices.list({})),
  'admin.notices.get': notFound((own, other) => own.admin.notices.get({ id: other.ids.notice })),
  'admin.notices.createPreview': notFound((own, other) => own.admin.notices.createPreview({ id: other.ids.notice })),
  'admin.notices.create': nothingForeign((own) =>
    own.admin.notices.create({ title: 'Probe', body: 'Probe', pinned: false, startsAt: null, endsAt: null }),
  ),
  'admin.notices.change': notFound((own, other) => own.admin.notices.change({ id: other.ids.notice, title: 'Probe' })),
  'admin.notices.addFile': notFound((own, other) =>
    own.admin.notices.addFile({ id: other.ids.notice, file: new File(['probe'], 'probe.txt') }),
  ),
  'admin.notices.delete': notFound((own, other) => own.admin.notices.delete({ id: other.ids.notice })),
  'admin.faq.list': nothingForeign((own) => own.admin.faq.list()),
  'admin.faq.get': notFound((own, other) => own.admin.faq.get({ id: other.ids.faq })),
  'admin.faq.createPreview': notFound((own, other) => own.admin.faq.createPreview({ id: other.ids.faq })),
  'admin.faq.create': nothingForeign((own) =>
    own.admin.faq.create({ group: 'Probe', question: 'Probe', answer: 'Probe' }),
  ),
  'admin.faq.change': notFound((own, other) => own.admin.faq.change({ id: other.ids.faq, question: 'Probe' })),
  'admin.faq.move': notFound((own, other) => own.admin.faq.move({ id: other.ids.faq, position: 1 })),
  'admin.faq.delete': notFound((own, other) => own.admin.faq.delete({ id: other.ids.faq })),
  'admin.pages.list': nothingForeign((own) => own.admin.pages.list()),
  'admin.pages.get': notFound((own, other) => own.admin.pages.get({ type: other.pageType })),
  'admin.pages.createPreview': notFound((own, other) => own.admin.pages.createPreview({ type: other.pageType })),
  'admin.pages.create': nothingForeign((own) =>
    own.admin.pages.create({ type: 'probe', title: 'Probe', body: 'Probe' }),
  ),
  'admin.pages.change': notFound((own, other) => own.admin.pages.change({ type: other.pageType, title: 'Probe' })),
  'admin.pages.move': notFound((own, other) => own.admin.pages.move({ type: other.pageType, position: 1 })),
  'admin.pages.delete': notFound((own, other) => own.admin.pages.delete({ type: other.pageType })),
  'admin.banners.list': nothingForeign((own) => own.admin.banners.list()),
  'admin.banners.get': notFound((own, other) => own.admin.banners.get({ id: other.ids.banner })),
  'admin.banners.create': nothingForeign((own, other) =>
    own.admin.banners
      .create({
        type: 'BANNER',
        title: 'Probe',
        text: '',
        label: null,
        tone: 'LIGHT',
        link: { target: 'PRODUCT', productCode: other.product.code },
        html: null,
        startsAt: null,
        endsAt: null,
      })
      .catch((error) => error.problem),
  ),
  'admin.banners.change': notFound((own, other) => own.admin.banners.change({ id: other.ids.banner, title: 'Probe' })),
  'admin.banners.move': notFound((own, other) => own.admin.banners.move({ id: other.ids.banner, position: 1 })),
  'admin.banners.delete': notFound((own, other) => own.admin.banners.delete({ id: other.ids.banner })),
  'admin.banners.setPicture': notFound(async (own, other) =>
    own.admin.banners.setPicture({ id: other.ids.banner, place: 'desktop', file: await smallPicture() }),
  ),
  'admin.banners.removePicture': notFound((own, other) =>
    own.admin.banners.removePicture({ id: other.ids.banner, place: 'desktop' }),
  ),
  'admin.previewHtml': nothingForeign((own) => own.admin.previewHtml({ html: '<p>Probe</p>' })),
  'admin.home': nothingForeign((own) => own.admin.home()),
}
