import { matchPassages, productsOfVideos, type VideoOwner } from '#api/modules/catalog/captions.queries.ts'
import type { ProductLists } from '#api/modules/catalog/product-lists.queries.ts'
import type { ProductIndexFilter } from '#api/modules/catalog/query-product-index.ts'
import { hitsIn, type SpokenHit, shortSnippetOf, snippetOf, spokenQuery } from '#api/modules/catalog/spoken-text.ts'
import { rightsOf } from '#api/modules/entitlements/entitlements.ts'
import type { Ctx } from '#api/platform/context.ts'
import { firstOf } from '#api/platform/elements.ts'
import { type ReaderCtx, translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { CaptionMatch } from '#contract/catalog.ts'
import type { VideoId } from '#contract/ids.ts'
import type { Translation } from '#contract/translations.ts'

/** A caption match in a video, and the products that show the video. */
export interface CaptionMatches {
  language: string
  hit: SpokenHit
  places: VideoOwner[]
}

const matchesShown = 12
/** Limits the matches before access is checked. */
const matchesFound = 24
/**
 * Limits the matches per video, so that one video does not hide the others. A viewer without access
 * sees one.
 */
const ofOneVideo = 3
const ofOneLocked = 1

/** Characters of a teaser for viewers without access, and of a suggestion. */
const longestTeaser = 60
const longestLine = 36

/** Seconds within which captions in two languages count as the same sentence. */
const isSameMatch = 2

/**
 * Finds captions in the videos of the filtered products, independent of the viewer. Exact phrases
 * come before scattered words, then the products' order decides. The same sentence in two languages
 * counts once.
 */
export const findCaptionMatches = async (
  ctx: Ctx,
  lists: ProductLists,
  filter: ProductIndexFilter,
  typed: string,
): Promise<CaptionMatches[]> => {
  const query = spokenQuery(ctx.customer.id, typed)
  if (!query) return []
  const passages = await matchPassages(ctx.db, ctx.customer.id, query)
  const places = await findVisibleOwners(ctx, lists, filter, [...new Set(passages.map(({ videoId }) => videoId))])
  const ofVideo = new Map<string, Omit<CaptionMatches, 'places'>[]>()
  let matchCount = 0
  for (const { videoId, language, cues, shared } of passages) {
    if (!places.has(videoId) || matchCount >= matchesFound) continue
    const hits = ofVideo.get(videoId) ?? []
    ofVideo.set(videoId, hits)
    for (const hit of hitsIn(cues, shared, query)) {
      const isNew = hits.every((other) => Math.abs(other.hit.startSeconds - hit.startSeconds) > isSameMatch)
      if (!isNew || hits.length === ofOneVideo) continue
      hits.push({ language, hit })
      matchCount++
    }
  }
  return [...ofVideo]
    .flatMap(([videoId, hits]) => hits.map((each, rank) => ({ ...each, rank, places: places.get(videoId) ?? [] })))
    .sort(
      (a, b) =>
        Number(b.hit.whole) - Number(a.hit.whole) || a.rank - b.rank || firstOf(b.places).sort - firstOf(a.places).sort,
    )
}

/**
 * Returns the filtered products that show each video. A video without such a product is omitted.
 */
const findVisibleOwners = async (
  ctx: Ctx,
  lists: ProductLists,
  filter: ProductIndexFilter,
  videoIds: readonly VideoId[],
) => {
  const places = new Map<string, VideoOwner[]>()
  if (videoIds.length === 0) return places
  const owners = await productsOfVideos(ctx.db, ctx.customer.id, videoIds, translatedLocale(ctx))
  const ordinals = owners.map(({ ordinal }) => ordinal)
  const prices = await lists.prices(ordinals, filter, ctx.clock.now().getTime() / 1000)
  for (const place of owners) {
    const priceAmount = prices.get(place.ordinal)
    if (priceAmount === undefined) continue
    const sold = { ...place, priceAmount }
    places.set(place.videoId, [...(places.get(place.videoId) ?? []), sold])
  }
  return places
}

/**
 * Returns the matches for the viewer: snippets with context where they may watch, teasers
 * elsewhere.
 */
export const captionMatchesFor = async (ctx: Ctx, spoken: readonly CaptionMatches[]): Promise<CaptionMatch[]> => {
  const products = new Map(
    spoken.flatMap(({ places }) => places).map(({ productId, access }) => [productId, { id: productId, access }]),
  )
  const rights = products.size > 0 ? await rightsOf(ctx, [...products.values()]) : new Map<never, never>()
  const mayWatch = (place: VideoOwner) => place.free || (rights.get(place.productId)?.entitled ?? false)
  const shown = new Map<string, number>()
  return spoken
    .flatMap(({ places, ...match }) => {
      const place = places.find(mayWatch) ?? firstOf(places)
      const open = mayWatch(place)
      const before = shown.get(place.videoId) ?? 0
      if (before >= (open ? ofOneVideo : ofOneLocked)) return []
      shown.set(place.videoId, before + 1)
      return [captionMatchOf(ctx, match, place, open)]
    })
    .slice(0, matchesShown)
}

/** Returns a match as a short suggestion, independent of the viewer. */
export const lineOf = (ctx: ReaderCtx, { places, hit, ...match }: CaptionMatches): CaptionMatch => {
  const [place] = places
  if (!place) throw new Error('A caption match belongs to no product')
  return { ...captionMatchOf(ctx, { ...match, hit }, place, place.free), ...shortSnippetOf(hit, longestLine) }
}

const captionMatchOf = (
  ctx: ReaderCtx,
  { hit, language }: Omit<CaptionMatches, 'places'>,
  place: VideoOwner,
  open: boolean,
): CaptionMatch => ({
  product: {
    id: place.productId,
    code: place.code,
    ...titled(ctx, place.title, place.translation),
    poster: place.poster,
    access: place.access,
    price: place.priceAmount === null ? null : { amount: place.priceAmount, currency: place.currency },
    priceType: place.priceType,
    optionCount: place.optionCount,
  },
  lesson:
    place.lessonId === null
      ? null
      : { id: place.lessonId, ...titled(ctx, place.lessonTitle ?? '', place.lessonTranslation) },
  startSeconds: hit.startSeconds,
  language,
  ...(open ? snippetOf(hit) : shortSnippetOf(hit, longestTeaser)),
  locked: !open,
})

const titled = (ctx: ReaderCtx, title: string, translation: Translation | null) =>
  translate(ctx, { title }, translation, ['title'])
