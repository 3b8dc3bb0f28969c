import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { amount, at, createdAt, currency, customerId, id, translations, tsvector } from '#api/platform/db/columns.ts'
import type { OptionType, ProductAccess, ProductKind, ProductStatus } from '#contract/enumerations.ts'
import type { AttachmentId, CategoryId, LessonId, OptionId, ProductCode, ProductId, VideoId } from '#contract/ids.ts'
import type { PriceChange } from '#contract/money.ts'
import type { Picture } from '#contract/picture.ts'

export const categories = pgTable(
  'categories',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id<CategoryId>(),
    parentId: uuid('parent_id').$type<CategoryId>(),
    level: integer('level').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    /** Former slug paths, the latest last. Their addresses redirect to the category. */
    formerPaths: text('former_paths').array().notNull().default(sql`'{}'::text[]`),
    sort: integer('sort').notNull().default(0),
    translations: translations(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    // Deferred to the commit by its migration: an import may swap the slugs of two categories.
    unique('categories_slug').on(t.customerId, t.parentId, t.slug).nullsNotDistinct(),
    foreignKey({ columns: [t.customerId, t.parentId], foreignColumns: [t.customerId, t.id] }),
  ],
)

/** A chapter of a stored film, in the store's language. */
export interface StoredChapter {
  startSeconds: number
  title: string
}
export interface CaptionTrack {
  language: string
  label: string
  /** The name of its files, without the extension, once it was edited. By default the language. */
  file?: string
}
/** An audio track by its BCP 47 language. The first one is the default. */
export type AudioTrack = Pick<CaptionTrack, 'language' | 'label'>
/** Key systems by reversed domain (`org.w3.clearkey`), each with its licence server. */
export type VideoDrm = Record<string, { licenseUrl: string; certificateUrl?: string }>

/**
 * A stream. `asset` is its folder below a media root, `previewAsset` the folder of its public
 * preview. A former preview is a retired row with both as its folder, until its files are deleted.
 */
export const videos = pgTable(
  'videos',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id<VideoId>(),
    /** What staff call it; null for the name of its file. */
    name: text('name'),
    asset: text('asset').notNull(),
    /** The name of its master playlist once its captions were edited. See `manifestOf`. */
    manifest: text('manifest'),
    durationSeconds: real('duration_seconds').notNull(),
    previewAsset: text('preview_asset'),
    previewSeconds: integer('preview_seconds'),
    /** Where in the film the preview begins. Null for a video of an earlier release. */
    previewStartSeconds: real('preview_start_seconds'),
    captions: jsonb('captions').$type<CaptionTrack[]>().notNull().default([]),
    chapters: jsonb('chapters').$type<StoredChapter[]>().notNull().default([]),
    /** Width of the best rendition in pixels. */
    width: integer('width'),
    height: integer('height'),
    audio: jsonb('audio').$type<AudioTrack[]>().notNull().default([]),
    /** The WebVTT file of the scrubbing thumbnails, below `asset`. */
    storyboard: text('storyboard'),
    /** Public media keys of poster candidates. */
    posterCandidates: jsonb('poster_candidates').$type<string[]>().notNull().default([]),
    /** Size of the stream and its preview. 0 once both are deleted and only images remain. */
    bytes: bigint('bytes', { mode: 'number' }),
    /** Null if the stream is not encrypted. */
    drm: jsonb('drm').$type<VideoDrm>(),
    /** When it was replaced. It plays for current viewers until its files are deleted. */
    retiredAt: at('retired_at'),
    /** The lesson whose video it was, or else the product. */
    retiredFrom: uuid('retired_from').$type<ProductId | LessonId>(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('videos_latest').on(t.customerId, t.createdAt.desc(), t.id.desc()),
    index('videos_retired').on(t.customerId, t.retiredAt).where(sql`retired_at is not null`),
  ],
)

/** SQL: a price, or what sorts as one without. Row-level security keeps `coalesce` from indexes. */
export const priceOr = (none: number, price = 'price_amount') =>
  `(CASE WHEN ${price} IS NULL THEN ${none} ELSE ${price} END)`

const filterKeys = `array_to_tsvector(array_remove(array_remove(tags, null), '') || category_ids::text[])`

