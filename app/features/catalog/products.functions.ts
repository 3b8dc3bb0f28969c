import * as z from 'zod/mini'
import type { SearchQuery } from '#contract/catalog.ts'
import { minorDigits } from '#contract/money.ts'
import { checked, readFn } from '~/platform/api/server-fn'
import { defaultSort, durationRange, type ProductsSearch, productsSearch, waysToWatch } from './products.search'
import { tileMaker } from './tiles'

/** A page of products, with facet counts. `video` keeps only what has a stream. */
export const searchProducts = readFn()
  .validator(checked(z.extend(z.partial(z.object(productsSearch.shape)), { video: z.optional(z.boolean()) })))
  .handler(async ({ data: { video, ...words }, context }) => {
    const settings = await context.requestContext.tenant.settings()
    if (!settings.ok) return settings
    const query = searchQueryOf(words, settings.data.base.currency)
    return context.ask(async (api) => {
      const found = await api.catalog.search(video ? { ...query, video } : query)
      return { ...found, items: tileMaker()(found.items) }
    })
  })

/** The API's words for a list's address: prices in the currency's minor unit, lengths in seconds. */
function searchQueryOf(words: ProductsSearch, currency: string): SearchQuery {
  const { access, priceMin, priceMax, duration, sort = defaultSort, page = 1, ...rest } = words
  const minor = (major: number) => Math.round(major * 10 ** minorDigits(currency))
  return {
    ...rest,
    ...(access && { access: [...new Set(access.flatMap((way) => waysToWatch[way]))] }),
    ...durationRange(duration),
    ...(priceMin !== undefined && { priceMin: minor(priceMin) }),
    ...(priceMax !== undefined && { priceMax: minor(priceMax) }),
    sort,
    page,
    size: pageSize,
  }
}

/** Divides by 2, 3, 4 and 6, so that the last row of a full page is full. */
const pageSize = 24
