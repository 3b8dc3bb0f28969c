import * as z from 'zod/mini'
import { locale, optionType, productAccess, productStatus } from '../enumerations.ts'
import { categoryId, optionId, productCode } from '../ids.ts'
import { money } from '../money.ts'
import { cleaned, requiredText } from '../text.ts'
import { productSelection } from './products.ts'

const bulkCategories = z.optional(z.array(categoryId).check(z.maxLength(100)))
const bulkTags = z.optional(z.array(requiredText(60)).check(z.maxLength(50)))

/** A discount of all prices on sale. It replaces their present and scheduled discounts. */
const discount = z.object({
  percent: z.int().check(z.gte(1), z.lte(99)),
  /** Null: at once. */
  from: z.nullable(z.iso.datetime()),
  /** Null: until it is taken away. */
  until: z.nullable(z.iso.datetime()),
})
export type Discount = z.output<typeof discount>
/** Null takes away the present and scheduled discounts of all prices. */
const discountChange = z.optional(z.nullable(discount))

/** Changes every named product. What is left out stays. */
export const productBulkFields = {
  status: z.optional(productStatus),
  access: z.optional(productAccess),
  addCategoryIds: bulkCategories,
  removeCategoryIds: bulkCategories,
  addTags: bulkTags,
  removeTags: bulkTags,
  discount: discountChange,
}
const codes = z.array(productCode).check(z.minLength(1), z.maxLength(100))
export const storeProductBulk = z.object({ codes, ...productBulkFields })

/** Named products, or else all that fit filters, and a discount that they may get. */
export const storeProductBulkPreviewQuery = z.object({
  codes: z.optional(codes),
  filters: z.optional(z.object(productSelection)),
  discount: discountChange,
})
export type StoreProductBulkPreviewInput = z.input<typeof storeProductBulkPreviewQuery>
export const storeProductBulkPreview = z.object({
  products: z.int(),
  /** How many of them have a price on sale, where `discount` is given. */
  priced: z.nullable(z.int()),
  /** The prices on sale that result from `discount`. Null without it, or without a price. */
  lowest: z.nullable(money),
  highest: z.nullable(money),
})
export type StoreProductBulkPreview = z.output<typeof storeProductBulkPreview>

const amount = z.int().check(z.gte(0))
const labels = z.array(z.string().check(cleaned)).check(z.maxLength(50))

/**
 * What a change of many products has changed, as it was before, and the version after it. Releases
 * before the last one have stored it without the optional fields.
 */
export const storeProductBefore = z.object({
  code: productCode,
  version: z.string(),
  status: productStatus,
  categoryIds: z.array(categoryId).check(z.maxLength(100)),
  access: z.optional(productAccess),
  tags: z.optional(labels),
  /** The tags in other languages, in the order of `tags`. */
  tagLabels: z.optional(z.partialRecord(locale, labels)),
  options: z.optional(
    z
      .array(
        z.object({
          id: optionId,
          name: z.string().check(cleaned),
          type: optionType,
          days: z.nullable(z.int()),
          onSale: z.boolean(),
          price: amount,
          listPrice: z.nullable(amount),
          priceChanges: z.array(z.object({ at: z.iso.datetime(), price: amount, listPrice: z.nullable(amount) })),
        }),
      )
      .check(z.maxLength(100)),
  ),
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

export const storeProductsDelete = z.object({ codes })
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
