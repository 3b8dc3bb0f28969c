import { and, asc, eq } from 'drizzle-orm'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CategoryId, CustomerId, ProductId } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'
import { categories } from './catalog.schema.ts'

/** Returns the tenant's categories, from the cache while its version is current. */
export const readCategories = (ctx: Ctx, cache: TenantCache) =>
  cache.get(ctx, 'category-rows', () =>
    ctx.db
      .select()
      .from(categories)
      .where(eq(categories.customerId, ctx.customer.id))
      .orderBy(asc(categories.level), asc(categories.sort), asc(categories.name)),
  )

/** Returns the tenant's categories in menu order, as they are now. */
export const categoryRows = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      id: categories.id,
      parentId: categories.parentId,
      name: categories.name,
      slug: categories.slug,
      sort: categories.sort,
      translations: categories.translations,
    })
    .from(categories)
    .where(eq(categories.customerId, customerId))
    .orderBy(asc(categories.level), asc(categories.sort), asc(categories.name))

/**
 * Per category: enough for any number of renames in practice, and small next to the page that
 * contains them.
 */
const maxFormerPaths = 10

const paths = `WITH RECURSIVE tree AS (
    SELECT id, slug AS path FROM categories WHERE customer_id = $1 AND parent_id IS NULL
    UNION ALL
    SELECT c.id, tree.path || '/' || c.slug FROM categories c JOIN tree ON c.parent_id = tree.id WHERE c.customer_id = $1
  )`

/** Returns the slug path of each category by its id. */
export const categoryPaths = async (db: TenantDb, customerId: CustomerId): Promise<Map<CategoryId, string>> => {
  const { rows } = await db.$client.query<{ id: CategoryId; path: string }>(`${paths} SELECT id, path FROM tree`, [
    customerId,
  ])
  return new Map(rows.map(({ id, path }) => [id, path]))
}

/**
 * Stores the previous path of each category whose path has changed. A former path belongs to the
 * category that had it last.
 */
export const saveFormerPaths = async (
  db: TenantDb,
  customerId: CustomerId,
  before: ReadonlyMap<CategoryId, string>,
): Promise<void> => {
  const now = await categoryPaths(db, customerId)
  const removed = [...before].filter(([id, path]) => now.has(id) && now.get(id) !== path)
  if (removed.length === 0) return
  await db.$client.query(
    `UPDATE categories c
        SET former_paths = (
          SELECT coalesce(array_agg(kept.path ORDER BY kept.place), '{}') FROM (
            SELECT each.path, each.place
              FROM unnest(array_remove(c.former_paths, l.path) || CASE WHEN l.path IS NULL THEN '{}' ELSE ARRAY[l.path] END)
                   WITH ORDINALITY AS each (path, place)
             WHERE each.path = l.path OR NOT each.path = ANY($3::text[])
             ORDER BY each.place DESC LIMIT ${maxFormerPaths}
          ) kept
        )
       FROM categories own LEFT JOIN unnest($2::uuid[], $3::text[]) AS l (id, path) ON l.id = own.id
      WHERE c.customer_id = $1 AND own.customer_id = $1 AND own.id = c.id
        AND (l.id IS NOT NULL OR c.former_paths && $3::text[])`,
    [customerId, removed.map(([id]) => id), removed.map(([, path]) => path)],
  )
}

/**
 * Locks the tree until the transaction ends: against every other change of it, or shared by those
 * who put products into its categories.
 */
export const lockCategoryTree = (db: TenantDb, customerId: CustomerId, { shared = false } = {}) =>
  db.$client.query(`SELECT pg_advisory_xact_lock${shared ? '_shared' : ''}(hashtextextended($1, 6))`, [customerId])

/** Returns how many products each used category has. */
export const countCategoryProducts = async (db: TenantDb, customerId: CustomerId): Promise<Map<CategoryId, number>> => {
  const { rows } = await db.$client.query<{ id: CategoryId; count: number }>(
    `SELECT used.id, count(*)::int AS count FROM products p, unnest(p.category_ids) AS used (id)
      WHERE p.customer_id = $1 GROUP BY 1`,
    [customerId],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Does not look for a sibling with the same slug, which fails at the commit. */
export const insertCategory = async (db: TenantDb, row: typeof categories.$inferInsert) => {
  await db.insert(categories).values(row)
}

/** Changes the name and the slug of a category. */
export const updateCategory = async (
  db: TenantDb,
  customerId: CustomerId,
  id: CategoryId,
  fields: { name: string; slug: string; translations: Translations },
) => {
  await db
    .update(categories)
    .set(fields)
    .where(and(eq(categories.customerId, customerId), eq(categories.id, id)))
}

/** Deletes a category that nothing refers to. */
export const deleteCategory = async (db: TenantDb, customerId: CustomerId, id: CategoryId) => {
  await db.delete(categories).where(and(eq(categories.customerId, customerId), eq(categories.id, id)))
}

/** Makes categories the children of a parent, in the given order. */
export const placeCategories = (
  db: TenantDb,
  customerId: CustomerId,
  parentId: CategoryId | null,
  ids: readonly CategoryId[],
) =>
  db.$client.query(
    `UPDATE categories c SET parent_id = $2::uuid, sort = placed.place::int
       FROM unnest($3::uuid[]) WITH ORDINALITY AS placed (id, place)
      WHERE c.customer_id = $1 AND c.id = placed.id
        AND (c.sort <> placed.place OR c.parent_id IS DISTINCT FROM $2::uuid)`,
    [customerId, parentId, ids],
  )

/** Returns the products in the given categories, each with all its categories. */
export const productsInCategories = async (db: TenantDb, customerId: CustomerId, ids: readonly CategoryId[]) => {
  const { rows } = await db.$client.query<{ id: ProductId; categories: CategoryId[] }>(
    'SELECT id, category_ids AS categories FROM products WHERE customer_id = $1 AND category_ids && $2::uuid[]',
    [customerId, ids],
  )
  return rows
}

/** Replaces the categories of products. */
export const setProductCategories = async (
  db: TenantDb,
  customerId: CustomerId,
  places: readonly { id: ProductId; categories: readonly CategoryId[] }[],
): Promise<void> => {
  await db.$client.query(
    `UPDATE products p SET category_ids = place.categories
       FROM jsonb_to_recordset($2::jsonb) AS place (id uuid, categories uuid[]) WHERE p.customer_id = $1 AND p.id = place.id`,
    [customerId, JSON.stringify(places)],
  )
}

/** Updates the level of every category from its position in the tree. */
export const setCategoryLevels = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query(
    `WITH RECURSIVE tree AS (
       SELECT id, 1 AS level FROM categories WHERE customer_id = $1 AND parent_id IS NULL
       UNION ALL SELECT c.id, tree.level + 1 FROM categories c JOIN tree ON tree.id = c.parent_id WHERE c.customer_id = $1
     )
     UPDATE categories c SET level = tree.level FROM tree WHERE c.customer_id = $1 AND c.id = tree.id AND c.level <> tree.level`,
    [customerId],
  )
