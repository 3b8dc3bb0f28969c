import { banners, faq, notices, pages } from '#api/modules/content/content.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { BannerLink } from '#contract/content.ts'
import { type BannerId, type CategoryId, type FaqId, type NoticeId, planCode, productCode } from '#contract/ids.ts'
import { translationsIn, withBody } from '../content/model/phrases.ts'
import { html } from '../content/model/prose.ts'
import type { DemoLink } from '../content/model/types.ts'
import type { SeededCatalog } from './catalog.ts'
import { FILES, findPicture } from './media.ts'
import { daysAgo, type Seeding } from './seeding.ts'

/** Writes banners, notices, questions and pages. */
export async function seedContent(seeding: Seeding, catalog: SeededCatalog): Promise<void> {
  const { customerId, db, tenant } = seeding
  const bannerRows = tenant.banners.map((banner, sort) => ({
    customerId,
    id: newId<BannerId>(),
    type: banner.type,
    title: banner.title,
    text: banner.text,
    label: banner.label ?? null,
    imageDesktop: findPicture(`${tenant.code}/banner-${sort}-wide`, banner.title),
    imageMobile: findPicture(`${tenant.code}/banner-${sort}-narrow`, banner.title),
    tone: banner.tone ?? 'LIGHT',
    link: banner.link ? linkOf(banner.link, catalog) : null,
    html: banner.prose ? html(banner.prose) : null,
    translations: withBody(
      translationsIn(tenant.phrases, {
        title: banner.title,
        text: banner.text || null,
        label: banner.label ?? null,
      }),
      tenant.bodies,
      'html',
      banner.title,
    ),
    sort,
  }))
  if (bannerRows.length > 0) await db.insert(banners).values(bannerRows)
  if (tenant.notices.length > 0)
    await db.insert(notices).values(
      tenant.notices.map((notice, index) => ({
        customerId,
        id: newId<NoticeId>(),
        title: notice.title,
        body: html(notice.body),
        translations: withBody(
          translationsIn(tenant.phrases, {
            title: notice.title,
            attachment_names: notice.attachments?.map(({ name }) => name) ?? null,
          }),
          tenant.bodies,
          'body',
          notice.title,
        ),
        pinned: notice.pinned ?? false,
        attachments: (notice.attachments ?? []).map(({ file, name }) => ({
          name,
          bytes: FILES[file].bytes,
          url: `/media/public/${FILES[file].asset.split('/').at(-1)}`,
        })),
        createdAt: daysAgo(seeding, notice.age, index),
      })),
    )
  if (tenant.faq.length > 0)
    await db.insert(faq).values(
      tenant.faq.map(({ group, question, answer }, sort) => ({
        customerId,
        id: newId<FaqId>(),
        group,
        question,
        answer: html(answer),
        translations: withBody(translationsIn(tenant.phrases, { group, question }), tenant.bodies, 'answer', question),
        sort,
      })),
    )
  if (tenant.pages.length > 0)
    await db.insert(pages).values(
      tenant.pages.map(({ type, title, body }, sort) => ({
        customerId,
        type,
        title,
        body: html(body),
        translations: withBody(translationsIn(tenant.phrases, { title }), tenant.bodies, 'body', type),
        sort,
        updatedAt: daysAgo(seeding, 60),
      })),
    )
}

function linkOf(link: DemoLink, catalog: SeededCatalog): BannerLink {
  if ('url' in link) return { target: 'URL', url: link.url }
  if ('plan' in link) return { target: 'PLAN', planCode: planCode.parse(link.plan) }
  if ('product' in link) {
    if (!catalog.products.has(link.product)) throw new Error(`A banner leads to ${link.product}, which does not exist`)
    return { target: 'PRODUCT', productCode: productCode.parse(link.product) }
  }
  const id = catalog.categoryIds.get(link.category)
  if (!id) throw new Error(`A banner leads to ${link.category}, which does not exist`)
  return { target: 'CATEGORY', categoryId: id as CategoryId }
}
