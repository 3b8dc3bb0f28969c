import * as z from 'zod/mini'
import { locale } from '../enumerations.ts'
import { productCode } from '../ids.ts'
import { largestPicture, picture } from '../picture.ts'
import { requiredText, textUpTo } from '../text.ts'

/** The pictures of a product: its posters, and further ones of its page. */
export const storeProductPictures = z.object({
  /** Null: a plain one in the accent colour of the store. */
  poster: z.nullable(picture),
  /** Null: upright cards cut the poster. */
  tall: z.nullable(picture),
  gallery: z.array(
    z.extend(picture, {
      /** What it shows, in the store's language. Empty: `alt` has the title and its number. */
      description: z.string(),
      translations: z.partialRecord(locale, z.string()),
    }),
  ),
  /** Of the gallery. Send it as `If-Match` with a change. */
  version: z.string(),
})
export type StoreProductPictures = z.output<typeof storeProductPictures>

const file = z.file().check(z.minSize(1), z.maxSize(largestPicture))
const place = z.enum(['poster', 'tall'])
export type PosterPlace = z.output<typeof place>
export const storePosterPath = z.object({ code: productCode, place })
export const storePosterUpload = z.extend(storePosterPath, { file })

/** The most pictures that the page of a product has beside its poster. */
export const largestGallery = 30
export const storeGalleryUpload = z.object({ code: productCode, file })
const description = textUpTo(300)
export const storeGalleryChange = z.object({
  code: productCode,
  /** The addresses of pictures that it has, in their new order. What is left out is removed. */
  gallery: z.array(requiredText(500)).check(z.maxLength(largestGallery)),
  /** What pictures show. What is left out stays; an empty text is removed. */
  texts: z.optional(
    z
      .array(
        z.strictObject({
          url: requiredText(500),
          description: z.optional(description),
          translations: z.optional(z.partialRecord(locale, z.nullable(description))),
        }),
      )
      .check(z.maxLength(largestGallery)),
  ),
})

export const posterChoices = z.object({ items: z.array(z.object({ number: z.int(), url: z.string() })) })
export const posterChoice = z.object({ code: productCode, number: z.int().check(z.gte(1)) })
