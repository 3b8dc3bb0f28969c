import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { offeredLocales, translateRow } from '#api/platform/i18n/translations.ts'
import type { Category, SitemapAnswer } from '#contract/catalog.ts'
import { categoriesById, pathFromRoot } from '#contract/category-paths.ts'
import type { CustomerId } from '#contract/ids.ts'
import { categoryPaths, readCategories, saveFormerPaths } from './categories.queries.ts'
import { countOnSale, productsOnSale } from './product-index.queries.ts'

/** Returns the category tree as a flat list, level by level in menu order. */
export const listCategories = (ctx: Ctx, cache: TenantCache): Promise<Category[]> =>
  cache.get(ctx, 'categories', async () => {
    const rows = await readCategories(ctx, cache)
    const byId = categoriesById(rows)
    const slugPath = ({ id }: (typeof rows)[number]) =>
      pathFromRoot(byId, id)
        .map(({ slug }) => slug)
        .join('/')
    const paths = new Map(rows.map((row) => [row.id, slugPath(row)]))
    const usedPaths = new Set(paths.values())
    return rows.map((row) => {
      const { name, languages } = translateRow(ctx, row, ['name'])
      const formerPaths = row.formerPaths.filter((path) => !usedPaths.has(path))
      return {
        id: row.id,
        parentId: row.parentId,
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

/** Returns categories whose name contains the typed text, in the store's language or any other. */
export const categoriesNamed = async (ctx: Ctx, cache: TenantCache, typed: string): Promise<Category[]> => {
  const part = typed.trim().toLowerCase()
  const rows = await readCategories(ctx, cache)
  const matching = rows.filter(({ name, translations }) =>
    [name, ...Object.values(translations).map((texts) => texts.name)].some(
      (text) => typeof text === 'string' && text.toLowerCase().includes(part),
    ),
  )
  const ids = new Set(matching.map(({ id }) => id))
  return (await listCategories(ctx, cache)).filter(({ id }) => ids.has(id))
}

/** Finds the category that a search names by id, slug path or former slug path. */
export const findCategory = (all: readonly Category[], idOrPath: string): Category | undefined =>
  all.find(({ id }) => id === idOrPath) ??
  all.find(({ path }) => path === idOrPath) ??
  all.find(({ formerPaths }) => formerPaths?.includes(idOrPath))

/**
 * Runs a change of the category tree. The paths that it replaces are stored and lead to the new
 * ones.
 */
export const changeTree = async (
  { db, customerId }: { db: TenantDb; customerId: CustomerId },
  change: () => Promise<unknown>,
) => {
  const before = await categoryPaths(db, customerId)
  await change()
  await saveFormerPaths(db, customerId, before)
}

const pageLength = 1000

/** Returns a page of the products on sale. A page beyond the last is empty. */
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
