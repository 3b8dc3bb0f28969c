import { asc, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { categories } from '#api/db/schema/catalog.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { Category } from '#contract/catalog.ts'
import type { CategoryId } from '#contract/ids.ts'

/** The category tree, flat, level by level in menu order. */
export const listCategories = (ctx: Ctx, cache: TenantCache): Promise<Category[]> =>
  cache.get(ctx.customer, 'categories', async () => {
    const rows = await ctx.db
      .select()
      .from(categories)
      .where(eq(categories.customerId, ctx.customer.id))
      .orderBy(asc(categories.level), asc(categories.sort), asc(categories.name))
    const byId = new Map(rows.map((row) => [row.id, row]))
    const slugsTo = (row: (typeof rows)[number] | undefined): string[] =>
      row ? [...slugsTo(byId.get(row.parentId ?? '')), row.slug] : []
    return rows.map((row) => ({
      id: row.id as CategoryId,
      parentId: row.parentId as CategoryId | null,
      level: row.level,
      name: row.name,
      slug: row.slug,
      path: slugsTo(row).join('/'),
      sort: row.sort,
    }))
  })

/** A category and its ancestors, from the root; empty for one that does not exist. */
export const pathOf = (all: readonly Category[], id: CategoryId | undefined): Category[] => {
  const category = all.find((candidate) => candidate.id === id)
  return category ? [...pathOf(all, category.parentId ?? undefined), category] : []
}

/** The category that a search names by id or by its path of slugs. */
export const findCategory = (all: readonly Category[], idOrPath: string): Category | undefined =>
  all.find(({ id }) => id === idOrPath) ?? all.find(({ path }) => path === idOrPath)
