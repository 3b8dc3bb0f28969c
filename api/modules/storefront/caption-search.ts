import { matchPassages, placesOfVideos, type VideoPlace } from '#api/modules/catalog/captions.queries.ts'
import type { Shelf } from '#api/modules/catalog/product-index.ts'
import { passes, type ShelfFilter } from '#api/modules/catalog/query-product-index.ts'
import { hitsIn, type SpokenHit, snippetOf, spokenQuery, teaserOf } from '#api/modules/catalog/spoken-text.ts'
import { rightsOf } from '#api/modules/entitlements/entitlements.ts'
import type { Ctx } from '#api/platform/context.ts'
import { type ReaderCtx, translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { Moment } from '#contract/catalog.ts'
import type { Translation } from '#contract/translations.ts'

/** Something said in a video, and the places of the store that show the video. */
export interface Spoken {
  language: string
  hit: SpokenHit
  places: VideoPlace[]
}

const momentsShown = 12
/** Before it is known who may watch what. */
const momentsFound = 24
/** Of one video: more would hide all others. Who may not watch it learns of one. */
const ofOneVideo = 3
const ofOneLocked = 1

/** Letters of what those may read who may not watch, and of a line while typing. */
const longestTeaser = 60
const longestLine = 36

/** Captions in two languages say the same sentence within this. Seconds. */
const sameMoment = 2

/**
 * What is said in the videos of the products a filter leaves, the same for everybody: the whole phrase before its scattered words,
 * then by the products' own order. One sentence in two languages is one.
 */
export const findSpoken = async (ctx: Ctx, shelf: Shelf, filter: ShelfFilter, typed: string): Promise<Spoken[]> => {
  const query = spokenQuery(ctx.customer.id, typed)
  if (!query) return []
  const passages = await matchPassages(ctx.db, ctx.customer.id, query)
  const places = await placesLeft(ctx, shelf, filter, [...new Set(passages.map(({ videoId }) => videoId))])
  const ofVideo = new Map<string, Omit<Spoken, 'places'>[]>()
  let found = 0
  for (const { videoId, language, cues, shared } of passages) {
    if (!places.has(videoId) || found >= momentsFound) continue
    const said = ofVideo.get(videoId) ?? []
    ofVideo.set(videoId, said)
    for (const hit of hitsIn(cues, shared, query)) {
      const isNew = said.every((other) => Math.abs(other.hit.startSeconds - hit.startSeconds) > sameMoment)
      if (!isNew || said.length === ofOneVideo) continue
      said.push({ language, hit })
      found++
    }
  }
  return [...ofVideo]
    .flatMap(([videoId, said]) => said.map((each, turn) => ({ ...each, turn, places: places.get(videoId)! })))
    .sort(
      (a, b) => Number(b.hit.whole) - Number(a.hit.whole) || a.turn - b.turn || b.places[0]!.sort - a.places[0]!.sort,
    )
}

/** Where videos are shown in products that the filter leaves; a video that none of them shows is left out. */
const placesLeft = async (ctx: Ctx, shelf: Shelf, filter: ShelfFilter, videoIds: readonly string[]) => {
  const isLeft = passes(shelf, filter, ctx.clock.now().getTime() / 1000)
  const places = new Map<string, VideoPlace[]>()
  if (videoIds.length === 0) return places
  for (const place of await placesOfVideos(ctx.db, ctx.customer.id, videoIds, translatedLocale(ctx))) {
    const row = shelf.rowOfOrdinal[place.ordinal] ?? -1
    if (row < 0 || !isLeft(row)) continue
    const price = shelf.price[row]!
    const sold = { ...place, priceAmount: Number.isNaN(price) ? null : price }
    places.set(place.videoId, [...(places.get(place.videoId) ?? []), sold])
  }
  return places
}

/** The moments the asking person is shown: those they may watch with what is said around them, the others as teasers. */
export const momentsFor = async (ctx: Ctx, spoken: readonly Spoken[]): Promise<Moment[]> => {
  const products = new Map(
    spoken.flatMap(({ places }) => places).map(({ productId, access }) => [productId, { id: productId, access }]),
  )
  const rights = products.size > 0 ? await rightsOf(ctx, [...products.values()]) : new Map<never, never>()
  const mayWatch = (place: VideoPlace) => place.free || (rights.get(place.productId)?.entitled ?? false)
  const shown = new Map<string, number>()
  return spoken
    .flatMap(({ places, ...said }) => {
      const place = places.find(mayWatch) ?? places[0]!
      const open = mayWatch(place)
      const before = shown.get(place.videoId) ?? 0
      if (before >= (open ? ofOneVideo : ofOneLocked)) return []
      shown.set(place.videoId, before + 1)
      return [momentOf(ctx, said, place, open)]
    })
    .slice(0, momentsShown)
}

/** A line for the list while typing: a few words, whoever asks. */
export const lineOf = (ctx: ReaderCtx, { places, hit, ...said }: Spoken): Moment => {
  const [place] = places as [VideoPlace]
  return { ...momentOf(ctx, { ...said, hit }, place, place.free), ...teaserOf(hit, longestLine) }
}

const momentOf = (
  ctx: ReaderCtx,
  { hit, language }: Omit<Spoken, 'places'>,
  place: VideoPlace,
  open: boolean,
): Moment => ({
  product: {
    id: place.productId,
    code: place.code,
    ...titled(ctx, place.title, place.translation),
    poster: place.poster,
    access: place.access,
    price: place.priceAmount === null ? null : { amount: place.priceAmount, currency: place.currency },
    priceType: place.priceType,
  },
  lesson:
    place.lessonId === null
      ? null
      : { id: place.lessonId, ...titled(ctx, place.lessonTitle ?? '', place.lessonTranslation) },
  startSeconds: hit.startSeconds,
  language,
  ...(open ? snippetOf(hit) : teaserOf(hit, longestTeaser)),
  locked: !open,
})

const titled = (ctx: ReaderCtx, title: string, translation: Translation | null) =>
  translate(ctx, { title }, translation, ['title'])