export const products = pgTable(
  'products',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id<ProductId>(),
    code: text('code').$type<ProductCode>().notNull(),
    kind: text('kind').$type<ProductKind>().notNull(),
    access: text('access').$type<ProductAccess>().notNull(),
    status: text('status').$type<ProductStatus>().notNull().default('ON_SALE'),
    title: text('title').notNull(),
    summary: text('summary').notNull(),
    /** HTML as the author wrote it. It is sanitised when read, and the result is cached. */
    description: text('description').notNull(),
    poster: jsonb('poster').$type<Picture>().notNull(),
    posterTall: jsonb('poster_tall').$type<Picture>(),
    gallery: jsonb('gallery').$type<Picture[]>().notNull().default([]),
    videoId: uuid('video_id').$type<VideoId>(),
    /** Seconds of the product's own video, or the sum of its lessons. */
    durationSeconds: integer('duration_seconds'),
    lessonCount: integer('lesson_count').notNull().default(0),
    /** As the store's country rates: `ALL`, an age, or a word of its own. */
    ageRating: text('age_rating').notNull().default('ALL'),
    tags: text('tags').array().notNull().default(sql`'{}'::text[]`),
    /** All categories of the product, including ancestors, so that a filter needs one look-up. */
    categoryIds: uuid('category_ids').array().$type<CategoryId[]>().notNull().default(sql`'{}'::uuid[]`),
    /** The cheapest option in minor units, updated in the transaction that changes options. */
    priceAmount: amount('price_amount'),
    listPriceAmount: amount('list_price_amount'),
    priceType: text('price_type').$type<OptionType>(),
    currency: currency(),
    optionCount: integer('option_count').notNull().default(0),
    saleFrom: at('sale_from'),
    saleTo: at('sale_to'),
    sort: bigint('sort', { mode: 'number' }).notNull().default(0),
    countOfViews: bigint('count_of_views', { mode: 'number' }).notNull().default(0),
    countOfPlays: bigint('count_of_plays', { mode: 'number' }).notNull().default(0),
    /** When views or plays were last added. Roll-ups of a tenant never have the same time. */
    countedAt: at('counted_at'),
    countOfLikes: bigint('count_of_likes', { mode: 'number' }).notNull().default(0),
    countOfComments: bigint('count_of_comments', { mode: 'number' }).notNull().default(0),
    seoTitle: text('seo_title'),
    seoDescription: text('seo_description'),
    translations: translations(),
    /** The code and the titles in all languages, in lower case, as far as an index takes them. */
    searchText: text('search_text').generatedAlwaysAs(
      sql`left(lower(code || chr(10) || title || chr(10) || replace(coalesce(jsonb_path_query_array(translations, '$.*.title') #>> '{}', ''), '\\"', '"')), 600)`,
    ),
    /** Sorts the list of operators. */
    titleSort: text('title_sort').generatedAlwaysAs(sql`left(lower(title), 100)`),
    /** The tags and the ids of the categories. Null for more of them than an index takes. */
    filterKeys: tsvector('filter_keys').generatedAlwaysAs(
      sql.raw(`CASE WHEN octet_length((${filterKeys})::text) <= 1000 THEN ${filterKeys} END`),
    ),
    /** What operators look for, as bits: see `lackBits`. */
    lacks: integer('lacks').generatedAlwaysAs(
      sql`(poster ->> 'url' like '%/plain-______.webp')::int + 2 * (price_amount is null and access in ('PURCHASE', 'PURCHASE_OR_PLAN'))::int
        + 4 * (category_ids = '{}')::int + 8 * (description = '')::int + 16 * (video_id is null)::int`,
    ),
    createdAt: createdAt(),
    updatedAt: at('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    // Has all that operators search and filter by, so that the rows are not read.
    index('products_latest').on(
      t.customerId,
      t.createdAt.desc(),
      t.id.desc(),
      t.searchText,
      t.status,
      t.saleFrom,
      t.saleTo,
    ),
    // Has all that the list is sorted and else filtered by. Words would not fit as well.
    index('products_filters').on(
      t.customerId,
      t.createdAt.desc(),
      t.id.desc(),
      t.titleSort,
      t.priceAmount,
      t.kind,
      t.status,
      t.saleFrom,
      t.saleTo,
      t.filterKeys,
      t.lacks,
    ),
    uniqueIndex('products_code').on(t.customerId, t.code),
    index('products_by_sort').on(t.customerId, t.status, t.sort.desc(), t.id.desc()),
    index('products_by_created').on(t.customerId, t.status, t.createdAt, t.id),
    index('products_by_views').on(t.customerId, t.status, t.countOfViews, t.id),
    index('products_by_plays').on(t.customerId, t.status, t.countOfPlays, t.id),
    index('products_by_counted_at').on(t.customerId, t.countedAt).where(sql`counted_at is not null`),
    index('products_by_title').on(t.customerId, t.titleSort, t.id),
    index('products_by_lowest_price').on(t.customerId, sql.raw(priceOr(9999999999999)), t.id),
    index('products_by_highest_price').on(t.customerId, sql.raw(priceOr(-1)), t.id),
    index('products_lacks').on(t.customerId, t.lacks),
    index('products_by_duration').on(t.customerId, t.status, t.durationSeconds, t.id),
    index('products_video').on(t.customerId, t.videoId),
    index('products_sale_from').on(t.customerId, t.saleFrom).where(sql`sale_from is not null`),
    index('products_sale_to').on(t.customerId, t.saleTo).where(sql`sale_to is not null`),
    foreignKey({ columns: [t.customerId, t.videoId], foreignColumns: [videos.customerId, videos.id] }),
    check('products_kind', sql`${t.kind} in ('PAY', 'FREE', 'VOD')`),
    check('products_access', sql`${t.access} in ('FREE', 'MEMBER', 'PURCHASE', 'PLAN', 'PURCHASE_OR_PLAN')`),
    check('products_status', sql`${t.status} in ('DRAFT', 'ON_SALE', 'HIDDEN', 'ENDED')`),
  ],
)

