import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { recordView } from '#api/db/queries/histories.ts'
import { findVideo, type LessonVideo, lessonsOf, type ProductRow, type VideoRow } from '#api/db/queries/playables.ts'
import { attachmentCountOf, findProductByIdOrCode, lessonProgressOf } from '#api/db/queries/product-page.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { plansOfProduct } from '#api/domain/plans/plans-of-product.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { Lesson, Product, ProductCard } from '#contract/catalog.ts'
import type { CategoryId, LessonId, ProductId, VideoId } from '#contract/ids.ts'
import { publicCard, visibleRows, withViewer } from './cards.ts'
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
  const row = await findProductByIdOrCode(ctx.db, ctx.customer.id, idOrCode)
  if (!row) return failure('NOT_FOUND')
  const id = row.id as ProductId
  const [own] = (await visibleRows(ctx, [id])).map(publicCard)
  if (!own) return failure('NOT_FOUND')
  const [card = own, ...related] = await withViewer(ctx, [own, ...(await relatedTo(ctx, stores, row))])
  if (hasEnded(row, ctx.clock.now()) && !card.viewer?.entitled) return failure('GONE')

  if (countView) await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), id, ctx.clock.now())
  const parts = row.lessonCount > 0 ? await lessonsOf(ctx.db, ctx.customer.id, id) : []
  const video = row.videoId
    ? await findVideo(ctx.db, ctx.customer.id, row.videoId as VideoId)
    : (parts[0]?.video ?? null)
  const entitled = isEntitled(card)
  const options = await optionsOf(ctx, [id])
  return {
    ...card,
    price: options.length > 0 ? card.price : null,
    listPrice: options.length > 0 ? card.listPrice : null,
    priceType: options.length > 0 ? card.priceType : null,
    description: await cache.get(ctx.customer, `description:${row.id}`, async () => sanitizeHtml(row.description)),
    categoryIds: row.categoryIds as CategoryId[],
    categoryPath: await deepestPath(ctx, cache, row),
    gallery: row.gallery,
    options,
    lessons: await lessonsFor(ctx, id, parts, entitled),
    attachmentCount: await attachmentCountOf(ctx.db, ctx.customer.id, id),
    plans: await plansOfProduct(ctx, cache, row),
    previewId: video?.previewAsset ? (video.id as VideoId) : null,
    previewSeconds: video?.previewAsset ? video.previewSeconds : null,
    captions: video?.captions ?? [],
    chapters: chaptersOf(row, video),
    related,
    seo: { title: row.seoTitle, description: row.seoDescription },
    commentPolicy: ctx.customer.settings.operation.useComment
      ? ctx.customer.settings.operation.commentPolicy
      : 'CLOSED',
  }
}

/** What everybody may play is played by guests without a history too. */
const isEntitled = (card: ProductCard) => card.viewer?.entitled ?? card.access === 'FREE'

const hasEnded = (row: ProductRow, now: Date) =>
  row.status === 'ENDED' || (row.saleTo !== null && new Date(row.saleTo) <= now)

/** Chapters belong to a product's own video; a course has its lessons instead. */
const chaptersOf = (row: ProductRow, video: VideoRow | null) => (row.videoId ? (video?.chapters ?? []) : [])

const deepestPath = async (ctx: Ctx, cache: TenantCache, row: ProductRow) => {
  const all = await listCategories(ctx, cache)
  const deepest = all.filter((category) => row.categoryIds.includes(category.id)).at(-1)
  return pathOf(all, deepest?.id).map(({ id, name }) => ({ id, name }))
}

const lessonsFor = async (
  ctx: Ctx,
  id: ProductId,
  parts: readonly LessonVideo[],
  entitled: boolean,
): Promise<Lesson[]> => {
  const viewer = viewerOf(ctx.actor)
  const progress =
    viewer && parts.length > 0 ? await lessonProgressOf(ctx.db, ctx.customer.id, viewer, id) : new Map<string, number>()
  return parts.map(({ lesson, video }) => ({
    id: lesson.id as LessonId,
    sort: lesson.sort,
    title: lesson.title,
    summary: lesson.summary,
    durationSeconds: Math.round(video.durationSeconds),
    free: lesson.free,
    playable: entitled || lesson.free,
    progress: progress.get(lesson.id) ?? null,
  }))
}

const relatedTo = (ctx: Ctx, { cache, shelves }: CatalogStores, row: ProductRow): Promise<ProductCard[]> =>
  cache.get(ctx.customer, `related:${row.id}`, async () => {
    const shelf = await shelves.of(ctx.customer)
    return readCards(ctx, relatedOnShelf(shelf, row, ctx.clock.now(), relatedShown))
  })
