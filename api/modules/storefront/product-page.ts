import { listCategories } from '#api/modules/catalog/categories.ts'
import { attachmentsOf, findVideo, type LessonVideo, lessonsOf } from '#api/modules/catalog/playables.queries.ts'
import { findProductPage, findProductParts, type PageRow } from '#api/modules/catalog/products.queries.ts'
import { saleStateOf } from '#api/modules/catalog/products.ts'
import { recordProductView } from '#api/modules/engagement/comments.ts'
import { type Histories, readLikedProducts } from '#api/modules/engagement/engagement.queries.ts'
import { entitledProducts } from '#api/modules/entitlements/entitlements.queries.ts'
import { rightOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, productStateOf, visibilityOf } from '#api/modules/entitlements/visible-product.ts'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { type Ctx, type Failure, failure, type MemberCtx, viewerOf } from '#api/platform/context.ts'
import {
  offeredLocales,
  translate,
  translatedLocale,
  translateParts,
  translateRow,
  translationFor,
} from '#api/platform/i18n/translations.ts'
import { sanitizeHtml } from '#api/platform/text.ts'
import { isNumbered } from '#contract/admin/product-gallery.ts'
import type { ProductCard } from '#contract/catalog.ts'
import { categoriesById, pathFromRoot } from '#contract/category-paths.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { Picture } from '#contract/picture.ts'
import type { Attachment, Lesson, Product } from '#contract/product-page.ts'
import { plansOfProduct } from './plans.ts'
import {
  cardBeside,
  cardsInOrder,
  inOrder,
  optionsOf,
  readerOf,
  visibleCards,
  withPricesOnSale,
} from './product-cards.ts'
import { type CatalogStores, readCards } from './search.ts'
import { lessonProgressOf, readHistoryCards, readViewedPage, readViewerFacts } from './viewer-states.queries.ts'

const relatedShown = 12

/**
 * Returns one product by id or code. A hidden product is returned only to holders of a right to it.
 * With `countView`, the view is counted and added to the viewer's history.
 */
export const getProduct = async (
  ctx: Ctx,
  stores: CatalogStores,
  idOrCode: string,
  { countView }: { countView: boolean },
): Promise<Product | Failure> => {
  const { cache } = stores
  const page = await readPage(ctx, stores, idOrCode)
  const [row] = page ? await withPricesOnSale(ctx, [page.row]) : []
  const shown = page && row && (await cardBeside(ctx, row, page.related, page.facts))
  if (!shown) return failure('NOT_FOUND')
  const { card, others: related } = shown
  const isPreview = ctx.previewed === row.id && saleStateOf(row, ctx.clock.now()) !== 'ON_SALE'
  if (!isPreview && hasEnded(row, ctx.clock.now()) && !card.viewer?.entitled) return failure('GONE')

  if (countView) await recordProductView(ctx, row.id)
  const partsKey = `parts:${row.id}${isPreview ? ' preview' : ''}`
  const { options, lessons, languages, ...parts } = await cache.get(ctx, partsKey, () => partsOf(ctx, row))
  const sold = options.length > 0
  return {
    ...card,
    price: sold ? card.price : null,
    listPrice: sold ? card.listPrice : null,
    priceType: sold ? card.priceType : null,
    ...parts,
    ...((card.languages || languages) && { languages: { ...card.languages, ...languages } }),
    categoryIds: row.categoryIds,
    categoryPath: await deepestPath(ctx, cache, row),
    gallery: row.gallery.map((picture, at) => withTranslatedAlt(picture, at, row, card.title)),
    options,
    lessons: await lessonsFor(ctx, row.id, lessons, isEntitled(card)),
    plans: await plansOfProduct(ctx, cache, { id: row.id, access: row.access, categoryIds: row.categoryIds }),
    related,
    seo: seoOf(ctx, row),
    ...(isPreview && { preview: true }),
    locales: offeredLocales(ctx.customer, row.locales),
    commentPolicy: ctx.customer.settings.operation.useComment
      ? ctx.customer.settings.operation.commentPolicy
      : 'CLOSED',
  }
}

