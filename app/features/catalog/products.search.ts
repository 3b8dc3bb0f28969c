import * as z from 'zod/mini'
import { type ProductAccess, productKind, sortOption } from '#contract/enumerations.ts'
import { slugPath } from '#contract/rules.ts'
import { amountUpTo, anyOf, pageNumber, type SearchOf, searchSchema, text } from '~/platform/navigation/search-schema'

export const defaultSort = 'sort,DESC'

const amount = amountUpTo(1_000_000_000)

/** The path of slugs of a category; older addresses name the category's id. */
const category = z.pipe(
  text(500),
  z.string().check(z.toLowerCase(), z.normalize('NFC'), z.maxLength(500), z.regex(slugPath)),
)

/** The access filter's values. A product that is sold and in a plan has both. */
export const accessFilters = {
  FREE: ['FREE', 'MEMBER'],
  BUY: ['PURCHASE', 'PURCHASE_OR_PLAN'],
  PLAN: ['PLAN', 'PURCHASE_OR_PLAN'],
} as const satisfies Record<string, readonly ProductAccess[]>
export type AccessFilter = keyof typeof accessFilters
export const accessFilterNames: readonly AccessFilter[] = ['FREE', 'BUY', 'PLAN']

/** Reads the filter. Old URLs have a product's access, which may match several values. */
const accessFilterSchema = z.pipe(
  z.transform((input: unknown) => {
    const values: unknown[] = Array.isArray(input) ? input : [input]
    const old = values.filter((value) => !accessFilterNames.some((name) => name === value))
    return accessFilterNames.filter(
      (name) => values.includes(name) || accessFilters[name].some((access) => old.includes(access)),
    )
  }),
  z.array(z.enum(accessFilterNames)).check(z.minLength(1)),
)

/**
 * The parameters of a product list. Prices are in the currency's major unit and `duration` is a
 * range of minutes (`10-30`, `60-`), so that a plain form writes the same address as the page's own
 * script.
 */
const schema = searchSchema({
  q: text(100),
  category,
  kind: anyOf(productKind.options),
  access: accessFilterSchema,
  priceMin: amount,
  priceMax: amount,
  duration: z.string().check(z.regex(/^(?:\d{1,4}-\d{1,4}|\d{1,4}-|-\d{1,4})$/)),
  tag: text(60),
  sort: sortOption,
  page: pageNumber,
})

export type ProductsSearch = SearchOf<typeof schema>

/** Parses a list's URL. Defaults are omitted, so that each list has one URL. */
export function parseProductsSearch(search: unknown): ProductsSearch {
  const { sort, page, ...params } = schema.parse(search)
  return { ...params, sort: sort === defaultSort ? undefined : sort, page: page === 1 ? undefined : page }
}

export const productsSearch = { ...schema, parse: parseProductsSearch }

/** How many filters narrow a list. */
export const filtersOf = ({ q: _q, sort: _sort, page: _page, ...filters }: ProductsSearch) =>
  Object.values(filters).filter((value) => value !== undefined).length

/** Returns the range in seconds of a `duration` value. */
export function durationRange(word: string | undefined): { durationMin?: number; durationMax?: number } {
  const [from, to] = (word ?? '-').split('-')
  return {
    ...(from ? { durationMin: Number(from) * 60 } : {}),
    ...(to ? { durationMax: Number(to) * 60 } : {}),
  }
}
