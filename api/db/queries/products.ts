import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { OptionType, ProductAccess, ProductKind } from '#contract/enumerations.ts'
import type { CustomerId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

/** What every list shows of a product: one row a card, nothing joined. */
export interface CardRow {
  id: ProductId
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
}

export const cardColumns = (alias: string) =>
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
    .join(', ')

/** Cards by id, whatever their state: what somebody owns stays readable after its sale. Drafts are nobody's. */
export const cardsById = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]): Promise<CardRow[]> =>
  named<CardRow & Record<string, unknown>>(
    db,
    'cards_by_id',
    `SELECT ${cardColumns('p')} FROM products p
      WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND p.status <> 'DRAFT'`,
    [customerId, ids],
  )

/** What rights and marks of a product need to know of it. */
export interface SubjectRow {
  id: ProductId
  access: ProductAccess
  status: string
  lessonCount: number
}

/** The same products without their words and pictures. */
export const subjectsById = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]): Promise<SubjectRow[]> =>
  named<SubjectRow & Record<string, unknown>>(
    db,
    'subjects_by_id',
    `SELECT id, access, status, lesson_count AS "lessonCount" FROM products
      WHERE customer_id = $1 AND id = ANY($2::uuid[]) AND status <> 'DRAFT'`,
    [customerId, ids],
  )
