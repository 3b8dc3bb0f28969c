import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { recordView } from '#api/db/queries/histories.ts'
import { findVideo, type LessonVideo, lessonsOf } from '#api/db/queries/playables.ts'
import { findProductPage, findProductParts, lessonProgressOf, type PageRow } from '#api/db/queries/product-page.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { plansOfProduct } from '#api/domain/plans/plans-of-product.ts'
import { offeredLocales, translate, translatedLocale, translateParts, translateRow } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { Lesson, Product, ProductCard } from '#contract/catalog.ts'
import type { LessonId, ProductId, VideoId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { asSold, cardBeside } from './cards.ts'
import { listCategories, pathOf } from './categories.ts'
import { optionsOf } from './options.ts'
import { relatedOnShelf } from './related.ts'
import { type CatalogStores, readCards } from './search-products.ts'

const relatedShown = 12

/**
 * One product by id or code; a hidden one for those who hold a right to it alone. With `countView`, the look at it is counted and kept
 * in the viewer's history.
 */
export const getProduct = async (
  ctx: Ctx,
  stores: CatalogStores,
  idOrCode: string,
  { countView }: { countView: boolean },
): Promise<Product | Failure> => {
  const { cache } = stores
  const found = await findProductPage(ctx.db, ctx.customer.id, idOrCode, translatedLocale(ctx))
  const [row] = found ? await asSold(ctx, [found]) : []
  const shown = row && (await cardBeside(ctx, row, await relatedTo(ctx, stores, row)))
  if (!shown) return failure('NOT_FOUND')
  const { card, others: related } = shown
  if (hasEnded(row, ctx.clock.now()) && !card.viewer?.entitled) return failure('GONE')

  if (countView) await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), row.id, ctx.clock.now())
  const { options, lessons, languages, ...parts } = await cache.get(ctx, `parts:${row.id}`, () => partsOf(ctx, row))
  const sold = options.length > 0
  return {
    ...card,
    price: sold ? card.price : null,
    listPrice: sold ? card.listPrice : null,
    priceType: sold ? card.priceType : null,
    ...parts,
    ...((card.languages || languages) && { languages: { ...card.languages, ...languages } }),
    categoryIds: row.category_ids,
    categoryPath: await deepestPath(ctx, cache, row),
    gallery: row.gallery.map((picture) => translatedStill(picture, row, card.title)),
    options,
    lessons: await lessonsFor(ctx, row.id, lessons, isEntitled(card)),
    plans: await plansOfProduct(ctx, cache, { id: row.id, access: row.access, categoryIds: row.category_ids }),
    related,
    seo: seoOf(ctx, row),
    locales: offeredLocales(ctx.customer, row.locales),
    commentPolicy: ctx.customer.settings.operation.useComment
      ? ctx.customer.settings.operation.commentPolicy
      : 'CLOSED',
  }
}

/** What of a product is the same for everybody, and stands in other tables or has to be made. */
const partsOf = async (ctx: Ctx, row: PageRow) => {
  const { db, customer } = ctx
  const lessons = row.lesson_count > 0 ? await lessonsOf(db, customer.id, row.id) : []
  const video = row.video_id ? await findVideo(db, customer.id, row.video_id) : (lessons[0]?.video ?? null)
  const found = await findProductParts(db, customer.id, row.id, translatedLocale(ctx))
  const { attachmentCount } = found
  const { description, languages } = translate(ctx, found, found.translation, ['description'])
  return {
    description: sanitizeHtml(description),
    ...(languages && { languages }),
    options: await optionsOf(ctx, [row.id]),
    lessons: lessons.map((found) => publicLesson(ctx, found)),
    attachmentCount,
    previewId: video?.previewAsset ? (video.id as VideoId) : null,
    previewSeconds: video?.previewAsset ? video.previewSeconds : null,
    captions: video?.captions ?? [],
    // They belong to a product's own video; a course has its lessons instead.
    chapters: translateParts(ctx, (row.video_id && video?.chapters) || [], 'title', found.translation, 'chapters'),
  }
}

const publicLesson = (ctx: Ctx, { lesson, video }: LessonVideo): Omit<Lesson, 'playable' | 'progress'> => {
  const { title, summary, languages } = translateRow(ctx, lesson, ['title', 'summary'])
  return {
    id: lesson.id as LessonId,
    sort: lesson.sort,
    title,
    summary,
    durationSeconds: Math.round(video.durationSeconds),
    free: lesson.free,
    ...(languages && { languages }),
  }
}

/** Words for search engines of a language's own; without them, that language's title and summary serve. */
const seoOf = (ctx: Ctx, row: PageRow): Product['seo'] => {
  if (translatedLocale(ctx) === null) return { title: row.seo_title, description: row.seo_description }
  const { seo_title, seo_description, title, summary } = row.translation ?? {}
  const text = (own: unknown, translated: unknown, fallback: string | null) =>
    typeof own === 'string' ? own : translated ? null : fallback
  return {
    title: text(seo_title, title, row.seo_title),
    description: text(seo_description, summary, row.seo_description),
  }
}

/** Pictures of the gallery are described by the product's title and their number. */
const translatedStill = (picture: Picture, row: PageRow, title: string): Picture => ({
  ...picture,
  alt: picture.alt.startsWith(row.title) ? title + picture.alt.slice(row.title.length) : picture.alt,
})

/** What everybody may play is played by guests without a history too. */
const isEntitled = (card: ProductCard) => card.viewer?.entitled ?? card.access === 'FREE'

const hasEnded = (row: PageRow, now: Date) =>
  row.status === 'ENDED' || (row.sale_to !== null && new Date(row.sale_to) <= now)

const deepestPath = async (ctx: Ctx, cache: TenantCache, row: PageRow) => {
  const all = await listCategories(ctx, cache)
  const deepest = all.filter((category) => row.category_ids.includes(category.id)).at(-1)
  return pathOf(all, deepest?.id).map(({ id, name, path, languages }) => ({
    id,
    name,
    path,
    ...(languages && { languages }),
  }))
}

const lessonsFor = async (
  ctx: Ctx,
  id: ProductId,
  lessons: readonly Omit<Lesson, 'playable' | 'progress'>[],
  entitled: boolean,
): Promise<Lesson[]> => {
  const viewer = viewerOf(ctx.actor)
  const progress =
    viewer && lessons.length > 0
      ? await lessonProgressOf(ctx.db, ctx.customer.id, viewer, id)
      : new Map<string, number>()
  return lessons.map((lesson) => ({
    ...lesson,
    playable: entitled || lesson.free,
    progress: progress.get(lesson.id) ?? null,
  }))
}

const relatedTo = (ctx: Ctx, { cache, shelves }: CatalogStores, row: PageRow): Promise<ProductCard[]> =>
  cache.get(ctx, `related:${row.id}`, async () => {
    const shelf = await shelves.of(ctx.customer)
    const subject = { id: row.id, categoryIds: row.category_ids, tags: row.tags }
    return readCards(ctx, relatedOnShelf(shelf, subject, ctx.clock.now(), relatedShown))
  })
