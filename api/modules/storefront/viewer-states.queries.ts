import {
  cardColumns,
  type PageRow,
  type ProductCardRow,
  pageColumns,
  pageKey,
  type SubjectRow,
  subjects,
} from '#api/modules/catalog/products.queries.ts'
import { type Histories, historiesQuery } from '#api/modules/engagement/engagement.queries.ts'
import {
  activeEntitlements,
  entitlementOfJson,
  type HeldEntitlement,
  type HeldRights,
  planScopeColumn,
} from '#api/modules/entitlements/entitlements.queries.ts'
import {
  type MemberPlansRow,
  memberPlansColumns,
  memberPlansJoins,
  memberPlansOf,
} from '#api/modules/plans/plans.queries.ts'
import type { CartOwner } from '#api/platform/context.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { ViewerState } from '#contract/catalog.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, ProductId, ViewerId } from '#contract/ids.ts'

type AwaitingOrder = NonNullable<ViewerState['awaitingTransfer']>

/** What a viewer has of some products. */
export interface ViewerFacts {
  /** The rights of a member; null for a guest. */
  heldRights: HeldRights | null
  /** Empty for a guest. */
  liked: Set<ProductId>
  inCart: Set<ProductId>
  /** The orders that wait for a bank transfer. Empty for a guest. */
  awaitingTransfer: Map<ProductId, AwaitingOrder>
  /** The number of videos watched of each product; an unfinished one counts its fraction. */
  watched: Map<ProductId, number>
}

/** The columns of `factsQuery`. Those of members are absent for guests. */
interface FactsRow extends MemberPlansRow {
  inCart: ProductId[] | null
  watched: ProductId[] | null
  parts: number[] | null
  liked?: ProductId[]
  awaiting?: (AwaitingOrder & { productId: ProductId })[] | null
  inScope?: ProductId[] | null
  entitlements?: HeldEntitlement[] | null
}

/** The viewer and the tenant of a statement. */
interface Reader {
  db: TenantDb
  customerId: CustomerId
  owner: CartOwner
  now: Date
}

/**
 * SQL: one row with what viewer `$2` (as text `$3`) of customer `$1` has of some products.
 * `products` is an expression for their ids, `now` the placeholder of the time.
 */
const factsQuery = {
  member: (products: string, now: string) => `
    SELECT ${memberPlansColumns}, ${planScopeColumn(products)},
           (SELECT json_agg(one) FROM (${activeEntitlements({ products, now })}) one) AS entitlements,
           ARRAY(SELECT product_id FROM likes WHERE customer_id = $1 AND member_id = $2 AND product_id = ANY(${products}::uuid[])) AS liked,
           ${inCart('member_id', products)}, ${awaiting(products)}, w.watched, w.parts
      FROM members m ${memberPlansJoins} CROSS JOIN ${watched(products)} w
     WHERE m.customer_id = $1 AND m.id = $2`,
  guest: (products: string) => `SELECT ${inCart('guest_id', products)}, w.watched, w.parts FROM ${watched(products)} w`,
}

const inCart = (owner: 'member_id' | 'guest_id', products: string) => `
  ARRAY(SELECT i.product_id FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
         WHERE c.customer_id = $1 AND c.${owner} = $2 AND i.product_id = ANY(${products}::uuid[])) AS "inCart"`

/** SQL: the deadline is written as `toISOString` does. */
const awaiting = (products: string) => `(
  SELECT json_agg(json_build_object('productId', i.product_id, 'order', o.code, 'until',
           to_char(o.deposit_deadline AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    FROM orders o JOIN order_items i ON i.customer_id = o.customer_id AND i.order_id = o.id
   WHERE o.customer_id = $1 AND o.member_id = $2 AND o.status = 'DEPOSIT_WAITING' AND i.product_id = ANY(${products}::uuid[])) AS awaiting`

const watched = (products: string) => `(
  SELECT array_agg(product_id) AS watched, array_agg(parts) AS parts
    FROM (SELECT product_id,
                 sum(CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END)::float8 AS parts
            FROM positions WHERE customer_id = $1 AND viewer = $3 AND product_id = ANY(${products}::uuid[])
           GROUP BY product_id) each_one)`

/**
 * Runs a statement that contains `factsQuery`. Its own values begin at `$4`; the time follows. A
 * column of its own with the name of a fact would be overwritten, so none is accepted.
 */
const readWithFacts = <Row>(
  { db, customerId, owner, now }: Reader,
  name: keyof Row & keyof FactsRow extends never ? string : never,
  text: (facts: (products: string) => string) => string,
  ownValues: readonly unknown[],
): Promise<(Row & FactsRow)[]> => {
  const kind = 'memberId' in owner ? 'member' : 'guest'
  const id = 'memberId' in owner ? owner.memberId : owner.guestId
  const sql = text((products) => factsQuery[kind](products, `$${ownValues.length + 4}`))
  const values = [customerId, id, id, ...ownValues, ...(kind === 'member' ? [now.toISOString()] : [])]
  return named<Row & FactsRow>(db, `${name}_of_${kind}`, sql, values)
}