/**
 * Reads a product with the cards of related ones, and what the viewer has of all of them. This is
 * one statement once the related ones are cached.
 */
const readPage = async (ctx: Ctx, stores: CatalogStores, idOrCode: string) => {
  const { db, customer, previewed = null } = ctx
  const language = translatedLocale(ctx)
  const key = `related:${idOrCode}`
  const reader = readerOf(ctx)
  const cached = await stores.cache.known<ProductCard[]>(ctx, key)
  const idsOf = (cards: readonly ProductCard[] = []) => cards.map(({ id }) => id)
  const viewerState = reader
    ? await readViewedPage(reader, { idOrCode, others: idsOf(cached), language, previewed })
    : { row: await findProductPage(db, customer.id, idOrCode, language, previewed), facts: null }
  if (!viewerState?.row) return null
  const { row, facts } = viewerState
  if (cached) return { row, facts, related: cached }
  const related = await stores.cache.get(ctx, key, () => relatedTo(ctx, stores, row))
  return { row, related, facts: reader && (await readViewerFacts(reader, [row.id, ...idsOf(related)])).facts }
}

/**
 * Loads the parts of a product that do not depend on the viewer and are stored in other tables or
 * computed.
 */
const partsOf = async (ctx: Ctx, row: PageRow) => {
  const { db, customer } = ctx
  const lessons = row.lessonCount > 0 ? await lessonsOf(db, customer.id, row.id) : []
  const video = row.videoId ? await findVideo(db, customer.id, row.videoId) : (lessons[0]?.video ?? null)
  const parts = await findProductParts(db, customer.id, row.id, translatedLocale(ctx))
  const { attachmentCount } = parts
  const { description, languages } = translate(ctx, parts, parts.translation, ['description'])
  return {
    description: sanitizeHtml(description),
    ...(languages && { languages }),
    options: await optionsOf(ctx, [row.id]),
    lessons: lessons.map((lesson) => publicLesson(ctx, lesson)),
    attachmentCount,
    previewId: video?.previewAsset ? video.id : null,
    previewSeconds: video?.previewAsset ? video.previewSeconds : null,
    captions: (video?.captions ?? []).map(({ language, label }) => ({ language, label })),
    // Chapters belong to a product's own video. A course has lessons instead.
    chapters: translateParts(ctx, (row.videoId && video?.chapters) || [], 'title', parts.translation, 'chapters'),
  }
}

const publicLesson = (ctx: Ctx, { lesson, video }: LessonVideo): Omit<Lesson, 'playable' | 'progress'> => {
  const { title, summary, languages } = translateRow(ctx, lesson, ['title', 'summary'])
  return {
    id: lesson.id,
    sort: lesson.sort,
    title,
    summary,
    durationSeconds: Math.round(video.durationSeconds),
    free: lesson.free,
    ...(languages && { languages }),
  }
}

/** Returns the search engine texts of a language. Without them, its title and summary are used. */
const seoOf = (ctx: Ctx, row: PageRow): Product['seo'] => {
  if (translatedLocale(ctx) === null) return { title: row.seoTitle, description: row.seoDescription }
  const { seo_title, seo_description, title, summary } = row.translation ?? {}
  const text = (seoText: unknown, plainText: unknown, fallback: string | null) =>
    typeof seoText === 'string' ? seoText : plainText ? null : fallback
  return {
    title: text(seo_title, title, row.seoTitle),
    description: text(seo_description, summary, row.seoDescription),
  }
}

/** Returns a gallery image with its own text, or with the product's title and its number. */
const withTranslatedAlt = (picture: Picture, at: number, row: PageRow, title: string): Picture => ({
  ...picture,
  alt: row.translation?.gallery_alts?.[at] || (isNumbered(row.title, picture) ? `${title} ${at + 1}` : picture.alt),
})

/** Guests without a history may also play free products. */
const isEntitled = (card: ProductCard) => card.viewer?.entitled ?? card.access === 'FREE'

const hasEnded = (row: PageRow, now: Date) =>
  row.status === 'ENDED' || (row.saleTo !== null && new Date(row.saleTo) <= now)

