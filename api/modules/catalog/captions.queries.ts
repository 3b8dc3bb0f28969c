import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { Locale, OptionType, ProductAccess } from '#contract/enumerations.ts'
import type { CustomerId, LessonId, ProductCode, ProductId, VideoId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translation } from '#contract/translations.ts'
import { translationColumn } from './products.queries.ts'
import type { PassageCue } from './search.schema.ts'

export interface NewPassage {
  language: string
  place: number
  cues: PassageCue[]
  shared: number
  folded: string
  tokens: string
}

/** Replaces the caption passages of a video, all of them or those of one language. */
export const replacePassages = async (
  db: TenantDb,
  customerId: CustomerId,
  videoId: VideoId,
  passages: readonly NewPassage[],
  language: string | null,
): Promise<void> => {
  await db.$client.query(
    'DELETE FROM caption_passages WHERE customer_id = $1 AND video_id = $2 AND ($3::text IS NULL OR language = $3)',
    [customerId, videoId, language],
  )
  if (passages.length === 0) return
  await db.$client.query(
    `INSERT INTO caption_passages (customer_id, video_id, language, place, cues, shared, folded, tokens)
     SELECT c.customer_id, $2, p.language, p.place, p.cues, p.shared, p.folded, p.tokens::tsvector
       FROM customers c
      CROSS JOIN unnest($3::text[], $4::int[], $5::jsonb[], $6::int[], $7::text[], $8::text[])
            AS p (language, place, cues, shared, folded, tokens)
      WHERE c.customer_id = $1`,
    [
      customerId,
      videoId,
      passages.map((passage) => passage.language),
      passages.map((passage) => passage.place),
      passages.map((passage) => JSON.stringify(passage.cues)),
      passages.map((passage) => passage.shared),
      passages.map((passage) => passage.folded),
      passages.map((passage) => passage.tokens),
    ],
  )
}

export interface MatchedPassage extends Record<string, unknown> {
  videoId: VideoId
  language: string
  shared: number
  cues: PassageCue[]
}

/**
 * Limits how many passages are read for a phrase and for a single word. Beyond the limit, further
 * matches are no better.
 */
const phraseTokens = 800
const wordTokens = 300
/** Limits how many passages are returned: enough for one page of results. */
const maxPassages = 32

/**
 * Passages that contain all words of a search. Passages with the exact phrase come first, which a
 * single word does not need.
 */
export const matchPassages = (
  db: TenantDb,
  customerId: CustomerId,
  { tsquery, phrase, single }: { tsquery: string; phrase: string; single: boolean },
): Promise<MatchedPassage[]> =>
  named<MatchedPassage>(
    db,
    'match_passages',
    'SELECT video_id AS "videoId", language, shared, cues FROM matching_passages($1, $2, $3, $4, $5)',
    [customerId, tsquery, ...(single ? [null, wordTokens] : [phrase, phraseTokens]), maxPassages],
  )

/** A place where a video is shown: a product's own video or one of its lessons. */
export interface VideoOwner extends Record<string, unknown> {
  videoId: VideoId
  ordinal: number
  productId: ProductId
  code: ProductCode
  title: string
  poster: Picture
  access: ProductAccess
  priceAmount: number | null
  optionCount: number
  priceType: OptionType | null
  currency: string
  sort: number
  lessonId: LessonId | null
  lessonTitle: string | null
  translation: Translation | null
  lessonTranslation: Translation | null
  /** True for a lesson that anyone may watch. */
  free: boolean
}

/** A video shown in more products is stock material, so further products are omitted. */
const maxPlaces = 8

/**
 * Products on sale that show the given videos: freely watchable ones first, then in the order of
 * the products.
 */
export const productsOfVideos = (
  db: TenantDb,
  customerId: CustomerId,
  videoIds: readonly VideoId[],
  language: Locale | null,
): Promise<VideoOwner[]> =>
  named<VideoOwner>(
    db,
    'places_of_videos_in_order',
    `SELECT v.id AS "videoId", s.ordinal, p.id AS "productId", p.code, p.title, p.poster, p.access, p.price_amount AS "priceAmount",
            p.price_type AS "priceType", p.option_count AS "optionCount", p.currency, p.sort, place.lesson_id AS "lessonId", place.lesson_title AS "lessonTitle",
            place.free, (${translationColumn('p', '$3')}) - 'description' AS translation, ${translationColumn('place', '$3')} AS "lessonTranslation"
       FROM unnest($2::uuid[]) AS v (id)
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT q.id AS product_id, q.sort, NULL::uuid AS lesson_id, NULL::text AS lesson_title, false AS free, '{}'::jsonb AS translations
            FROM products q WHERE q.customer_id = $1 AND q.video_id = v.id AND q.status = 'ON_SALE'
           UNION ALL
          SELECT q.id, q.sort, l.id, l.title, l.free, l.translations
            FROM lessons l JOIN products q ON q.customer_id = $1 AND q.id = l.product_id AND q.status = 'ON_SALE'
           WHERE l.customer_id = $1 AND l.video_id = v.id
        ) every_place ORDER BY free DESC, sort DESC, product_id LIMIT ${maxPlaces}
      ) place
       JOIN products p ON p.customer_id = $1 AND p.id = place.product_id
       JOIN product_search s ON s.customer_id = $1 AND s.product_id = p.id
      ORDER BY place.free DESC, p.sort DESC, p.id`,
    [customerId, videoIds, language ?? ''],
  )
