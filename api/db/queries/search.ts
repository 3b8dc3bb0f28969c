import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CategoryId, CustomerId } from '#contract/ids.ts'
import { type CardRow, cardColumns } from './products.ts'

/** What a list is narrowed by, already understood: `words` is a tsquery. */
export interface ProductFilter {
  words: string | null
  category: CategoryId | null
  kind: readonly string[] | null
  access: readonly string[] | null
  tag: string | null
  priceMin: number | null
  priceMax: number | null
  durationMin: number | null
  durationMax: number | null
  video: boolean
}

/** A search is counted and ranked up to here; nobody pages further, and a word that common narrows nothing. */
const mostMatches = 10_000

const orderings = {
  'sort,DESC': 'p.sort DESC, p.id DESC',
  'createdAt,DESC': 'p.created_at DESC, p.id DESC',
  'createdAt,ASC': 'p.created_at, p.id',
  'countOfViews,DESC': 'p.count_of_views DESC, p.id DESC',
  'countOfViews,ASC': 'p.count_of_views, p.id',
  'countOfPlays,DESC': 'p.count_of_plays DESC, p.id DESC',
  'countOfPlays,ASC': 'p.count_of_plays, p.id',
  'duration,DESC': 'p.duration_seconds DESC NULLS LAST, p.id DESC',
  'duration,ASC': 'p.duration_seconds, p.id',
} as const satisfies Record<SortOption, string>

/** A statement's text and its values, grown together so that a number always names its value. */
const statement = (customerId: CustomerId) => {
  const values: unknown[] = [customerId]
  return { values, put: (value: unknown) => `$${values.push(value)}` }
}
type Statement = ReturnType<typeof statement>

const onSale = `p.status = 'ON_SALE' AND (p.sale_from IS NULL OR p.sale_from <= now()) AND (p.sale_to IS NULL OR p.sale_to > now())`

const source = ({ put }: Statement, filter: ProductFilter) =>
  filter.words === null
    ? 'products p'
    : `matching_products(${put(filter.words)}, ${mostMatches}) m JOIN products p ON p.customer_id = $1 AND p.id = m.product_id`

/** Conditions that no facet counts. */
const range = ({ put }: Statement, filter: ProductFilter) =>
  [
    'p.customer_id = $1',
    onSale,
    filter.priceMin !== null && `p.price_amount >= ${put(filter.priceMin)}`,
    filter.priceMax !== null && `p.price_amount <= ${put(filter.priceMax)}`,
    filter.durationMin !== null && `p.duration_seconds >= ${put(filter.durationMin)}`,
    filter.durationMax !== null && `p.duration_seconds <= ${put(filter.durationMax)}`,
    filter.video && 'p.duration_seconds IS NOT NULL',
  ].filter((condition) => condition !== false)

/** Conditions that are facets themselves: each is counted without its own. */
const choices = ({ put }: Statement, filter: ProductFilter) => ({
  kind: filter.kind && `p.kind = ANY(${put(filter.kind)}::text[])`,
  access: filter.access && `p.access = ANY(${put(filter.access)}::text[])`,
  category: filter.category && `p.category_ids @> ARRAY[${put(filter.category)}::uuid]`,
  tag: filter.tag && `p.tags @> ARRAY[${put(filter.tag)}::text]`,
})

/** One page of cards. Without another wish, a search is ordered by how well it fits. */
export const pageOfProducts = (
  db: TenantDb,
  customerId: CustomerId,
  filter: ProductFilter,
  sort: SortOption,
  { limit, offset }: { limit: number; offset: number },
): Promise<CardRow[]> => {
  const s = statement(customerId)
  const from = source(s, filter)
  const where = [...range(s, filter), ...Object.values(choices(s, filter)).filter((choice) => choice !== null)]
  const byFit = filter.words !== null && sort === 'sort,DESC' ? 'm.rank DESC, ' : ''
  const text = `SELECT ${cardColumns('p')} FROM ${from} WHERE ${where.join(' AND ')}
                ORDER BY ${byFit}${orderings[sort]} LIMIT ${s.put(limit)} OFFSET ${s.put(offset)}`
  return named<CardRow & Record<string, unknown>>(db, nameOf(text), text, s.values)
}

export interface FacetRow extends Record<string, unknown> {
  facet: 'total' | 'price' | 'kind' | 'access' | 'category' | 'tag'
  value: string
  count: number
  low: number | null
  high: number | null
}

/** How many products there are, what they cost from and to, and how many each other choice would leave. */
export const facetsOfProducts = (db: TenantDb, customerId: CustomerId, filter: ProductFilter): Promise<FacetRow[]> => {
  const s = statement(customerId)
  const from = source(s, filter)
  const where = range(s, filter)
  const chosen = choices(s, filter)
  const names = ['kind', 'access', 'category', 'tag'] as const
  const flags = names.map((name) => `${chosen[name] ?? 'true'} AS ${name}_fits`)
  const fits = (...without: string[]) =>
    names
      .filter((name) => !without.includes(name))
      .map((name) => `${name}_fits`)
      .join(' AND ')
  const text = `
    WITH found AS MATERIALIZED (
      SELECT p.kind, p.access, p.category_ids, p.tags, p.price_amount, ${flags.join(', ')} FROM ${from} WHERE ${where.join(' AND ')}
    )
    SELECT 'total' AS facet, '' AS value, count(*)::int AS count, NULL::bigint AS low, NULL::bigint AS high FROM found WHERE ${fits()}
    UNION ALL SELECT 'price', '', 0, min(price_amount), max(price_amount) FROM found WHERE ${fits()}
    UNION ALL SELECT 'kind', kind, count(*)::int, NULL, NULL FROM found WHERE ${fits('kind')} GROUP BY kind
    UNION ALL SELECT 'access', access, count(*)::int, NULL, NULL FROM found WHERE ${fits('access')} GROUP BY access
    UNION ALL SELECT 'category', c::text, count(*)::int, NULL, NULL FROM found, unnest(category_ids) c WHERE ${fits('category')} GROUP BY c
    UNION ALL (SELECT 'tag', t, count(*)::int, NULL, NULL FROM found, unnest(tags) t WHERE ${fits('tag')} GROUP BY t ORDER BY 3 DESC, 2 LIMIT 30)`
  return named<FacetRow>(db, nameOf(text), text, s.values)
}

/** A few products for the list while typing, best fit first. */
export const suggestedProducts = (
  db: TenantDb,
  customerId: CustomerId,
  words: string,
  limit: number,
): Promise<CardRow[]> =>
  named<CardRow & Record<string, unknown>>(
    db,
    'suggested_products',
    `SELECT ${cardColumns('p')} FROM matching_products($2, 500) m JOIN products p ON p.customer_id = $1 AND p.id = m.product_id
      WHERE p.customer_id = $1 AND ${onSale} ORDER BY m.rank DESC, p.sort DESC LIMIT $3`,
    [customerId, words, limit],
  )

export const wordsOfTenant = async (db: TenantDb, customerId: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ word: string }>('SELECT word FROM search_words WHERE customer_id = $1', [
    customerId,
  ])
  return rows.map((row) => row.word)
}

// Statements differ only by which conditions they have, so there are few of them; each shape gets a name for the process.
const names = new Map<string, string>()
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known) return known
  const name = `products_${names.size}`
  names.set(text, name)
  return name
}
