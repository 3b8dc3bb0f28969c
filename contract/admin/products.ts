import * as z from 'zod/mini'
import {
  locale,
  optionType,
  productAccess,
  productKind,
  productLack,
  productSort,
  productStatus,
  saleState,
} from '../enumerations.ts'
import { cleanedHtml } from '../html-text.ts'
import { attachmentId, categoryId, lessonId, optionId, productCode, productId, uploadId, videoId } from '../ids.ts'
import { money } from '../money.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'

const productRow = z.object({
  id: productId,
  code: productCode,
  title: z.string(),
  kind: productKind,
  access: productAccess,
  status: productStatus,
  state: saleState,
  saleFrom: z.nullable(z.iso.datetime()),
  saleTo: z.nullable(z.iso.datetime()),
  /** The lowest price on sale; null without one. */
  price: z.nullable(money),
  /** Whether a stream or a file exists. Until then the product is neither listed nor sold. */
  ready: z.boolean(),
  poster: z.string(),
  createdAt: z.iso.datetime(),
})

/**
 * `q` is a part of a code or of a title in any language; `codes` are whole ones. A category has the
 * products of those below it.
 */
export const productSelection = {
  state: z.optional(saleState),
  kind: z.optional(productKind),
  categoryId: z.optional(categoryId),
  tag: z.optional(requiredText(60)),
  lacks: z.optional(productLack),
  q: searchText,
}
export type ProductSelection = z.output<z.ZodMiniObject<typeof productSelection>>
const sort = z._default(productSort, 'NEWEST')
export const storeProductExport = z.object({ ...productSelection, sort, columns: exportedColumns })
export const storeProductQuery = z.object({
  ...keysetQuery,
  ...productSelection,
  sort,
  codes: z.optional(z.array(productCode).check(z.maxLength(100))),
})
export const storeProductPage = keysetPage(productRow)

/** What operators write about a product, in the store’s language. */
const productFields = z.object({
  title: requiredText(300),
  kind: productKind,
  access: productAccess,
  status: productStatus,
  summary: textUpTo(2000),
  /** HTML. It is sanitised when it is shown. */
  description: z.string().check(cleanedHtml, z.maxLength(200_000)),
  ageRating: requiredText(20),
  tags: z.array(requiredText(60)).check(z.maxLength(50)),
  /** Without the categories above them. */
  categoryIds: z.array(categoryId).check(z.maxLength(100)),
  saleFrom: z.nullable(z.iso.datetime()),
  saleTo: z.nullable(z.iso.datetime()),
  /** Recommended products begin with the highest. */
  sort: z.int().check(z.gte(-1_000_000_000), z.lte(1_000_000_000)),
  /** What the poster shows. Empty: the title. */
  posterAlt: textUpTo(300),
  /** For search engines. Null: the title and the summary. */
  seoTitle: z.nullable(requiredText(300)),
  seoDescription: z.nullable(requiredText(1000)),
})

/** The texts of a product that have translations, beside its tags. */
export const translatedTexts = ['title', 'summary', 'description', 'posterAlt', 'seoTitle', 'seoDescription'] as const

/** Translated texts of a part of a product, by language, without the store’s own. */
export const translated = <Name extends 'name' | 'title' | 'summary' | 'confirmationText'>(names: readonly Name[]) =>
  z.partialRecord(locale, z.partialRecord(z.enum(names), z.string()))
/** Texts that are left out stay. Null or an empty text removes one. */
export const translatedChange = <Name extends 'name' | 'title' | 'summary'>(names: readonly Name[]) =>
  z.optional(z.partialRecord(locale, z.partialRecord(z.enum(names), z.nullable(textUpTo(2000)))))

/** The maximum of both numbers of days of a rental. */
export const maxOptionDays = 3650
const optionDays = z.int().check(z.gte(1), z.lte(maxOptionDays))
const optionFields = {
  name: requiredText(100),
  type: optionType,
  /** RENT: the number of days from the first play. Null for OWN. */
  days: z.nullable(optionDays),
  onSale: z.boolean(),
}

/** The largest price, in the minor unit of a currency. */
const maxPrice = 1_000_000_000_000
const priceInput = z.int().check(z.gte(0), z.lte(maxPrice))

/** The maximum number of scheduled prices of an option. */
export const maxPriceChanges = 20

