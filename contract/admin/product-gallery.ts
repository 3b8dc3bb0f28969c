import type * as z from 'zod/mini'
import { type Locale, locale } from '../enumerations.ts'
import { isPlainPicture, type Picture } from '../picture.ts'
import type { Translations } from '../translations.ts'
import type { StoreProductPictures, storeGalleryChange } from './product-pictures.ts'

/** Whether the title of a product and a number describe a picture, which has no text of its own. */
export const isNumbered = (title: string, { alt }: Pick<Picture, 'alt'>): boolean =>
  alt === '' || (alt.startsWith(`${title} `) && /^\d+$/.test(alt.slice(title.length + 1)))

/**
 * Pictures of a product's page. Those without a text of their own are described by its title and
 * their numbers. `before` is the title that they were described by.
 */
export const numbered = (title: string, gallery: readonly Picture[], before = title): Picture[] =>
  gallery.map((picture, at) => (isNumbered(before, picture) ? { ...picture, alt: `${title} ${at + 1}` } : picture))

/** Texts by their places, without empty ones at the end. */
export const placedTexts = (texts: readonly string[]): string[] => texts.slice(0, texts.findLastIndex(Boolean) + 1)

interface Gallery {
  title: string
  gallery: readonly Picture[]
  translations: Translations
}
type DescribedPicture = StoreProductPictures['gallery'][number]

/** The pictures of a product's page with their own texts, in each language. */
const describedGallery = ({ title, gallery, translations }: Gallery): DescribedPicture[] =>
  gallery.map((picture, at) => ({
    ...picture,
    description: isNumbered(title, picture) ? '' : picture.alt,
    translations: Object.fromEntries(
      locale.options.flatMap((language) => {
        const text = translations[language]?.gallery_alts?.[at]
        return text ? [[language, text]] : []
      }),
    ),
  }))

export type GalleryTexts = NonNullable<z.output<typeof storeGalleryChange>['texts']>

interface Pictures extends Gallery {
  poster: Picture
  posterTall: Picture | null
}

/** All pictures of a product as operators see them. */
export const describedPictures = (pictures: Pictures) => ({
  poster: isPlainPicture(pictures.poster) ? null : pictures.poster,
  tall: pictures.posterTall,
  gallery: describedGallery(pictures),
})

/** What the audit log says about pictures: the address of each, and the texts in all languages. */
export const pictureFacts = (pictures: Pictures) => ({
  poster: pictures.poster.url,
  posterTall: pictures.posterTall?.url ?? null,
  gallery: pictures.gallery.map(({ url }) => url),
  galleryTexts: describedGallery(pictures)
    .flatMap(({ description, translations }) => [description, ...Object.values(translations)])
    .filter(Boolean),
})

/**
 * Returns the pictures with the given addresses, in their order, with changed texts; their
 * translations have the same order. `wrong` names what has other pictures, or one twice.
 */
export const changedGallery = (before: Gallery, urls: readonly string[], texts: GalleryTexts) => {
  const described = describedGallery(before)
  const chosen = urls.flatMap((url) => described.find((picture) => picture.url === url) ?? [])
  const change = new Map(texts.map((text) => [text.url, text]))
  const gallery = chosen.map(({ description, translations: _, ...picture }) => ({
    ...picture,
    alt: change.get(picture.url)?.description ?? description,
  }))
  const translations: Partial<Record<Locale, { gallery_alts: string[] }>> = {}
  for (const language of locale.options) {
    const alts = chosen.map((picture) => {
      const text = change.get(picture.url)?.translations?.[language]
      return (text === undefined ? picture.translations[language] : text) ?? ''
    })
    translations[language] = { gallery_alts: placedTexts(alts) }
  }
  const wrong = [
    ...(new Set(chosen).size === urls.length ? [] : ['gallery']),
    ...(texts.every(({ url }) => urls.includes(url)) ? [] : ['texts']),
  ]
  return { gallery: numbered(before.title, gallery), translations, wrong }
}
