import { asc, eq } from 'drizzle-orm'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CategoryId, CustomerId } from '#contract/ids.ts'
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
    .select({ id: categories.id, parentId: categories.parentId, name: categories.name })
    .from(categories)
    .where(eq(categories.customerId, customerId))
    .orderBy(asc(categories.level), asc(categories.sort), asc(categories.name))

/**
 * Per category: enough for any number of renames in practice, and small next to the page that
 * contains them.
 */
const maxFormerPaths = 10

export const paths = `WITH RECURSIVE tree AS (
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
  const left = [...before].filter(([id, path]) => now.has(id) && now.get(id) !== path)
  if (left.length === 0) return
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
    [customerId, left.map(([id]) => id), left.map(([, path]) => path)],
  )
}
