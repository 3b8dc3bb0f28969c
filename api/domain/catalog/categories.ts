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
    return rows.map(({ id, parentId, level, name, slug, sort }) => ({
      id: id as CategoryId,
      parentId: parentId as CategoryId | null,
      level,
      name,
      slug,
      sort,
    }))
  })

/** A category and its ancestors, from the root; empty for one that does not exist. */
export const pathOf = (all: readonly Category[], id: CategoryId | undefined): Category[] => {
  const category = all.find((candidate) => candidate.id === id)
  return category ? [...pathOf(all, category.parentId ?? undefined), category] : []
}
