import * as z from 'zod/mini'
import { category, productCard, productOption } from './catalog.ts'
import { locale, planCycle } from './enumerations.ts'
import { attachmentId, categoryId, lessonId, planCode, planId, videoId } from './ids.ts'
import { money } from './money.ts'
import { picture } from './picture.ts'
import { chapter } from './playback.ts'
import { textLanguages } from './translations.ts'

const lesson = z.object({
  id: lessonId,
  sort: z.int(),
  title: z.string(),
  summary: z.string(),
  durationSeconds: z.nullable(z.int()),
  free: z.boolean(),
  /** Whether the viewer may play it now. */
  playable: z.boolean(),
  progress: z.nullable(z.number()),
  languages: textLanguages,
})
export type Lesson = z.output<typeof lesson>

export const attachment = z.object({
  id: attachmentId,
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  /** A text to accept before the download, where there is one. */
  confirmationText: z.nullable(z.string()),
  /** Whether the viewer may download it. */
  available: z.boolean(),
  languages: textLanguages,
})
export type Attachment = z.output<typeof attachment>

/** A plan that covers a product. */
const productPlan = z.object({
  id: planId,
  code: planCode,
  name: z.string(),
  price: money,
  cycle: planCycle,
  languages: textLanguages,
})
export type ProductPlan = z.output<typeof productPlan>

export const product = z.extend(productCard, {
  /** Sanitised HTML. */
  description: z.string(),
  categoryIds: z.array(categoryId),
  /** The path of the deepest category, from the root. */
  categoryPath: z.array(z.pick(category, { id: true, name: true, path: true, languages: true })),
  gallery: z.array(picture),
  options: z.array(productOption),
  lessons: z.array(lesson),
  attachmentCount: z.int(),
  /** Plans on sale that include the product, cheapest first. */
  plans: z.array(productPlan),
  /** The id of the preview video, for `preview-player/{previewId}`; null without one. */
  previewId: z.nullable(videoId),
  /** The length of the public preview in seconds; null without a preview. */
  previewSeconds: z.nullable(z.int()),
  captions: z.array(z.object({ language: z.string(), label: z.string() })),
  chapters: z.array(chapter),
  related: z.array(productCard),
  seo: z.object({ title: z.nullable(z.string()), description: z.nullable(z.string()) }),
  commentPolicy: z.enum(['MEMBERS', 'BUYERS', 'CLOSED']),
  /** It is shown to a preview link alone: visitors do not see it now. */
  preview: z.optional(z.boolean()),
  /** The languages of the product page: the store's own, and those with a translated title. */
  locales: z.array(locale),
})
export type Product = z.output<typeof product>
/** A product without the cards of its related products. */
export type ProductDetail = Omit<Product, 'related'>