export const productOptions = pgTable(
  'product_options',
  {
    customerId: customerId(),
    id: id<OptionId>(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    name: text('name').notNull(),
    type: text('type').$type<OptionType>().notNull(),
    days: integer('days'),
    startWithinDays: integer('start_within_days'),
    priceAmount: amount('price_amount').notNull(),
    listPriceAmount: amount('list_price_amount'),
    currency: currency(),
    sort: integer('sort').notNull().default(0),
    onSale: boolean('on_sale').notNull().default(true),
    /** In the order of their times, all of which are to come. */
    priceChanges: jsonb('price_changes').$type<readonly PriceChange[]>().notNull().default([]),
    /** The time of the first of them. */
    nextPriceAt: at('next_price_at'),
    translations: translations(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('product_options_next_price').on(t.nextPriceAt, t.customerId).where(sql`next_price_at is not null`),
    index('product_options_product').on(t.customerId, t.productId, t.sort),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    check('product_options_type', sql`${t.type} in ('OWN', 'RENT')`),
    check('product_options_rent', sql`(${t.type} = 'RENT') = (${t.days} is not null)`),
    check('product_options_price', sql`${t.priceAmount} >= 0`),
  ],
)

export const lessons = pgTable(
  'lessons',
  {
    customerId: customerId(),
    id: id<LessonId>(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    sort: integer('sort').notNull(),
    title: text('title').notNull(),
    summary: text('summary').notNull().default(''),
    /** Null until the video is uploaded. Until then the lesson is hidden. */
    videoId: uuid('video_id').$type<VideoId>(),
    free: boolean('free').notNull().default(false),
    translations: translations(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('lessons_product').on(t.customerId, t.productId, t.sort),
    index('lessons_video').on(t.customerId, t.videoId),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    foreignKey({ columns: [t.customerId, t.videoId], foreignColumns: [videos.customerId, videos.id] }),
  ],
)

/** Files of a product. `asset` is the file's path below a media root. */
export const attachments = pgTable(
  'attachments',
  {
    customerId: customerId(),
    id: id<AttachmentId>(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    asset: text('asset').notNull(),
    confirmationText: text('confirmation_text'),
    sort: integer('sort').notNull().default(0),
    translations: translations(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('attachments_product').on(t.customerId, t.productId, t.sort),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)
