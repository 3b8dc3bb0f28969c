import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { attachments, lessons, products, videos } from '#api/db/schema/catalog.ts'
import { banners, faq, notices, pages } from '#api/db/schema/content.ts'
import { newId } from '#api/db/uuid.ts'
import type {
  AttachmentId,
  BannerId,
  CartItemId,
  CommentId,
  FaqId,
  LessonId,
  NoticeId,
  OrderCode,
  PaymentId,
  SessionId,
  VideoId,
} from '#contract/ids.ts'
import { plainSettings } from './settings.ts'
import { createTenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** A tenant with one of everything; `mark` stands in every text of it, so that any leak of it can be found. */
export const createFullTenant = async (api: TestApi, mark: string) => {
  const settings = plainSettings()
  settings.base.name = `${mark} store`
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember(`${mark}-${randomUUID().slice(0, 8)}@example.com`)
  const category = await tenant.createCategory(`${mark} category`)
  const product = await tenant.createProduct({
    title: `${mark} product`,
    summary: `${mark} summary`,
    tags: [`${mark}-tag`],
    categoryIds: [category.id],
    access: 'PURCHASE',
  })
  const free = await tenant.createProduct({ title: `${mark} free`, access: 'FREE', price: null })

  const ids = {
    video: newId<VideoId>(),
    lesson: newId<LessonId>(),
    attachment: newId<AttachmentId>(),
    notice: newId<NoticeId>(),
    faq: newId<FaqId>(),
    banner: newId<BannerId>(),
  }
  const at = { customerId: tenant.id }
  await tenant.within(async (db) => {
    await db.insert(videos).values({
      ...{ ...at, id: ids.video, asset: `video/${mark}`, durationSeconds: 60 },
      ...{ previewAsset: `video/${mark}-preview`, previewSeconds: 10 },
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
      ...{ ...at, id: ids.attachment, productId: product.id, name: `${mark}.pdf` },
      ...{ contentType: 'application/pdf', bytes: 10, asset: `attachment/${mark}.pdf` },
    })
    await db.insert(notices).values({ ...at, id: ids.notice, title: `${mark} notice`, body: `<p>${mark}</p>` })
    await db
      .insert(faq)
      .values({ ...at, id: ids.faq, group: `${mark} group`, question: `${mark}?`, answer: `<p>${mark}</p>` })
    await db.insert(pages).values({ ...at, type: `${mark}-page`, title: `${mark} page`, body: `<p>${mark}</p>` })
    await db.insert(banners).values({ ...at, id: ids.banner, type: 'BANNER', title: `${mark} banner` })
  })

  const { client } = member
  const comment = await client.engagement.addComment({ id: product.id, body: `${mark} comment` })
  const reply = await client.engagement.addComment({ id: product.id, body: `${mark} reply`, parentId: comment.id })
  await client.engagement.like({ id: product.id, liked: true })
  await client.catalog.product({ id: product.id })
  const [session] = (await client.accounts.sessions()).items
  const cart = await client.commerce.addToCart({ productId: product.id, optionId: product.optionId! })
  const paying = () => api.client(tenant.code, { token: member.token, idempotencyKey: randomUUID() })
  const order = await paying().commerce.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    refundPolicyVersion: settings.order.refundPolicy.version,
  })
  const { payment } = await paying().commerce.startPayment({
    code: order.code,
    method: 'CARD',
    returnUrl: '/payments/result',
  })

  return {
    ...tenant,
    mark,
    member,
    product,
    free,
    category,
    ids: {
      ...ids,
      comment: comment.id as CommentId,
      reply: reply.id as CommentId,
      session: session!.id as SessionId,
      cartItem: cart.items[0]!.id as CartItemId,
      payment: payment.id as PaymentId,
    },
    orderCode: order.code as OrderCode,
    pageType: `${mark}-page`,
  }
}

export type FullTenant = Awaited<ReturnType<typeof createFullTenant>>
