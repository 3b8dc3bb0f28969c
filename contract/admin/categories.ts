import * as z from 'zod/mini'
import { categoryId } from '../ids.ts'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'
import { translated, translatedChange } from './products.ts'

/** The category tree: each category before those below it, siblings in menu order. */
export const storeCategories = z.object({
  items: z.array(
    z.object({
      id: categoryId,
      parentId: z.nullable(categoryId),
      name: z.string(),
      /** The end of its address. Unique among siblings. */
      slug: z.string(),
      /** The names from the root. */
      path: z.array(z.string()),
      translations: translated(['name']),
      /** With the products of the categories below it. */
      productCount: z.int(),
    }),
  ),
  /** Of the whole tree. Send it as `If-Match` with a change. */
  version: z.string(),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StoreCategories = z.output<typeof storeCategories>

const categoryFields = { name: requiredText(100), slug: requiredText(80) }
export const storeCategoryPath = z.object({ id: categoryId })
/** Without a slug it gets one from its name. */
export const storeCategoryCreate = z.object({
  name: categoryFields.name,
  slug: z.optional(categoryFields.slug),
  parentId: z.nullable(categoryId),
})
export const storeCategoryUpdate = z.extend(z.partial(z.object(categoryFields)), {
  id: categoryId,
  translations: translatedChange(['name']),
})
export const storeCategoryMove = z.object({
  id: categoryId,
  parentId: z.nullable(categoryId),
  /** Among the categories of the parent, from 1. One beyond the last is the last. */
  position: z.int().check(z.gte(1), z.lte(1_000_000)),
})
