import type { Ctx } from '#api/platform/context.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { CategoryId, ProductId } from '#contract/ids.ts'
import { priceAt } from './playables.queries.ts'
import { fromListedProducts, listedPrice, type MatchingProducts } from './product-index.queries.ts'
import { durationsInSeconds, type SortKey } from './product-index.ts'
import { isReady } from './products.queries.ts'
import {
  type Counts,
  candidatesLimit,
  type ProductIndexFilter,
  type RelatedSubject,
  tagsWeigh,
} from './query-product-index.ts'

/** Some of a store's products. Null stands for all. */
export type ProductSelection =
  | null
  | { matches: MatchingProducts }
  | { productIds: readonly ProductId[] }
  | { categoryIds: readonly CategoryId[] }

interface PageOptions {
  offset: number
  limit: number
  /** Seconds. */
  now: number
}

/**
 * What lists show of a store's products, from its index, or from the database where the index does
 * not fit into the memory. Both give the same results in the same order. Times are in seconds.
 */
export interface ProductLists {
  /** Counts the products that pass a filter, and those that its other choices would leave. */
  count: (selection: ProductSelection, filter: ProductIndexFilter, now: number) => Promise<Counts>
  /** Returns the ids of one page. A search without a sort key is ordered by rank. */
  page: (
    selection: ProductSelection,
    filter: ProductIndexFilter,
    sort: SortOption,
    page: PageOptions,
  ) => Promise<ProductId[]>
  /** Returns the prices of the products that pass a filter, by ordinal; null if not for sale. */
  prices: (ordinals: readonly number[], filter: ProductIndexFilter, now: number) => Promise<Map<number, number | null>>
  /** Whether the store's lists have any of the products that match a search. */
  haveAny: (matches: MatchingProducts) => Promise<boolean>
  /** Returns products that share a category and the most tags with another one. */
  related: (subject: RelatedSubject, now: number, limit: number) => Promise<ProductId[]>
}

/** The store whose lists are read, and the time that a preview link shows. */
type ListedStore = Pick<Ctx, 'db' | 'customer' | 'previewAt'>

/** The parameters of a statement. The first one is the tenant. */
const createParameters = ({ customer, previewAt }: ListedStore) => {
  const values: unknown[] = [customer.id]
  const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  return { values, add, time: previewAt ? add(previewAt.toISOString(), 'timestamptz') : null }
}
type Parameters = ReturnType<typeof createParameters>

const inPeriod = (now: string) =>
  `(sale_from IS NULL OR sale_from <= to_timestamp(${now})) AND (sale_to IS NULL OR sale_to > to_timestamp(${now}))`

/**
 * SQL: the products that lists have at a time, with the prices that are due then as
 * `listed_price`. `time` is a parameter.
 */
const listedProductsAt = (time: string) => `SELECT p.*, s.ordinal,
       CASE WHEN o.lowest > 0 OR c.use_free THEN o.lowest ELSE o.lowest_paid END AS listed_price
  FROM (SELECT (settings->'order'->>'useFree')::boolean AS use_free FROM customers WHERE customer_id = $1) c
  CROSS JOIN products p JOIN product_search s ON s.customer_id = $1 AND s.product_id = p.id
  LEFT JOIN (
    SELECT product_id, min(price) AS lowest, min(price) FILTER (WHERE price > 0) AS lowest_paid FROM (
      SELECT product_id, ${priceAt('d', time)} AS price FROM product_options d WHERE customer_id = $1 AND on_sale) due
     GROUP BY product_id) o ON o.product_id = p.id
 WHERE p.customer_id = $1 AND p.status = 'ON_SALE' AND (p.sale_to IS NULL OR p.sale_to > ${time}) AND ${isReady('p')}
   AND (c.use_free OR NOT (p.kind = 'FREE' OR p.access IN ('FREE', 'MEMBER')
        OR (p.access = 'PURCHASE' AND o.lowest = 0 AND o.lowest_paid IS NULL)))`

/** SQL: the products of a selection, with `rank` and the columns that lists are made of. */
const rowsOf = ({ add, time }: Parameters, selection: ProductSelection) => {
  const [join, rank, condition] =
    selection === null
      ? ['', '0', 'true']
      : 'matches' in selection
        ? [
            `JOIN unnest(${add([...selection.matches.ordinals], 'int[]')}, ${add([...selection.matches.ranks], 'int[]')}) AS m (ordinal, rank) USING (ordinal)`,
            'm.rank',
            'true',
          ]
        : 'productIds' in selection
          ? ['', '0', `id = ANY(${add(selection.productIds, 'uuid[]')})`]
          : ['', '0', `category_ids && ${add(selection.categoryIds, 'uuid[]')}`]
  return `SELECT l.*, ${rank} AS rank
    FROM (SELECT p.id, ordinal, p.kind, p.access, ${time ? 'listed_price' : listedPrice}::float8 AS price, p.duration_seconds AS duration,
                 p.category_ids, p.tags, p.sort, p.created_at, p.count_of_views, p.count_of_plays, p.sale_from, p.sale_to
            ${time ? `FROM (${listedProductsAt(time)}) p` : fromListedProducts}) l ${join}
   WHERE ${condition}`
}

