import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { attachments, lessons, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { banners, faq, notices, pages } from '#api/modules/content/content.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { plans, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  type AttachmentId,
  type BannerId,
  bulkJobId,
  type CardId,
  type CartItemId,
  type CommentId,
  type FaqId,
  type InquiryCode,
  type InquiryFileId,
  type LessonId,
  type NoticeId,
  type OrderCode,
  type OrderItemId,
  type PaymentId,
  type PlanId,
  planCode,
  type SessionId,
  type StaffRoleId,
  type SubscriptionId,
  type VideoId,
  type VideoJobId,
} from '#contract/ids.ts'
import { buy } from './buying.ts'
import { createPasskey } from './passkey.ts'
import { plainSettings } from './settings.ts'
import { createTenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/**
 * A tenant with one row of each kind. Every text of it contains `mark`, so that tests find any leak
 * of it.
 */
export const createFullTenant = async (api: TestApi, mark: string) => {
  const settings = plainSettings()
  settings.base.name = `${mark} store`
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember(`${mark}-${randomUUID().slice(0, 8)}@example.com`)
  const operator = await tenant.createOperator(`${mark} studio`)
  const staff = await tenant.createStaff('OWNER', { email: `${mark}-${randomUUID().slice(0, 8)}@staff.example.com` })
  const person = await tenant.createStaff('ANALYST')
  const { id: staffInvitation } = await staff.client.staff.invite({
    email: `${mark}@invited.example.com`,
    grant: { role: 'SUPPORT' },
  })
  const { id: staffRole } = await staff.client.staff.createRole({ name: `${mark} role`, permissions: ['orders:read'] })
  const passkey = createPasskey({ origin: api.origin })
  const password = 'correct horse battery'
  const credential = passkey.create(await staff.client.staff.startPasskey({ password }))
  await staff.client.staff.addPasskey({ name: `${mark} phone`, credential })
  const [storedPasskey] = (await staff.client.staff.passkeys()).items
  const [mail] = (await staff.client.admin.mails.list({})).items
  const view = await staff.client.staff.saveView({ list: 'orders', name: mark, search: { q: mark }, isShared: true })
  const savedReply = await staff.client.admin.savedReplies.create({ title: mark, body: `${mark} reply` })
  const { id: catalogImport } = await staff.client.admin.imports.create({
    table: 'faq',
    file: new File([`group,question,answer,sort\r\n${mark},${mark} question,${mark} answer,0\r\n`], `${mark}.csv`),
  })
  const [tableJob] = (await staff.client.admin.tableJobs.list()).items
  const { id: bulkJob } = await staff.client.admin.bulk.start({
    id: bulkJobId.parse(randomUUID()),
    kind: 'MEMBER_TAGS',
    filters: { q: mark },
    change: { add: [mark] },
  })
  const suppressedAddress = `${mark}@suppressed.example.com`
  await staff.client.admin.mails.suppress({ address: suppressedAddress, reason: mark })
  const passkeyForm = { name: 'Phone', credential }
  const passkeyProof = { credential: passkey.get(await tenant.guest.staff.passkeyChallenge()) }
  const [token] = (await staff.client.staff.tokens()).items
  const { id: webhook } = await staff.client.webhooks.create({
    url: `http://127.0.0.1:9/${mark}`,
    description: `${mark} endpoint`,
    eventTypes: ['comment.held'],
  })
  const { id: webhookDelivery } = await staff.client.webhooks.test({ id: webhook })
  const [staffSession] = (await staff.client.staff.sessions()).items
  const category = await tenant.createCategory(`${mark} category`)
  const product = await tenant.createProduct({
    file: false,
    title: `${mark} product`,
    summary: `${mark} summary`,
    tags: [`${mark}-tag`],
    categoryIds: [category.id],
    access: 'PURCHASE',
  })
  const homeSection = randomUUID()
  const { version: settingsVersion } = await staff.client.admin.settings.read()
  await staff.withVersion(settingsVersion).admin.settings.update({
    homeSections: [{ kind: 'PRODUCTS', id: homeSection, title: mark, productCodes: [product.code] }],
  })
  const free = await tenant.createProduct({ title: `${mark} free`, access: 'FREE', price: null })

  const ids = {
    video: newId<VideoId>(),
    lesson: newId<LessonId>(),
    attachment: newId<AttachmentId>(),
    notice: newId<NoticeId>(),
    faq: newId<FaqId>(),
    banner: newId<BannerId>(),
    plan: newId<PlanId>(),
    card: newId<CardId>(),
    subscription: newId<SubscriptionId>(),
    videoJob: newId<VideoJobId>(),
  }
  const at = { customerId: tenant.id }
  const now = api.clock.now().getTime()
  const [past, future] = [-10, 20].map((days) => new Date(now + days * dayMilliseconds).toISOString())
  await tenant.within(async (db) => {
    await db.insert(videos).values({
      ...at,
      id: ids.video,
      asset: `video/${mark}`,
      durationSeconds: 60,
      previewAsset: `video/${mark}-preview`,
      previewSeconds: 10,
    })
    for (const { id } of [product, free])
      await db
        .update(products)
        .set({ videoId: ids.video, durationSeconds: 60 })
        .where(and(eq(products.customerId, tenant.id), eq(products.id, id)))
    await db
      .insert(lessons)
      .values({ ...at, id: ids.lesson, productId: product.id, sort: 1, title: `${mark} lesson`, videoId: ids.video })
    await db.insert(attachments).values({
      ...at,
      id: ids.attachment,
      productId: product.id,
      name: `${mark}.pdf`,
      contentType: 'application/pdf',
      bytes: 10,
      asset: `attachment/${mark}.pdf`,
    })
    await db.insert(notices).values({ ...at, id: ids.notice, title: `${mark} notice`, body: `<p>${mark}</p>` })
    await db
      .insert(faq)
      .values({ ...at, id: ids.faq, group: `${mark} group`, question: `${mark}?`, answer: `<p>${mark}</p>` })
    await db.insert(pages).values({ ...at, type: `${mark}-page`, title: `${mark} page`, body: `<p>${mark}</p>` })
    await db.insert(plans).values({
      ...at,
      id: ids.plan,
      code: planCode.parse(`${mark}-plan`),
      name: `${mark} plan`,
      summary: `${mark} plan`,
      benefits: [`${mark} benefit`],
      priceAmount: 900,
      currency: settings.base.currency,
      cycle: 'MONTH',
      scope: 'ALL',
    })
    await db.insert(cards).values({
      ...at,
      id: ids.card,
      memberId: member.id,
      provider: 'sandbox',
      status: 'ACTIVE',
      isDefault: true,
      issuer: mark,
      lastFour: '4242',
      expiryMonth: 12,
      expiryYear: 2040,
    })
    await db.insert(subscriptions).values({
      ...at,
      id: ids.subscription,
      memberId: member.id,
      planId: ids.plan,
      status: 'PROCEEDING',
      priceAmount: 900,
      currency: settings.base.currency,
      cycle: 'MONTH',
      cardId: ids.card,
      anchorDay: 1,
      activatedAt: past,
      periodStart: past,
      periodEnd: future,
    })
    await db.insert(videoJobs).values({
      ...at,
      id: ids.videoJob,
      productId: product.id,
      videoId: newId(),
      actor: `admin:${mark}`,
      sourceKey: `${tenant.id}/${ids.video}/file.mp4`,
      sourceName: `${mark}.mp4`,
      sourceBytes: 10,
      options: { captions: [], audio: [], chapters: [] },
      status: 'FAILED',
      failure: 'STORAGE',
      reason: mark,
      endedAt: past,
    })
    await db.insert(banners).values({ ...at, id: ids.banner, type: 'BANNER', title: `${mark} banner` })
  })

  const { client } = member
  const comment = await client.engagement.addComment({ id: product.id, body: `${mark} comment` })
  const reply = await client.engagement.addComment({ id: product.id, body: `${mark} reply`, parentId: comment.id })
  await client.engagement.like({ id: product.id, liked: true })
  await client.catalog.product({ id: product.id })
  const [session] = (await client.identity.sessions()).items
  const cart = await client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  const paying = () => api.client(tenant.code, { token: member.token, idempotencyKey: randomUUID() })
  const file = await client.support.sendFile({ file: new File([mark], `${mark}.txt`, { type: 'text/plain' }) })
  const inquiry = await client.support.createInquiry({
    type: 'ETC',
    title: `${mark} question`,
    body: `${mark} body`,
    files: [file.id],
    productId: product.id,
  })
  const loose = await client.support.sendFile({ file: new File([mark], `${mark} loose.txt`) })
  await tenant.guest.catalog.search({ q: `${mark} missed` })
  const joining = await tenant.guest.identity.requestJoin({
    email: `${mark}-new@example.com`,
    password: 'correct horse battery',
    name: `${mark} new`,
    phone: '+82 10 1234 5678',
    agreeTerms: true,
    agreePrivacy: true,
    isOldEnough: true,
  })
  const order = await paying().orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    refundPolicyVersion: settings.order.refundPolicy.version,
  })
  const { payment } = await paying().billing.startPayment({
    code: order.code,
    method: 'CARD',
    returnUrl: '/payments/result',
  })

  const owned = await tenant.createProduct({ title: `${mark} bought` })
  const bought = await buy(api, tenant, member, owned)

  return {
    ...tenant,
    mark,
    member,
    operator,
    staff,
    passkeyForm,
    passkeyProof,
    suppressedAddress,
    product,
    free,
    owned,
    category,
    ids: {
      ...ids,
      bulkJob,
      tableJob: tableJob!.id,
      comment: comment.id as CommentId,
      reply: reply.id as CommentId,
      session: session!.id as SessionId,
      cartItem: cart.items[0]!.id as CartItemId,
      payment: payment.id as PaymentId,
      file: loose.id as InquiryFileId,
      token: token!.id,
      catalogImport: catalogImport!,
      webhook,
      webhookDelivery,
      staffPerson: person.id,
      staffInvitation,
      passkey: storedPasskey!.id,
      view: view.id,
      homeSection,
      savedReply: savedReply.id,
      mail: mail!.id,
      staffRole: staffRole as StaffRoleId,
      staffSession: staffSession!.id,
      orderItem: bought.items[0]!.id as OrderItemId,
    },
    inquiryCode: inquiry.code as InquiryCode,
    joinToken: joining.token,
    orderCode: order.code as OrderCode,
    paidOrderCode: bought.code as OrderCode,
    pageType: `${mark}-page`,
  }
}

export type FullTenant = Awaited<ReturnType<typeof createFullTenant>>