export const storeProduct = z.extend(productRow, {
  ...productFields.shape,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  options: z.array(
    z.object({
      ...optionFields,
      id: optionId,
      /** RENT: the days from the purchase in which it must begin. Null without a limit. */
      startWithinDays: z.nullable(optionDays),
      price: money,
      /** Before the discount. Null without one. */
      listPrice: z.nullable(money),
      /** The prices of later times, earliest first. */
      priceChanges: z.array(z.object({ at: z.iso.datetime(), price: money, listPrice: z.nullable(money) })),
      translations: translated(['name']),
    }),
  ),
  /** The texts by language, without the store’s own. */
  translations: z.partialRecord(
    locale,
    z.object({
      title: z.optional(z.string()),
      summary: z.optional(z.string()),
      description: z.optional(z.string()),
      posterAlt: z.optional(z.string()),
      seoTitle: z.optional(z.string()),
      seoDescription: z.optional(z.string()),
      /** In the order of the tags. */
      tags: z.optional(z.array(z.string())),
    }),
  ),
  lessonCount: z.int(),
  durationSeconds: z.nullable(z.int()),
  /** Of its own video. Null without one. */
  videoId: z.nullable(videoId),
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
/** The code and title of the copy. */
export const storeProductDuplicate = z.object({
  code: productCode,
  newCode: productCode,
  title: productFields.shape.title,
})

/** Fields that are left out stay as they are, as do options. An option without an id is new. */
export const storeProductChange = z.extend(z.partial(productFields), {
  code: productCode,
  /** Texts that are left out stay. Null or an empty text removes one. */
  translations: z.optional(
    z.partialRecord(
      locale,
      z.strictObject({
        title: z.optional(z.nullable(textUpTo(200_000))),
        summary: z.optional(z.nullable(textUpTo(200_000))),
        description: z.optional(z.nullable(productFields.shape.description)),
        posterAlt: z.optional(z.nullable(textUpTo(300))),
        seoTitle: z.optional(z.nullable(textUpTo(300))),
        seoDescription: z.optional(z.nullable(textUpTo(1000))),
        /** One for each tag, in their order. An empty list removes them. */
        tags: z.optional(productFields.shape.tags),
      }),
    ),
  ),
  options: z.optional(
    z
      .array(
        z.object({
          ...optionFields,
          id: z.optional(optionId),
          /** RENT: the days in which it must begin. What is left out stays. */
          startWithinDays: z.optional(z.nullable(optionDays)),
          /** The first option has the lowest. Left out it stays, and a new option is the last. */
          sort: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
          translations: translatedChange(['name']),
          /** In the minor unit of the store’s currency, as all prices here. */
          price: priceInput,
          /** Before the discount, not below the price. Null for none; what is left out stays. */
          listPrice: z.optional(z.nullable(priceInput)),
          /** All prices of later times. What is left out stays. */
          priceChanges: z.optional(
            z
              .array(z.object({ at: z.iso.datetime(), price: priceInput, listPrice: z.nullable(priceInput) }))
              .check(z.maxLength(maxPriceChanges)),
          ),
        }),
      )
      .check(z.maxLength(50)),
  ),
  /** Options that nobody has ordered, and that are in no cart. */
  removeOptionIds: z.optional(z.array(optionId).check(z.maxLength(50))),
})

const lessonFields = {
  title: requiredText(300),
  summary: textUpTo(2000),
  /** Whether anyone may watch it. */
  free: z.boolean(),
}
const attachmentFields = {
  name: requiredText(180),
  /** A text to accept before the download. */
  confirmationText: z.nullable(requiredText(2000)),
}

/** Texts that are left out stay. Null or an empty text removes one. */
const attachmentTranslations = z.optional(
  z.partialRecord(
    locale,
    z.strictObject({
      name: z.optional(z.nullable(textUpTo(180))),
      confirmationText: z.optional(z.nullable(textUpTo(2000))),
    }),
  ),
)

/** The lessons and the files of a product, in their order. */
export const storeProductParts = z.object({
  lessons: z.array(
    z.object({
      ...lessonFields,
      id: lessonId,
      /** Null until it has a video. Until then visitors do not see it. */
      durationSeconds: z.nullable(z.int()),
      videoId: z.nullable(videoId),
      translations: translated(['title', 'summary']),
    }),
  ),
  attachments: z.array(
    z.object({
      ...attachmentFields,
      id: attachmentId,
      bytes: z.int(),
      contentType: z.string(),
      translations: translated(['name', 'confirmationText']),
    }),
  ),
  /** Send it as `If-Match` with a change. */
  version: z.string(),
})
export type StoreProductParts = z.output<typeof storeProductParts>

/**
 * A list that is given replaces the present one: its order is the new one, and what it leaves out
 * is removed. A lesson without an id is new.
 */
export const storeProductPartsChange = z.object({
  code: productCode,
  lessons: z.optional(
    z
      .array(
        z.object({
          ...lessonFields,
          id: z.optional(lessonId),
          translations: translatedChange(['title', 'summary']),
        }),
      )
      .check(z.maxLength(500)),
  ),
  attachments: z.optional(
    z
      .array(z.object({ ...attachmentFields, id: attachmentId, translations: attachmentTranslations }))
      .check(z.maxLength(100)),
  ),
})

/** The maximum size of a file that is sent with one request. Bytes. Larger ones are uploaded. */
export const largestAttachment = 10_000_000
/** The maximum size of a file that is uploaded in parts. Bytes. */
export const largestUploadedAttachment = 2_000_000_000
export const storeAttachmentOfUpload = z.object({ code: productCode, upload: uploadId })
export const storeAttachmentUpload = z.object({
  code: productCode,
  file: z.file().check(z.minSize(1), z.maxSize(largestAttachment)),
})