/** SQL: the tests of a filter. Those that are facets have a name, `range` are the others. */
const testsOf = ({ add }: Parameters, filter: ProductIndexFilter, now: number) => {
  const { category, tag, priceMin, priceMax, durationMin, durationMax } = filter
  const isOneOf = (column: string, chosen: readonly string[] | null) =>
    chosen === null ? 'true' : `${column} = ANY(${add(chosen, 'text[]')})`
  const bound = (column: string, sign: '>=' | '<=', value: number | null) =>
    value === null ? [] : [`coalesce(${column} ${sign} ${add(value, 'float8')}, false)`]
  const every = (conditions: string[]) => (conditions.length === 0 ? 'true' : conditions.join(' AND '))
  return {
    kind: isOneOf('kind', filter.kind),
    access: isOneOf('access', filter.access),
    category:
      category === null ? 'true' : category === 'UNKNOWN' ? 'false' : `category_ids @> ARRAY[${add(category, 'uuid')}]`,
    tag: tag === null ? 'true' : `tags @> ARRAY[${add(tag, 'text')}]`,
    duration: every([...bound('duration', '>=', durationMin), ...bound('duration', '<=', durationMax)]),
    range: every([
      inPeriod(add(now, 'float8')),
      ...bound('price', '>=', priceMin),
      ...bound('price', '<=', priceMax),
      ...(filter.video ? ['duration IS NOT NULL'] : []),
    ]),
  }
}

const passing = (parameters: Parameters, filter: ProductIndexFilter, now: number) =>
  Object.values(testsOf(parameters, filter, now)).join(' AND ')

interface CountRow extends Record<string, unknown> {
  facet: 'total' | 'kind' | 'access' | 'category' | 'tag' | 'duration'
  value: string | null
  count: number
  min: number | null
  max: number | null
}

/** Counts like `countProducts`, in the database. */
const countInDatabase = async (
  store: ListedStore,
  selection: ProductSelection,
  filter: ProductIndexFilter,
  now: number,
): Promise<Counts> => {
  const parameters = createParameters(store)
  const { range, ...facets } = testsOf(parameters, filter, now)
  const but = (own: keyof typeof facets) =>
    Object.keys(facets)
      .filter((name) => name !== own)
      .map((name) => `fits_${name}`)
      .join(' AND ')
  const durations = durationsInSeconds.map(
    ({ name, from, to }) => `('${name}', ${from}::float8, ${Number.isFinite(to) ? to : "'Infinity'::float8"})`,
  )
  const facet = (name: keyof typeof facets, value: string, join = '') =>
    `UNION ALL SELECT '${name}', ${value}::text, count(*)::int, NULL, NULL FROM counted ${join} WHERE ${but(name)} GROUP BY 2`
  const { rows } = await store.db.$client.query<CountRow>(
    `WITH counted AS MATERIALIZED (
       SELECT kind, access, category_ids, tags, duration, price,
              ${Object.entries(facets).map(([name, test]) => `${test} AS fits_${name}`)}
         FROM (${rowsOf(parameters, selection)}) r WHERE ${range}
     )
     SELECT 'total' AS facet, NULL AS value, count(*)::int AS count, min(price) AS min, max(price) AS max
       FROM counted WHERE ${Object.keys(facets)
         .map((name) => `fits_${name}`)
         .join(' AND ')}
     ${facet('kind', 'kind')}
     ${facet('access', 'access')}
     ${facet('category', 'v.id', 'CROSS JOIN unnest(category_ids) AS v (id)')}
     ${facet('tag', 'v.tag', 'CROSS JOIN unnest(tags) AS v (tag)')}
     ${facet('duration', 'v.name', `JOIN (VALUES ${durations}) AS v (name, shortest, longest) ON duration BETWEEN shortest AND longest`)}`,
    parameters.values,
  )
  const of = (name: CountRow['facet']) =>
    new Map(rows.flatMap(({ facet, value, count }) => (facet === name && value !== null ? [[value, count]] : [])))
  const total = rows.find((row) => row.facet === 'total')
  const { min = null, max = null } = total ?? {}
  const inRanges = of('duration')
  return {
    total: total?.count ?? 0,
    price: min === null || max === null ? null : { min, max },
    kind: of('kind'),
    access: of('access'),
    category: of('category'),
    tag: of('tag'),
    duration: new Map(
      durationsInSeconds.flatMap(({ name }) => (inRanges.has(name) ? [[name, inRanges.get(name) ?? 0]] : [])),
    ),
  }
}