const deepestPath = async (ctx: Ctx, cache: TenantCache, row: PageRow) => {
  const all = await listCategories(ctx, cache)
  const deepest = all.filter((category) => row.categoryIds.includes(category.id)).at(-1)
  return pathFromRoot(categoriesById(all), deepest?.id).map(({ id, name, path, languages }) => ({
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

const relatedTo = async (ctx: Ctx, { productIndexes }: CatalogStores, row: PageRow): Promise<ProductCard[]> => {
  const lists = await productIndexes.listsOf(ctx)
  const subject = { id: row.id, categoryIds: row.categoryIds, tags: row.tags }
  return readCards(ctx, await lists.related(subject, ctx.clock.now().getTime() / 1000, relatedShown))
}

/** Returns the files of a product, and whether the viewer may download them. */
export const listAttachments = async (
  ctx: Ctx,
  cache: TenantCache,
  productId: ProductId,
): Promise<Attachment[] | Failure> => {
  const product = await productStateOf(ctx, productId)
  if (!product) return failure('NOT_FOUND')
  const right = await rightOf(ctx, product)
  if (!isVisible(product, right, visibilityOf(ctx))) return failure('NOT_FOUND')
  const rows = await cache.get(ctx, `attachments:${productId}`, () => attachmentsOf(ctx.db, ctx.customer.id, productId))
  return rows.map((row) => {
    const translation = translationFor(ctx, row.translations)
    const { name, confirmationText, languages } = translate(
      ctx,
      row,
      translation && { ...translation, confirmationText: translation.confirmation ?? '' },
      ['name', 'confirmationText'],
    )
    return {
      id: row.id,
      name,
      contentType: row.contentType,
      bytes: row.bytes,
      confirmationText,
      available: right.entitled,
      ...(languages && { languages }),
    }
  })
}

/**
 * Returns the viewer's last watched and viewed products, newest first. Empty for a guest without an
 * id.
 */
export const histories = async (ctx: Ctx, limits: Record<keyof Histories, number>) => {
  const reader = readerOf(ctx)
  if (!reader) return { watched: [], viewed: [] }
  const { watched, viewed, rows, facts } = await readHistoryCards(reader, limits, translatedLocale(ctx))
  const cards = visibleCards(ctx, await withPricesOnSale(ctx, rows), facts)
  return { watched: inOrder(watched, cards), viewed: inOrder(viewed, cards) }
}

/** Returns the liked products that the member sees, the latest like first. */
export const likedProducts = async (
  ctx: MemberCtx,
  { page, size }: { page: number; size: number },
): Promise<Page<ProductCard>> => {
  // One person's likes are few enough to be read whole: some may be hidden or not begun.
  const ids = await readLikedProducts(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const cards = await cardsInOrder(ctx, ids)
  return { items: cards.slice((page - 1) * size, page * size), total: cards.length, page, size }
}

const sortKey = {
  sort: () => 0,
  createdAt: (card: ProductCard) => Date.parse(card.createdAt),
  countOfViews: (card: ProductCard) => card.countOfViews,
  countOfPlays: (card: ProductCard) => card.countOfPlays,
  duration: (card: ProductCard) => card.durationSeconds ?? 0,
} as const

/**
 * Returns products the member holds an active right to: the latest right first, or in a catalogue
 * sort order.
 */
export const purchasedProducts = async (
  ctx: MemberCtx,
  { sort, page, size }: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const ids = await entitledProducts(ctx.db, ctx.customer.id, ctx.actor.memberId, ctx.clock.now())
  const first = (page - 1) * size
  if (!sort || sort === 'sort,DESC') {
    return { items: await cardsInOrder(ctx, ids.slice(first, first + size)), total: ids.length, page, size }
  }
  // One person's purchases are few enough to be sorted in memory.
  // The parts of a sort order of the contract, `createdAt,DESC`.
  const [by, direction] = sort.split(',') as [keyof typeof sortKey, 'ASC' | 'DESC']
  const cards = await cardsInOrder(ctx, ids)
  cards.sort((a, b) => (sortKey[by](a) - sortKey[by](b)) * (direction === 'ASC' ? 1 : -1))
  return { items: cards.slice(first, first + size), total: ids.length, page, size }
}
