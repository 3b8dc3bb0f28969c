import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { recordView } from '#api/db/queries/histories.ts'
import { findVideo, type LessonVideo, lessonsOf } from '#api/db/queries/playables.ts'
import { findProductPage, findProductParts, lessonProgressOf, type PageRow } from '#api/db/queries/product-page.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { plansOfProduct } from '#api/domain/plans/plans-of-product.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { Lesson, Product, ProductCard } from '#contract/catalog.ts'
import type { LessonId, ProductId, VideoId } from '#contract/ids.ts'
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
  const found = await findProductPage(ctx.db, ctx.customer.id, idOrCode)
  const [row] = found ? await asSold(ctx, [found]) : []
  const shown = row && (await cardBeside(ctx, row, await relatedTo(ctx, stores, row)))
  if (!shown) return failure('NOT_FOUND')
  const { card, others: related } = shown
  if (hasEnded(row, ctx.clock.now()) && !card.viewer?.entitled) return failure('GONE')

  if (countView) await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), row.id, ctx.clock.now())
  const { options, lessons, ...parts } = await cache.get(ctx.customer, `parts:${row.id}`, () => partsOf(ctx, row))
  const sold = options.length > 0
  return {
    ...card,
    price: sold ? card.price : null,
    listPrice: sold ? card.listPrice : null,
    priceType: sold ? card.priceType : null,
    ...parts,
    categoryIds: row.category_ids,
    categoryPath: await deepestPath(ctx, cache, row),
    gallery: row.gallery,
    options,
    lessons: await lessonsFor(ctx, row.id, lessons, isEntitled(card)),
    plans: await plansOfProduct(ctx, cache, { id: row.id, access: row.access, categoryIds: row.category_ids }),
    related,
    seo: { title: row.seo_title, description: row.seo_description },
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
  const { description, attachmentCount } = await findProductParts(db, customer.id, row.id)
  return {
    description: sanitizeHtml(description),
    options: await optionsOf(ctx, [row.id]),
    lessons: lessons.map(publicLesson),
    attachmentCount,
    previewId: video?.previewAsset ? (video.id as VideoId) : null,
    previewSeconds: video?.previewAsset ? video.previewSeconds : null,
    captions: video?.captions ?? [],
    // They belong to a product's own video; a course has its lessons instead.
    chapters: row.video_id ? (video?.chapters ?? []) : [],
  }
}

const publicLesson = ({ lesson, video }: LessonVideo): Omit<Lesson, 'playable' | 'progress'> => ({
  id: lesson.id as LessonId,
  sort: lesson.sort,
  title: lesson.title,
  summary: lesson.summary,
  durationSeconds: Math.round(video.durationSeconds),
  free: lesson.free,
})

/** What everybody may play is played by guests without a history too. */
const isEntitled = (card: ProductCard) => card.viewer?.entitled ?? card.access === 'FREE'

const hasEnded = (row: PageRow, now: Date) =>
  row.status === 'ENDED' || (row.sale_to !== null && new Date(row.sale_to) <= now)

const deepestPath = async (ctx: Ctx, cache: TenantCache, row: PageRow) => {
  const all = await listCategories(ctx, cache)
  const deepest = all.filter((category) => row.category_ids.includes(category.id)).at(-1)
  return pathOf(all, deepest?.id).map(({ id, name, path }) => ({ id, name, path }))
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
  cache.get(ctx.customer, `related:${row.id}`, async () => {
    const shelf = await shelves.of(ctx.customer)
    const subject = { id: row.id, categoryIds: row.category_ids, tags: row.tags }
    return readCards(ctx, relatedOnShelf(shelf, subject, ctx.clock.now(), relatedShown))
  })