const columnOf: Record<SortKey, string> = {
  sort: 'sort',
  createdAt: 'created_at',
  countOfViews: 'count_of_views',
  countOfPlays: 'count_of_plays',
  duration: 'duration',
}

/** Returns the ids of one page like `pageOfProducts`, from the database. */
const pageInDatabase = async (
  store: ListedStore,
  selection: ProductSelection,
  filter: ProductIndexFilter,
  sort: SortOption,
  { offset, limit, now }: PageOptions,
): Promise<ProductId[]> => {
  const parameters = createParameters(store)
  // The names of sort orders are made of these.
  const [key, direction] = sort.split(',') as [SortKey, 'ASC' | 'DESC']
  const first = sort === 'sort,DESC' ? 'rank DESC, ' : ''
  const { rows } = await store.db.$client.query<{ id: ProductId }>(
    `SELECT id FROM (${rowsOf(parameters, selection)}) r WHERE ${passing(parameters, filter, now)}
      ORDER BY ${first}${columnOf[key]} ${direction} NULLS LAST, id ${direction}
      LIMIT ${parameters.add(limit, 'int')} OFFSET ${parameters.add(offset, 'int')}`,
    parameters.values,
  )
  return rows.map(({ id }) => id)
}

/** Returns the prices of the products that pass a filter, by ordinal; null if not for sale. */
const pricesInDatabase = async (
  store: ListedStore,
  ordinals: readonly number[],
  filter: ProductIndexFilter,
  now: number,
): Promise<Map<number, number | null>> => {
  const parameters = createParameters(store)
  const { rows } = await store.db.$client.query<{ ordinal: number; price: number | null }>(
    `SELECT ordinal, price FROM (${rowsOf(parameters, null)}) r
      WHERE ordinal = ANY(${parameters.add(ordinals, 'int[]')}) AND ${passing(parameters, filter, now)}`,
    parameters.values,
  )
  return new Map(rows.map(({ ordinal, price }) => [ordinal, price]))
}

/** Whether the store's lists have any of the products that match a search. */
const hasAnyInDatabase = async (store: ListedStore, matches: MatchingProducts): Promise<boolean> => {
  if (matches.ordinals.length === 0) return false
  const parameters = createParameters(store)
  const { rows } = await store.db.$client.query<{ has: boolean }>(
    `SELECT EXISTS (${rowsOf(parameters, { matches })}) AS has`,
    parameters.values,
  )
  return rows[0]?.has ?? false
}

/** Returns related products like `findRelatedProducts`, from the database. */
const relatedInDatabase = async (
  store: ListedStore,
  { id, categoryIds, tags }: RelatedSubject,
  now: number,
  limit: number,
): Promise<ProductId[]> => {
  const parameters = createParameters(store)
  const shared = (column: string, values: readonly string[], type: string) =>
    `(SELECT count(*) FROM unnest(${column}) AS v WHERE v = ANY(${parameters.add(values, type)}))`
  const { rows } = await store.db.$client.query<{ id: ProductId }>(
    `SELECT id FROM (
       SELECT id, sort, ${shared('category_ids', categoryIds, 'uuid[]')} + ${tagsWeigh} * ${shared('tags', tags, 'text[]')} AS score
         FROM (${rowsOf(parameters, { categoryIds })}) r
        WHERE id <> ${parameters.add(id, 'uuid')} AND ${inPeriod(parameters.add(now, 'float8'))}
        ORDER BY sort DESC, id DESC LIMIT ${candidatesLimit}
     ) candidates
      ORDER BY score DESC, sort DESC, id DESC LIMIT ${parameters.add(limit, 'int')}`,
    parameters.values,
  )
  return rows.map(({ id: related }) => related)
}

/** The lists of a store by statements, of the present or of the time that a preview link shows. */
export const listsInDatabase = (store: ListedStore): ProductLists => ({
  count: (selection, filter, now) => countInDatabase(store, selection, filter, now),
  page: (selection, filter, sort, page) => pageInDatabase(store, selection, filter, sort, page),
  prices: (ordinals, filter, now) => pricesInDatabase(store, ordinals, filter, now),
  haveAny: (matches) => hasAnyInDatabase(store, matches),
  related: (subject, now, limit) => relatedInDatabase(store, subject, now, limit),
})
