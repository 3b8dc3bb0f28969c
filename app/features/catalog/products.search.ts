import * as z from 'zod/mini'
import { productAccess, productKind, sortOption } from '#contract/enumerations.ts'
import { isPresent, slugPath } from '#contract/rules.ts'

export const defaultSort = 'sort,DESC'

const text = (longest: number) =>
  z.pipe(z.coerce.string(), z.string().check(z.trim(), z.minLength(1), z.maxLength(longest)))
const amount = z.coerce.number().check(z.gte(0), z.lte(1_000_000_000))

/** The path of slugs of a category; older addresses name the category's id. */
const categoryWord = z.pipe(
  z.coerce.string(),
  z.string().check(z.trim(), z.toLowerCase(), z.normalize('NFC'), z.maxLength(500), z.regex(slugPath)),
)

/** What cannot be read counts as not asked for: a worn link still leads to products. */
const forgiving = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** One value or several, in any order; unknown ones are dropped and a list of none is no filter. */
const anyOf = <Value extends string>(options: readonly Value[]) =>
  z.transform((value: unknown): Value[] | undefined => {
    const given = Array.isArray(value) ? value : [value]
    const known = options.filter((option) => given.includes(option))
    return known.length > 0 ? known : undefined
  })

/**
 * The words of a product list's address. Prices are in the currency's major unit and `duration` is a range of minutes
 * (`10-30`, `60-`), so that a plain form writes the same address as the page's own script.
 */
export const productsSearch = z.object({
  q: forgiving(text(100)),
  category: forgiving(categoryWord),
  kind: z.catch(z.optional(anyOf(productKind.options)), undefined),
  access: z.catch(z.optional(anyOf(productAccess.options)), undefined),
  priceMin: forgiving(amount),
  priceMax: forgiving(amount),
  duration: forgiving(z.string().check(z.regex(/^(?:\d{1,4}-\d{1,4}|\d{1,4}-|-\d{1,4})$/))),
  tag: forgiving(text(60)),
  sort: forgiving(sortOption),
  page: forgiving(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000))),
})

export type ProductsSearch = Partial<z.output<typeof productsSearch>>

/**
 * Reads a list's address. Defaults are left out, so that one list has one address; every word is named, missing ones as
 * undefined, so that the router does not keep what could not be read.
 */
export function parseProductsSearch(raw: Record<string, unknown>): ProductsSearch {
  const { sort, page, ...words } = z.parse(productsSearch, withoutEmpty(raw))
  return { ...words, sort: sort === defaultSort ? undefined : sort, page: page === 1 ? undefined : page }
}

/** How many filters narrow a list. */
export const filtersOf = ({ q: _q, sort: _sort, page: _page, ...filters }: ProductsSearch) =>
  Object.values(filters).filter((value) => value !== undefined).length

/** A form sends its empty fields too. */
const withoutEmpty = <Words extends object>(words: Words): Words =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => isPresent(value))) as Words

/** The range of seconds that a `duration` word asks for. */
export function durationRange(word: string | undefined): { durationMin?: number; durationMax?: number } {
  const [from, to] = (word ?? '-').split('-')
  return {
    ...(from ? { durationMin: Number(from) * 60 } : {}),
    ...(to ? { durationMax: Number(to) * 60 } : {}),
  }
}
