import * as z from 'zod/mini'
import { locale } from './enumerations.ts'
import { categoryId } from './ids.ts'
import { storefrontPath } from './rules.ts'
import { requiredText } from './text.ts'
import { isDomain } from './web-addresses.ts'

/** An http or https URL, or a path of the storefront. Excludes `javascript:` URLs. */
export const linkUrl = z.string().check(
  z.maxLength(2000),
  z.refine((url) => isDomain(url) || storefrontPath.test(url), { params: { expected: 'link' } }),
)

/** A title that the store gives a section of the home page, or a link of the menu. */
export const ownTitle = requiredText(100)
/** Such titles in other languages than `base.locale`. */
export const ownTitles = z.optional(z.partialRecord(locale, ownTitle))
/** Names an item that the store has added to an arrangement. */
export const arrangedId = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/))

/** The links that the storefront names in each language, in the order of a new store. */
const standardMenuItems = ['VIDEOS', 'PLANS', 'CATEGORIES', 'PRODUCTS'] as const
export type StandardMenuItem = (typeof standardMenuItems)[number]

const hidden = z.optional(z.boolean())

/**
 * A link of the menu in the header. PLANS is shown where the store sells plans. CATEGORIES are the
 * first top-level categories, PRODUCTS all products.
 */
const menuItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(standardMenuItems), hidden }),
  z.object({ kind: z.literal('CATEGORY'), hidden, categoryId }),
  z.object({ kind: z.literal('LINK'), hidden, id: arrangedId, title: ownTitle, titles: ownTitles, url: linkUrl }),
])
export type MenuItem = z.output<typeof menuItem>

/** The maximum number of links of a menu. */
export const maxMenuItems = 20

/** What a link must not have in common with another one. */
export const menuItemKey = (item: MenuItem): string => {
  if (item.kind === 'CATEGORY') return item.categoryId
  return item.kind === 'LINK' ? `LINK ${item.id}` : item.kind
}

/** The menu of a store that has not arranged its own. */
export const defaultMenu: readonly MenuItem[] = standardMenuItems.map((kind) => ({
  kind,
  ...(kind === 'PRODUCTS' && { hidden: true }),
}))

export const menu = z.array(menuItem).check(
  z.maxLength(maxMenuItems),
  z.refine((items) => new Set(items.map(menuItemKey)).size === items.length),
)
