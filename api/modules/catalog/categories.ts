import { asc, eq } from 'drizzle-orm'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { offeredLocales, translateRow } from '#api/platform/i18n/translations.ts'
import type { Category, SitemapAnswer } from '#contract/catalog.ts'
import type { CategoryId, CustomerId } from '#contract/ids.ts'
import { categories } from './catalog.schema.ts'
import { countOnSale, productsOnSale } from './product-index.queries.ts'

const readCategories = (ctx: Ctx, cache: TenantCache) =>
  cache.get(ctx, 'category-rows', () =>
    ctx.db
      .select()
      .from(categories)
      .where(eq(categories.customerId, ctx.customer.id))
      .orderBy(asc(categories.level), asc(categories.sort), asc(categories.name)),
  )

/** The category tree, flat, level by level in menu order. */
export const listCategories = (ctx: Ctx, cache: TenantCache): Promise<Category[]> =>
  cache.get(ctx, 'categories', async () => {
    const rows = await readCategories(ctx, cache)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const slugsTo = (row: (typeof rows)[number] | undefined): string[] =>
      row ? [...slugsTo(byId.get(row.parentId ?? '')), row.slug] : []
    const paths = new Map(rows.map((row) => [row.id, slugsTo(row).join('/')]))
    const taken = new Set(paths.values())
    return rows.map((row) => {
      const { name, languages } = translateRow(ctx, row, ['name'])
      const formerPaths = row.formerPaths.filter((path) => !taken.has(path))
      return {
        id: row.id as CategoryId,
        parentId: row.parentId as CategoryId | null,
        level: row.level,
        name,
        slug: row.slug,
        path: paths.get(row.id) ?? row.slug,
        ...(formerPaths.length > 0 && { formerPaths }),
        sort: row.sort,
        ...(languages && { languages }),
      }
    })
  })

/** Categories whose name holds what was typed, in the store's language or any other. */
export const categoriesNamed = async (ctx: Ctx, cache: TenantCache, typed: string): Promise<Category[]> => {
  const part = typed.trim().toLowerCase()
  const rows = await readCategories(ctx, cache)
  const found = rows.filter(({ name, translations }) =>
    [name, ...Object.values(translations).map((texts) => texts.name)].some(
      (text) => typeof text === 'string' && text.toLowerCase().includes(part),
    ),
  )
  const ids = new Set(found.map(({ id }) => id))
  return (await listCategories(ctx, cache)).filter(({ id }) => ids.has(id))
}

/** A category and its ancestors, from the root; empty for one that does not exist. */
export const pathOf = (all: readonly Category[], id: CategoryId | undefined): Category[] => {
  const category = all.find((candidate) => candidate.id === id)
  return category ? [...pathOf(all, category.parentId ?? undefined), category] : []
}

/** The category that a search names by id, by its path of slugs, or by a path it had before. */
export const findCategory = (all: readonly Category[], idOrPath: string): Category | undefined =>
  all.find(({ id }) => id === idOrPath) ??
  all.find(({ path }) => path === idOrPath) ??
  all.find(({ formerPaths }) => formerPaths?.includes(idOrPath))

const pageLength = 1000

/** A page of what is on sale now; one beyond the last is empty. */
export const readSitemap = async (ctx: Ctx, page: number): Promise<SitemapAnswer> => {
  const now = ctx.clock.now()
  const of = { customerId: ctx.customer.id, now }
  const count = await countOnSale(ctx.db, of)
  const rows = await productsOnSale(ctx.db, of, { limit: pageLength, offset: (page - 1) * pageLength })
  return {
    pages: Math.max(1, Math.ceil(count / pageLength)),
    items: rows.map(({ code, created_at, title, summary, poster, preview, seconds, locales }) => ({
      code,
      createdAt: created_at,
      locales: offeredLocales(ctx.customer, locales),
      video:
        preview === null || seconds === null
          ? null
          : { title, summary, poster, preview: `/p/${preview}/master.m3u8`, durationSeconds: Math.round(seconds) },
    })),
  }
}

/** Of one category: more than anybody renames, and little beside the page that carries them. */
const mostFormerPaths = 10

const paths = `WITH RECURSIVE tree AS (
    SELECT id, slug AS path FROM categories WHERE customer_id = $1 AND parent_id IS NULL
    UNION ALL
    SELECT c.id, tree.path || '/' || c.slug FROM categories c JOIN tree ON c.parent_id = tree.id WHERE c.customer_id = $1
  )`

/** The path of slugs of each category, by its id. */
export const categoryPaths = async (db: TenantDb, customerId: CustomerId): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; path: string }>(`${paths} SELECT id, path FROM tree`, [
    customerId,
  ])
  return new Map(rows.map(({ id, path }) => [id, path]))
}

/**
 * Notes for each category whose path has changed the one it had before. A former path belongs to the category that had it last.
 */
export const saveFormerPaths = async (
  db: TenantDb,
  customerId: CustomerId,
  before: ReadonlyMap<string, string>,
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
             ORDER BY each.place DESC LIMIT ${mostFormerPaths}
          ) kept
        )
       FROM categories own LEFT JOIN unnest($2::uuid[], $3::text[]) AS l (id, path) ON l.id = own.id
      WHERE c.customer_id = $1 AND own.customer_id = $1 AND own.id = c.id
        AND (l.id IS NOT NULL OR c.former_paths && $3::text[])`,
    [customerId, left.map(([id]) => id), left.map(([, path]) => path)],
  )
}
