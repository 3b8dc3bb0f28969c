import * as z from 'zod/mini'
import { productStatus } from '../enumerations.ts'
import { categoryId, productCode } from '../ids.ts'

const bulkCategories = z.optional(z.array(categoryId).check(z.maxLength(100)))
/** Changes every named product. What is left out stays. */
export const productBulkFields = {
  status: z.optional(productStatus),
  addCategoryIds: bulkCategories,
  removeCategoryIds: bulkCategories,
}
export const storeProductBulk = z.object({
  codes: z.array(productCode).check(z.minLength(1), z.maxLength(100)),
  ...productBulkFields,
})
/** What a change of many products can change, as it was before, and the version after it. */
export const storeProductBefore = z.object({
  code: productCode,
  version: z.string(),
  status: productStatus,
  categoryIds: z.array(categoryId).check(z.maxLength(100)),
})
export type StoreProductBefore = z.output<typeof storeProductBefore>
/** Sends back the `before` of results. */
export const storeProductRestore = z.object({
  items: z.array(storeProductBefore).check(z.minLength(1), z.maxLength(100)),
})
/** What became of each product, in their order. `reason` is the code of a problem. */
export const storeProductBulkResult = z.object({
  items: z.array(
    z.object({
      code: productCode,
      result: z.enum(['CHANGED', 'UNCHANGED', 'FAILED']),
      reason: z.nullable(z.string()),
      /** Restores a changed product. Null for others. */
      before: z.nullable(storeProductBefore),
    }),
  ),
})
export type StoreProductBulkResult = z.output<typeof storeProductBulkResult>

export const storeProductsDelete = z.object({
  codes: z.array(productCode).check(z.minLength(1), z.maxLength(100)),
})
/** Why a product is not deleted. */
const productInUse = z.enum([
  'NOT_FOUND',
  'NOT_DRAFT',
  'ORDERED',
  'GRANTED',
  'IN_CART',
  'WATCHED',
  'DISCUSSED',
  'LINKED',
  'ENCODING',
])
export type ProductInUse = z.output<typeof productInUse>
/** What became of each product, in their order. `message` says the reason in words. */
export const storeProductsDeleted = z.object({
  items: z.array(
    z.object({
      code: productCode,
      result: z.enum(['DELETED', 'FAILED']),
      reason: z.nullable(productInUse),
      message: z.nullable(z.string()),
    }),
  ),
})
export type StoreProductsDeleted = z.output<typeof storeProductsDeleted>
