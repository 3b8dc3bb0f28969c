import type { TenantDb } from '#api/platform/db/client.ts'
import { quotedName, type Row } from '#api/platform/db/upsert-rows.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

export const deleteRows = (
  db: TenantDb,
  customerId: CustomerId,
  table: string,
  ids: readonly string[],
  key: 'id' | 'type' | 'plan_id' = 'id',
) =>
  db.$client.query(
    `DELETE FROM ${quotedName(table)} WHERE customer_id = $1 AND ${quotedName(key)} = ANY($2::${key === 'type' ? 'text' : 'uuid'}[])`,
    [customerId, ids],
  )

/** Of some options or plans, those that something else of the store refers to. */
export const idsInUse = async (
  db: TenantDb,
  customerId: CustomerId,
  what: 'option_id' | 'plan_id',
  ids: readonly string[],
): Promise<Set<string>> => {
  const tables = what === 'option_id' ? ['order_items', 'cart_items'] : ['subscriptions', 'subscription_charges']
  const { rows } = await db.$client.query<{ id: string }>(
    tables
      .map((table) => `SELECT ${what} AS id FROM ${table} WHERE customer_id = $1 AND ${what} = ANY($2::uuid[])`)
      .join(' UNION '),
    [customerId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export const countRows = async (db: TenantDb, customerId: CustomerId, table: string): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${quotedName(table)} WHERE customer_id = $1`,
    [customerId],
  )
  return rows[0]?.count ?? 0
}

export interface ProductFileRow extends Row {
  id: string
  code: string
  poster: Picture
  poster_tall: Picture | null
  gallery: Picture[]
  category_ids: string[]
}

/** Products with their video's asset, in the order of their codes. */
export const readProductRows = async (
  db: TenantDb,
  customerId: CustomerId,
  { codes, after, limit }: { codes?: readonly string[]; after?: string; limit?: number },
): Promise<ProductFileRow[]> => {
  const { rows } = await db.$client.query<ProductFileRow>(
    `SELECT p.id, p.code, p.title, p.kind, p.access, p.status, p.summary, p.description, p.category_ids, p.tags, p.poster,
            p.poster_tall, p.gallery, v.asset AS video, p.age_rating, p.sale_from, p.sale_to, p.sort, p.seo_title,
            p.seo_description, p.translations, p.created_at
       FROM products p LEFT JOIN videos v ON v.customer_id = $1 AND v.id = p.video_id
      WHERE p.customer_id = $1 AND ($2::text[] IS NULL OR p.code = ANY($2)) AND ($3::text IS NULL OR p.code COLLATE "C" > $3)
      ORDER BY p.code COLLATE "C" LIMIT $4`,
    [customerId, codes ?? null, after ?? null, limit ?? null],
  )
  return rows
}

const children = {
  product_options:
    'c.name, c.type, c.days, c.start_within_days, c.price_amount, c.list_price_amount, c.sort, c.on_sale, c.translations, NULL AS video',
  lessons: 'c.title, c.sort, c.summary, c.free, c.translations, v.asset AS video',
  attachments: 'c.name, c.asset, c.content_type, c.bytes, c.confirmation_text, c.sort, c.translations, NULL AS video',
}
export type ChildTable = keyof typeof children

/**
 * What belongs to products, in the order of their codes. Products are looked up apart: in a transaction that has just written thousands
 * of them the planner believes that there are none, and joins each with each.
 */
export const readChildRows = async (
  db: TenantDb,
  customerId: CustomerId,
  table: ChildTable,
  { keys, ids = [] }: { keys: readonly string[]; ids?: readonly string[] },
): Promise<(Row & { id: string; product: string })[]> => {
  type Child = Row & { id: string; product_id: string; sort: number }
  const productIds = [...(await productIdsOf(db, customerId, keys)).values()]
  const video = table === 'lessons' ? 'LEFT JOIN videos v ON v.customer_id = $1 AND v.id = c.video_id' : ''
  const { rows } = await db.$client.query<Child>(
    `SELECT c.id, c.product_id, ${children[table]} FROM ${table} c ${video}
      WHERE c.customer_id = $1 AND (c.product_id = ANY($2::uuid[]) OR c.id = ANY($3::uuid[]))`,
    [customerId, productIds, ids],
  )
  const codes = await productCodesOf(db, customerId, [...new Set(rows.map(({ product_id }) => product_id))])
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return rows
    .map(({ product_id, ...row }) => ({ ...row, product: codes.get(product_id) ?? '' }))
    .sort((a, b) => order(a.product, b.product) || Number(a.sort) - Number(b.sort) || order(a.id, b.id))
}

const productCodesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; code: string }>(
    'SELECT id, code FROM products WHERE customer_id = $1 AND id = ANY($2::uuid[])',
    [customerId, ids],
  )
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** Ids by code, of products that are there. */
export const productIdsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  codes: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; code: string }>(
    'SELECT id, code FROM products WHERE customer_id = $1 AND code = ANY($2::text[])',
    [customerId, codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}

/** The codes that come after one, in order. */
export const readProductCodes = async (
  db: TenantDb,
  customerId: CustomerId,
  after: string | undefined,
  limit: number,
): Promise<string[]> => {
  const { rows } = await db.$client.query<{ code: string }>(
    `SELECT code FROM products WHERE customer_id = $1 AND ($2::text IS NULL OR code COLLATE "C" > $2)
      ORDER BY code COLLATE "C" LIMIT $3`,
    [customerId, after ?? null, limit],
  )
  return rows.map(({ code }) => code)
}

export const someProductCodes = async (db: TenantDb, customerId: CustomerId, most: number): Promise<string[]> => {
  const { rows } = await db.$client.query<{ code: string }>(
    'SELECT code FROM products WHERE customer_id = $1 ORDER BY created_at DESC LIMIT $2',
    [customerId, most],
  )
  return rows.map(({ code }) => code)
}

/** All rows of a small table of the store, in an order that does not change. */
export const readWhole = async (
  db: TenantDb,
  customerId: CustomerId,
  table: 'categories' | 'plans' | 'banners' | 'notices' | 'faq' | 'pages',
): Promise<Row[]> => {
  const order = {
    categories: 'level, sort, name COLLATE "C", id',
    plans: 'sort, code COLLATE "C"',
    banners: 'sort, id',
    notices: 'created_at, id',
    faq: 'sort, id',
    pages: 'sort, type COLLATE "C"',
  }[table]
  const listed =
    table === 'plans'
      ? `, (SELECT coalesce(array_agg(p.code ORDER BY p.code COLLATE "C"), '{}') FROM plan_products l
             JOIN products p ON p.customer_id = $1 AND p.id = l.product_id
            WHERE l.customer_id = $1 AND l.plan_id = plans.id) AS products`
      : ''
  const { rows } = await db.$client.query<Row>(
    `SELECT *${listed} FROM ${quotedName(table)} WHERE customer_id = $1 ORDER BY ${order}`,
    [customerId],
  )
  return rows
}

/** Takes a category out of everything that stands in it. */
export const removeProductsFromCategories = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly string[],
): Promise<void> => {
  for (const table of ['products', 'plans'])
    await db.$client.query(
      `UPDATE ${table} SET category_ids = (SELECT coalesce(array_agg(id ORDER BY place), '{}')
                                             FROM unnest(category_ids) WITH ORDINALITY AS kept (id, place) WHERE id <> ALL($2::uuid[]))
        WHERE customer_id = $1 AND category_ids && $2::uuid[]`,
      [customerId, ids],
    )
}

/** Products that stand in one of some categories, each with all its categories. */
export const productsInCategories = async (db: TenantDb, customerId: CustomerId, ids: readonly string[]) => {
  const { rows } = await db.$client.query<{ id: string; categories: string[] }>(
    'SELECT id, category_ids AS categories FROM products WHERE customer_id = $1 AND category_ids && $2::uuid[]',
    [customerId, ids],
  )
  return rows
}

export const setProductCategories = async (
  db: TenantDb,
  customerId: CustomerId,
  places: readonly { id: string; categories: readonly string[] }[],
): Promise<void> => {
  await db.$client.query(
    `UPDATE products p SET category_ids = place.categories
       FROM jsonb_to_recordset($2::jsonb) AS place (id uuid, categories uuid[]) WHERE p.customer_id = $1 AND p.id = place.id`,
    [customerId, JSON.stringify(places)],
  )
}

/** The products a plan lists. */
export const listProducts = async (
  db: TenantDb,
  customerId: CustomerId,
  listed: readonly { planId: string; productIds: readonly string[] }[],
): Promise<void> => {
  await deleteRows(
    db,
    customerId,
    'plan_products',
    listed.map(({ planId }) => planId),
    'plan_id',
  )
  await db.$client.query(
    `INSERT INTO plan_products (customer_id, plan_id, product_id) SELECT $1, unnest($2::uuid[]), unnest($3::uuid[])`,
    [
      customerId,
      listed.flatMap(({ planId, productIds }) => productIds.map(() => planId)),
      listed.flatMap(({ productIds }) => productIds),
    ],
  )
}

/** The level of every category, from where it stands. */
export const setCategoryLevels = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query(
    `WITH RECURSIVE tree AS (
       SELECT id, 1 AS level FROM categories WHERE customer_id = $1 AND parent_id IS NULL
       UNION ALL SELECT c.id, tree.level + 1 FROM categories c JOIN tree ON tree.id = c.parent_id WHERE c.customer_id = $1
     )
     UPDATE categories c SET level = tree.level FROM tree WHERE c.customer_id = $1 AND c.id = tree.id AND c.level <> tree.level`,
    [customerId],
  )
