import type * as z from 'zod/mini'
import { type AuditActor, audit, changesOf, changesOfParts, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  productColumnsOf,
  productTextsIn,
  textsIn,
  translationErrors,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import type { storeDownload } from '#api/platform/storage/storage.ts'
import { losesContent } from '#contract/admin/product-content.ts'
import {
  changedGallery,
  describedPictures,
  type GalleryTexts,
  numbered,
  pictureFacts,
} from '#contract/admin/product-gallery.ts'
import { largestGallery, type StoreProductPictures } from '#contract/admin/product-pictures.ts'
import type { StoreProductParts, storeProductPartsChange } from '#contract/admin/products.ts'
import type { AttachmentId, LessonId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import {
  allLessonsOf,
  deleteLessons,
  deleteOtherAttachments,
  insertAttachment,
  type StoredLesson,
  saveLessons,
  updateAttachment,
  updateProduct,
} from './edit-products.queries.ts'
import { attachmentsOf, readStoredProduct, type StoredProduct } from './playables.queries.ts'
import { deriveProducts, productSubject, reasonToKeepContent } from './products.ts'

type StoredAttachment = Awaited<ReturnType<typeof attachmentsOf>>[number]

interface StoredParts {
  lessons: StoredLesson[]
  attachments: StoredAttachment[]
}

const readParts = async ({ db, customer }: Ctx, id: ProductId): Promise<StoredParts> => ({
  lessons: await allLessonsOf(db, customer.id, id),
  attachments: await attachmentsOf(db, customer.id, id),
})

const lessonFields = ({ lesson: { id, title, summary, free, translations } }: StoredLesson) => ({
  id,
  title,
  summary,
  free,
  translations: textsIn(translations, ['title', 'summary']),
})

const attachmentFields = ({ id, name, confirmationText, bytes, contentType, translations }: StoredAttachment) => ({
  id,
  name,
  confirmationText,
  bytes,
  contentType,
  translations: productTextsIn(translations, ['name', 'confirmationText']),
})

const versionOfParts = ({ lessons, attachments }: StoredParts) =>
  versionOf([lessons.map(lessonFields), attachments.map(attachmentFields)])

const viewOf = (parts: StoredParts): StoreProductParts => ({
  lessons: parts.lessons.map((row) => ({
    ...lessonFields(row),
    durationSeconds: row.seconds === null ? null : Math.round(row.seconds),
    videoId: row.lesson.videoId,
  })),
  attachments: parts.attachments.map(attachmentFields),
  version: versionOfParts(parts),
})

/** The lessons and files of a product, as operators edit them. Failure: NOT_FOUND. */
export const viewProductParts = async (ctx: Ctx, code: ProductCode) => {
  const stored = await readStoredProduct(ctx.db, ctx.customer.id, code)
  return stored ? viewOf(await readParts(ctx, stored.product.id)) : failure('NOT_FOUND')
}

type PartsChange = z.output<typeof storeProductPartsChange>
type LessonInput = NonNullable<PartsChange['lessons']>[number]

const errorsOf = (ctx: Ctx, parts: StoredParts, { lessons = [], attachments = [] }: PartsChange) => {
  const i18n = messagesOf(ctx.locale)
  const unknown = (stored: readonly { id: string }[], list: readonly { id?: string | undefined }[], name: string) =>
    list.flatMap(({ id }, at) => {
      const isTwice = list.findIndex((other) => other.id === id) !== at
      return id !== undefined && (isTwice || !stored.some((each) => each.id === id))
        ? [[`${name}.${at}.id`, [i18n._('This product doesn’t have it, or it is named twice.')]] as const]
        : []
    })
  const unknownLessons = unknown(parts.lessons.map(lessonFields), lessons, 'lessons')
  const texts = [...lessons, ...attachments].map(({ translations = {} }) => translationErrors(ctx, translations))
  return {
    ...Object.fromEntries([...unknownLessons, ...unknown(parts.attachments, attachments, 'attachments')]),
    ...Object.assign({}, ...texts),
  }
}

/** Why a change is refused that leaves nothing to watch or download, by field. */
const lossErrors = async (ctx: Ctx, product: StoredProduct['product'], before: StoredParts, change: PartsChange) => {
  const stored = { ...before, lessons: before.lessons.map(({ lesson }) => lesson) }
  const reason = losesContent(product, stored, change) ? await reasonToKeepContent(ctx, product) : null
  return reason ? { [change.lessons ? 'lessons' : 'attachments']: [reason] } : {}
}

/** What the audit log says about the parts: each with its place. */
const factsOf = ({ lessons, attachments }: StoredParts) => ({
  lessons: lessons.map((row, at) => {
    const { id, title: name, ...facts } = lessonFields(row)
    return { id, name, facts: { place: at + 1, ...facts } }
  }),
  files: attachments.map((row, at) => {
    const { id, name, confirmationText, translations } = attachmentFields(row)
    return { id, name, facts: { place: at + 1, confirmationText, translations } }
  }),
})

const auditParts = async (ctx: Ctx, by: AuditActor, code: ProductCode, stored: StoredParts, saved: StoredParts) => {
  const [before, after, subject] = [factsOf(stored), factsOf(saved), productSubject(code)]
  const ofLessons = changesOfParts('lessons', before.lessons, after.lessons)
  const changes = { ...ofLessons, ...changesOfParts('files', before.files, after.files) }
  if (Object.keys(changes).length > 0) await audit(ctx, { actor: by, action: 'product.changed', subject, changes })
}

const writeLessons = async (
  ctx: Ctx,
  productId: ProductId,
  stored: StoredLesson[],
  lessons: readonly LessonInput[],
) => {
  const { db, customer, clock } = ctx
  const removed = stored.flatMap(({ lesson }) => (lessons.some(({ id }) => id === lesson.id) ? [] : [lesson.id]))
  await deleteLessons(db, customer.id, removed, clock.now())
  await saveLessons(
    db,
    lessons.map(({ id, title, summary, free, translations = {} }, at) => {
      const before = stored.find(({ lesson }) => lesson.id === id)?.lesson
      return {
        customerId: customer.id,
        id: before?.id ?? newId<LessonId>(),
        productId,
        sort: at + 1,
        title,
        summary,
        free,
        translations: withTranslations(before?.translations ?? {}, translations),
      }
    }),
  )
}

/**
 * Replaces the lessons or the files of a product, as the caller saw them: `expected` is the value
 * of `If-Match`. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeProductParts = async (ctx: Ctx, by: AuditActor, expected: string | null, change: PartsChange) => {
  const { db, customer } = ctx
  const { code, lessons, attachments } = change
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const { id } = stored.product
  const before = await readParts(ctx, id)
  const version = versionOfParts(before)
  const refused = await refuseOldVersion(ctx, { expected, version, subject: productSubject(code) })
  if (refused) return refused
  const wrong = errorsOf(ctx, before, change)
  const errors = Object.keys(wrong).length > 0 ? wrong : await lossErrors(ctx, stored.product, before, change)
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
  if (lessons) await writeLessons(ctx, id, before.lessons, lessons)
  if (attachments) {
    const remaining = attachments.map((each) => each.id)
    await deleteOtherAttachments(db, customer.id, id, remaining)
    for (const [at, { id: attachment, translations: change = {}, ...fields }] of attachments.entries()) {
      const texts = before.attachments.find((each) => each.id === attachment)?.translations ?? {}
      const translations = withTranslations(texts, productColumnsOf(change))
      await updateAttachment(db, customer.id, attachment, { ...fields, translations, sort: at + 1 })
    }
  }
  await deriveProducts(ctx, [id])
  const after = await readParts(ctx, id)
  await auditParts(ctx, by, code, before, after)
  return viewOf(after)
}

/** Adds a file, as the last one, unless the product has its `id`. Failures: NOT_FOUND, CONFLICT. */
export const addAttachment = async (
  ctx: Ctx,
  by: AuditActor,
  code: ProductCode,
  { key: asset, id = newId(), ...file }: Awaited<ReturnType<typeof storeDownload>> & { id?: AttachmentId },
) => {
  const { db, customer } = ctx
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const { id: productId } = stored.product
  const before = await readParts(ctx, productId)
  if (before.attachments.some((each) => each.id === id)) return viewOf(before)
  const sort = Math.max(0, ...before.attachments.map((each) => each.sort)) + 1
  if (!(await insertAttachment(db, { customerId: customer.id, id, productId, sort, asset, ...file })))
    return failure('CONFLICT')
  const after = await readParts(ctx, productId)
  await auditParts(ctx, by, code, before, after)
  return viewOf(after)
}

type Pictures = Pick<StoredProduct['product'], 'title' | 'poster' | 'posterTall' | 'gallery' | 'translations'>

const viewOfPictures = (pictures: Pictures): StoreProductPictures => {
  const view = describedPictures(pictures)
  const shown = view.gallery.map(({ url, description, translations }) => [url, description, translations])
  return { ...view, version: versionOf([shown]) }
}

/** The pictures of a product, as operators edit them. Failure: NOT_FOUND. */
export const viewProductPictures = async (ctx: Ctx, code: ProductCode) => {
  const stored = await readStoredProduct(ctx.db, ctx.customer.id, code)
  return stored ? viewOfPictures(stored.product) : failure('NOT_FOUND')
}

type PictureChange = Partial<Omit<Pictures, 'title'>>

const changePictures = async (
  ctx: Ctx,
  by: AuditActor,
  code: ProductCode,
  change: (stored: Pictures) => PictureChange | Failure | Promise<PictureChange | Failure>,
) => {
  const { db, customer } = ctx
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const { product } = stored
  const changed = await change(product)
  if (isFailure(changed)) return changed
  const after = { ...product, ...changed }
  await updateProduct(db, customer.id, product.id, changed)
  const changes = changesOf<object>(pictureFacts(product), pictureFacts(after))
  const subject = productSubject(code)
  if (Object.keys(changes).length > 0) await audit(ctx, { actor: by, action: 'product.changed', subject, changes })
  return viewOfPictures(after)
}

type Placed = { place: 'poster'; picture: Picture } | { place: 'tall'; picture: Picture | null }

/**
 * Replaces the poster of a product, or the picture of its upright cards, which may have none.
 * Failure: NOT_FOUND.
 */
export const setProductPicture = (ctx: Ctx, by: AuditActor, { code, ...change }: Placed & { code: ProductCode }) =>
  changePictures(ctx, by, code, ({ title, poster }) => {
    const alt = poster.alt || title
    if (change.place === 'poster') return { poster: { ...change.picture, alt } }
    return { posterTall: change.picture && { ...change.picture, alt } }
  })

/** Adds a last picture to the page of a product. Failures: NOT_FOUND, VALIDATION_FAILED. */
export const addProductPicture = (ctx: Ctx, by: AuditActor, code: ProductCode, picture: Picture) =>
  changePictures(ctx, by, code, ({ title, gallery }) => {
    const i18n = messagesOf(ctx.locale)
    const problem = gallery.some(({ url }) => url === picture.url)
      ? i18n._('The product has this picture already.')
      : gallery.length >= largestGallery &&
        i18n._('Remove a picture first: there are at most {max}.', { max: largestGallery })
    if (problem) return failure('VALIDATION_FAILED', { errors: { file: [problem] } })
    return { gallery: numbered(title, [...gallery, picture]) }
  })

type GalleryChange = { code: ProductCode; gallery: readonly string[]; texts?: GalleryTexts | undefined }

/**
 * Orders the pictures of a product’s page by their addresses, removes those that are left out, and
 * describes them. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeGallery = (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { code, gallery: urls, texts = [] }: GalleryChange,
) =>
  changePictures(ctx, by, code, async (stored) => {
    const { version } = viewOfPictures(stored)
    const refused = await refuseOldVersion(ctx, { expected, version, subject: productSubject(code) })
    if (refused) return refused
    const { gallery, translations, wrong } = changedGallery(stored, urls, texts)
    const i18n = messagesOf(ctx.locale)
    const problem = i18n._('This product doesn’t have it, or it is named twice.')
    const errors = {
      ...Object.fromEntries(wrong.map((field) => [field, [problem]])),
      ...translationErrors(ctx, Object.assign({}, ...texts.map((text) => text.translations))),
    }
    if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
    return { gallery, translations: withTranslations(stored.translations, translations) }
  })
