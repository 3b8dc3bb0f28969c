import * as z from 'zod/mini'
import { optionType, productAccess, productKind, productStatus } from '../enumerations.ts'
import { categoryId, optionId, productCode, productId } from '../ids.ts'
import { money } from '../money.ts'
import { auditEntry } from './audit.ts'
import { keysetPage, keysetQuery, searchText } from './lists.ts'

const productRow = z.object({
  id: productId,
  code: productCode,
  title: z.string(),
  kind: productKind,
  access: productAccess,
  status: productStatus,
  /** The lowest price on sale; null without one. */
  price: z.nullable(money),
  /** Whether a stream or a file exists. Until then the product is neither listed nor sold. */
  ready: z.boolean(),
  poster: z.string(),
  createdAt: z.iso.datetime(),
})

/** `q` is the start of a code, or a part of a title. */
export const storeProductQuery = z.object({ ...keysetQuery, status: z.optional(productStatus), q: searchText })
export const storeProductPage = keysetPage(productRow)

const line = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))
const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))

/** What operators write about a product, in the store’s language. */
const productFields = z.object({
  title: line(300),
  kind: productKind,
  access: productAccess,
  status: productStatus,
  summary: text(2000),
  /** HTML. It is sanitised when it is shown. */
  description: text(200_000),
  ageRating: line(20),
  tags: z.array(line(60)).check(z.maxLength(50)),
  /** Without the categories above them. */
  categoryIds: z.array(categoryId).check(z.maxLength(100)),
  saleFrom: z.nullable(z.iso.datetime()),
  saleTo: z.nullable(z.iso.datetime()),
})

const optionFields = {
  name: line(100),
  type: optionType,
  /** RENT: the number of days from the first play. Null for OWN. */
  days: z.nullable(z.int().check(z.gte(1), z.lte(3650))),
  onSale: z.boolean(),
}

export const storeProduct = z.extend(productRow, {
  ...productFields.shape,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  options: z.array(z.object({ ...optionFields, id: optionId, price: money })),
  lessonCount: z.int(),
  durationSeconds: z.nullable(z.int()),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StoreProduct = z.output<typeof storeProduct>

export const storeProductPath = z.object({ code: productCode })
export const storeProductCreate = z.object({
  code: productCode,
  title: productFields.shape.title,
  kind: productKind,
})
/** Fields that are left out stay as they are, as do options. An option without an id is new. */
export const storeProductChange = z.extend(z.partial(productFields), {
  code: productCode,
  options: z.optional(
    z
      .array(
        z.object({
          ...optionFields,
          id: z.optional(optionId),
          /** In the minor unit of the store’s currency. */
          price: z.int().check(z.gte(0), z.lte(1_000_000_000_000)),
        }),
      )
      .check(z.maxLength(50)),
  ),
})

export const posterChoices = z.object({ items: z.array(z.object({ number: z.int(), url: z.string() })) })
export const posterChoice = z.object({ code: productCode, number: z.int().check(z.gte(1)) })

/** `path`: the names from the root. */
export const categoryChoices = z.object({
  items: z.array(z.object({ id: categoryId, path: z.array(z.string()) })),
})
