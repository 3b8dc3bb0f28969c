import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { Locale, OptionType, ProductAccess, ProductKind } from '#contract/enumerations.ts'
import type { CustomerId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translation } from '#contract/translations.ts'

/**
 * Whether a product costs nothing: it is of the kind FREE, open to everybody or to every member, or each option on sale costs
 * nothing. A store that gives nothing away (`order.useFree` off) neither lists nor shows it.
 */
export const isFreeOfCharge = (product: string) => `(${product}.kind = 'FREE' OR ${product}.access IN ('FREE', 'MEMBER')
  OR (${product}.access = 'PURCHASE' AND ${product}.price_amount = 0 AND NOT EXISTS (
    SELECT FROM product_options o WHERE o.customer_id = ${product}.customer_id AND o.product_id = ${product}.id
       AND o.on_sale AND o.price_amount > 0)))`

/** Whether there is something to get of a product: a stream, a lesson with a stream, or a file. Without, it is neither listed nor sold. */
export const isReady = (product: string) => `(${product}.video_id IS NOT NULL
  OR EXISTS (SELECT FROM lessons l WHERE l.customer_id = ${product}.customer_id AND l.product_id = ${product}.id AND l.video_id IS NOT NULL)
  OR EXISTS (SELECT FROM attachments a WHERE a.customer_id = ${product}.customer_id AND a.product_id = ${product}.id))`

/** What every list shows of a product: one row a card, nothing joined. */
export interface CardRow {
  id: ProductId
  free_of_charge: boolean
  ready: boolean
  code: ProductCode
  kind: ProductKind
  access: ProductAccess
  status: string
  title: string
  summary: string
  poster: Picture
  poster_tall: Picture | null
  price_amount: number | null
  list_price_amount: number | null
  price_type: OptionType | null
  currency: string
  option_count: number
  duration_seconds: number | null
  lesson_count: number
  age_rating: string
  tags: string[]
  sale_to: string | null
  count_of_views: number
  count_of_plays: number
  count_of_likes: number
  count_of_comments: number
  created_at: string
  /** In the reader's language, without the description. */
  translation: Translation | null
}

/**
 * A row's translation in the language of a parameter: null where that is empty, for the store's own. The column is not even read then.
 */
export const translationColumn = (alias: string, parameter: string) =>
  `CASE WHEN ${parameter}::text = '' THEN NULL ELSE ${alias}.translations -> ${parameter}::text END`

/** SQL of the languages a product's title is translated into. */
export const translatedLocales = (product: string) =>
  `ARRAY(SELECT t.locale FROM jsonb_each(${product}.translations) AS t (locale, texts) WHERE t.texts ->> 'title' <> '')`

/** `language` is the parameter that names the language of the translation; empty for the store's own. */
export const cardColumns = (alias: string, language: string) =>
  [
    'id',
    'code',
    'kind',
    'access',
    'status',
    'title',
    'summary',
    'poster',
    'poster_tall',
    'price_amount',
    'list_price_amount',
    'price_type',
    'currency',
    'option_count',
    'duration_seconds',
    'lesson_count',
    'age_rating',
    'tags',
    'sale_to',
    'count_of_views',
    'count_of_plays',
    'count_of_likes',
    'count_of_comments',
    'created_at',
  ]
    .map((column) => `${alias}.${column}`)
    .concat(`${isFreeOfCharge(alias)} AS free_of_charge`, `${isReady(alias)} AS ready`)
    .concat(`(${translationColumn(alias, language)}) - '{description,chapters}'::text[] AS translation`)
    .join(', ')

/** Cards by id, whatever their state: what somebody owns stays readable after its sale. Drafts are nobody's. */
export const cardsById = (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
  language: Locale | null,
): Promise<CardRow[]> =>
  named<CardRow & Record<string, unknown>>(
    db,
    'cards_by_id',
    `SELECT ${cardColumns('p', '$3')} FROM products p
      WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND p.status <> 'DRAFT'`,
    [customerId, ids, language ?? ''],
  )

/** What rights and marks of a product need to know of it. */
export interface SubjectRow {
  id: ProductId
  access: ProductAccess
  status: string
  freeOfCharge: boolean
  lessonCount: number
}

/** The same products without their words and pictures. */
export const subjectsById = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]): Promise<SubjectRow[]> =>
  named<SubjectRow & Record<string, unknown>>(
    db,
    'subjects_by_id',
    `SELECT p.id, p.access, p.status, ${isFreeOfCharge('p')} AS "freeOfCharge", p.lesson_count AS "lessonCount" FROM products p
      WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND p.status <> 'DRAFT'`,
    [customerId, ids],
  )

interface PaidPrice extends Pick<CardRow, 'price_amount' | 'list_price_amount' | 'price_type' | 'option_count'> {
  id: ProductId
}

/** Codes of the products that are ON_SALE and have nothing to get. */
export const codesNotReady = async (db: TenantDb, customerId: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ code: string }>(
    `SELECT p.code FROM products p WHERE p.customer_id = $1 AND p.status = 'ON_SALE' AND NOT ${isReady('p')} ORDER BY p.code`,
    [customerId],
  )
  return rows.map(({ code }) => code)
}

/** Which of some products have something to get. */
export const readyProducts = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await named<{ id: string }>(
    db,
    'ready_products',
    `SELECT p.id FROM products p WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND ${isReady('p')}`,
    [customerId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Of products whose cheapest option costs nothing: the cheapest of the options that cost something; no row where none does. */
export const paidPrices = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]): Promise<PaidPrice[]> =>
  named<PaidPrice & Record<string, unknown>>(
    db,
    'paid_prices',
    `SELECT DISTINCT ON (product_id) product_id AS id, price_amount, list_price_amount, type AS price_type,
            (count(*) OVER (PARTITION BY product_id))::int AS option_count
       FROM product_options
      WHERE customer_id = $1 AND product_id = ANY($2::uuid[]) AND on_sale AND price_amount > 0
      ORDER BY product_id, price_amount, sort`,
    [customerId, ids],
  )