/** Converts the first row of a statement with facts. */
const factsOf = ({ owner }: Reader, row: FactsRow | undefined): ViewerFacts => {
  const parts = row?.parts ?? []
  return {
    heldRights:
      'memberId' in owner
        ? {
            entitlements: (row?.entitlements ?? []).map(entitlementOfJson),
            plans: memberPlansOf(row),
            inScope: row?.inScope ?? null,
          }
        : null,
    liked: new Set(row?.liked),
    inCart: new Set(row?.inCart),
    awaitingTransfer: new Map(row?.awaiting?.map(({ productId, order, until }) => [productId, { order, until }])),
    watched: new Map(row?.watched?.map((productId, at) => [productId, parts[at] ?? 0])),
  }
}

/**
 * Reads everything that the state of some products depends on, for one viewer: the rights, the
 * likes, the cart, and the watched share of each. `subjects` are the products without texts and
 * images, except drafts.
 */
export const readViewerFacts = async (
  reader: Reader,
  ids: readonly ProductId[],
): Promise<{ facts: ViewerFacts; subjects: SubjectRow[] }> => {
  const [row] = await readWithFacts<{ subjects: SubjectRow[] | null }>(
    reader,
    'viewer_facts',
    (facts) => `SELECT f.*, (SELECT json_agg(one) FROM (${subjects('$4')}) one) AS subjects FROM (${facts('$4')}) f`,
    [ids],
  )
  return { facts: factsOf(reader, row), subjects: row?.subjects ?? [] }
}

/**
 * SQL: the cards of products in any state except drafts, because owned products remain visible
 * after they leave sale. The first row has the columns of `beside` too.
 */
const cardsBeside = (products: string, language: string, beside: string) => `
  SELECT c.*, beside.*
    FROM (SELECT row_number() OVER () AS place, ${cardColumns('p', language)} FROM products p
           WHERE p.customer_id = $1 AND p.id = ANY(${products}::uuid[]) AND p.status <> 'DRAFT') c
    LEFT JOIN (${beside}) beside ON c.place = 1 ORDER BY c.place`

/** Reads the cards of products, and what the viewer has of them, in one statement. */
export const readViewedCards = async (
  reader: Reader,
  ids: readonly ProductId[],
  language: Locale | null,
): Promise<{ rows: ProductCardRow[]; facts: ViewerFacts }> => {
  const rows = await readWithFacts<ProductCardRow>(
    reader,
    'viewed_cards',
    (facts) => `WITH f AS MATERIALIZED (${facts('$4')}) ${cardsBeside('$4', '$5', 'SELECT * FROM f')}`,
    [ids, language ?? ''],
  )
  return { rows, facts: factsOf(reader, rows[0]) }
}

/**
 * Reads a viewer's product histories, latest first, each with its own limit; the cards of their
 * products; and what the viewer has of them.
 */
export const readHistoryCards = async (
  reader: Reader,
  limits: Record<keyof Histories, number>,
  language: Locale | null,
): Promise<Histories & { rows: ProductCardRow[]; facts: ViewerFacts }> => {
  const products = '(SELECT "watchedIds" || "viewedIds" FROM h)'
  const rows = await readWithFacts<ProductCardRow & { watchedIds: ProductId[] | null; viewedIds: ProductId[] | null }>(
    reader,
    'history_cards',
    (facts) => `
      WITH h AS MATERIALIZED (${historiesQuery({ watched: '$4', viewed: '$5' })}), f AS MATERIALIZED (${facts(products)})
      ${cardsBeside(products, '$6', 'SELECT * FROM f CROSS JOIN h')}`,
    [limits.watched, limits.viewed, language ?? ''],
  )
  const [first] = rows
  return { watched: first?.watchedIds ?? [], viewed: first?.viewedIds ?? [], rows, facts: factsOf(reader, first) }
}

interface ViewedPage {
  idOrCode: string
  others: readonly ProductId[]
  language: Locale | null
  previewed: ProductId | null
}

/**
 * Reads the page of a product, and what the viewer has of it and of `others`. Null if there is no
 * product with this id or code, or it is a draft and not the previewed product.
 */
export const readViewedPage = async (
  reader: Reader,
  { idOrCode, others, language, previewed }: ViewedPage,
): Promise<{ row: PageRow; facts: ViewerFacts } | null> => {
  const key = pageKey(idOrCode)
  const [row] = await readWithFacts<PageRow>(
    reader,
    `viewed_page_by_${key}`,
    (facts) => `
      SELECT ${pageColumns('page', '$6')}, f.* FROM products page
        LEFT JOIN LATERAL (${facts('(page.id || $4::uuid[])')}) f ON true
       WHERE page.customer_id = $1 AND page.${key} = $5 AND (page.status <> 'DRAFT' OR page.id = $7::uuid)`,
    [others, idOrCode, language ?? '', previewed],
  )
  return row ? { row, facts: factsOf(reader, row) } : null
}

/** Returns the watched share of each lesson, 0 to 1, by lesson id. */
export const lessonProgressOf = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: ViewerId,
  productId: ProductId,
) => {
  const rows = await named<{ part: string; watched: number }>(
    db,
    'lesson_progress',
    `SELECT part, CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END::float8 AS watched
       FROM positions WHERE customer_id = $1 AND viewer = $2 AND product_id = $3`,
    [customerId, viewer, productId],
  )
  return new Map(rows.map((row) => [row.part, row.watched]))
}
