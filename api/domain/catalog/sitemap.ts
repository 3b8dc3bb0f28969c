import type { Ctx } from '#api/context.ts'
import { countOnSale, productsOnSale } from '#api/db/queries/sitemap.ts'
import { offeredLocales } from '#api/domain/translations.ts'
import type { SitemapAnswer } from '#contract/catalog.ts'

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
