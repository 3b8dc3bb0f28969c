import { createPreviewLink, type PreviewDeps } from '#api/modules/tenancy/stores.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Customer, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { pick } from '#api/platform/elements.ts'
import { tagLabelsIn } from '#api/platform/i18n/translations.ts'
import type {
  Discount,
  StoreProductBefore,
  StoreProductBulkPreview,
  StoreProductBulkResult,
} from '#contract/admin/product-bulk.ts'
import { numbered } from '#contract/admin/product-gallery.ts'
import { maxPriceChanges, type StoreProduct } from '#contract/admin/products.ts'
import type { ProductAccess, ProductStatus } from '#contract/enumerations.ts'
import type { AttachmentId, CategoryId, LessonId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { lockCategoryTree } from './categories.queries.ts'
import {
  allLessonsOf,
  deleteLessons,
  deleteProductRow,
  insertAttachment,
  insertProduct,
  productsWithDuePrices,
  saveLessons,
  saveOptions,
} from './edit-products.queries.ts'
import { attachmentsOf, lockLessons, readPricesOnSale, readStoredProduct } from './playables.queries.ts'
import type { CatalogDeps } from './product-lists.ts'
import {
  checkDiscount,
  discountedOptions,
  discountRange,
  optionChanges,
  withDuePrices,
  withPassedPrices,
} from './product-options.ts'
import { changeProduct, codeTaken, deriveProducts, productSubject, viewProduct, viewStoredProduct } from './products.ts'

interface Copy {
  code: ProductCode
  newCode: ProductCode
  title: string
}

/** What a copy has of a product as it is. Its pictures and options are changed. */
const copied = [
  'kind',
  'access',
  'summary',
  'description',
  'ageRating',
  'tags',
  'categoryIds',
  'sort',
  'seoTitle',
  'seoDescription',
  'translations',
  'videoId',
] as const

/** Copies lessons and files. Their videos and stored files are those of the product. */
const copyParts = async ({ db, customer }: Ctx, from: ProductId, productId: ProductId) => {
  const lessons = await lockLessons(db, customer.id, from)
  await saveLessons(
    db,
    lessons.map((lesson) => ({ ...lesson, id: newId<LessonId>(), productId })),
  )
  for (const file of await attachmentsOf(db, customer.id, from))
    await insertAttachment(db, { ...file, id: newId<AttachmentId>(), productId })
}

/**
 * Creates a draft with all that a product consists of: its texts, pictures, categories, options,
 * videos, lessons and files. The sale period and what was sold stay with the original, as does what
 * is still being encoded. Failures: NOT_FOUND, CONFLICT if another product has the code.
 */
export const duplicateProduct = async (ctx: Ctx, by: AuditActor, { code, newCode, title }: Copy) => {
  const { db, customer, clock } = ctx
  await lockCategoryTree(db, customer.id, { shared: true })
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const { product } = stored
  // What is described by the title is described by the new one.
  const renamed = (picture: Picture) => (picture.alt === product.title ? { ...picture, alt: title } : picture)
  const id = await insertProduct(db, {
    ...pick(product, copied),
    customerId: customer.id,
    id: newId<ProductId>(),
    code: newCode,
    title,
    status: 'DRAFT',
    poster: renamed(product.poster),
    posterTall: product.posterTall && renamed(product.posterTall),
    gallery: numbered(title, product.gallery, product.title),
    currency: customer.settings.base.currency,
    createdAt: clock.now().toISOString(),
  })
  if (!id) return codeTaken(ctx, 'newCode')
  // A discount ends for the copy when it ends for the original: what is scheduled is copied too.
  const due = new Map(withDuePrices(stored, clock.now()).map((option) => [option.id, option]))
  const options = stored.options.map((option) => due.get(option.id) ?? option)
  await saveOptions(
    db,
    options.map((option) => ({ ...option, id: newId<OptionId>(), productId: id })),
  )
  await copyParts(ctx, product.id, id)
  await deriveProducts(ctx, [id])
  const changes = changesOf({}, { title, copyOf: code, status: 'DRAFT' })
  await audit(ctx, { actor: by, action: 'product.duplicated', subject: productSubject(newCode), changes })
  return viewStoredProduct(ctx, newCode)
}

/**
 * Deletes a product with its options, lessons and files, once nothing refers to it. The videos of
 * its lessons are retired, unless something else shows them.
 */
export const deleteProduct = async (
  ctx: Ctx,
  by: AuditActor,
  { id, code, title, kind, access, status, summary, description, ageRating, tags }: StoreProduct,
) => {
  const { db, customer, clock } = ctx
  const lessons = await allLessonsOf(db, customer.id, id)
  const lessonIds = lessons.map(({ lesson }) => lesson.id)
  await deleteLessons(db, customer.id, lessonIds, clock.now())
  await deleteProductRow(db, customer.id, id)
  const changes = changesOf<object>({ title, kind, access, status, summary, description, ageRating, tags }, {})
  await audit(ctx, { actor: by, action: 'product.deleted', subject: productSubject(code), changes })
}

type BulkResult = StoreProductBulkResult['items'][number]

interface BulkChange {
  status?: ProductStatus | undefined
  access?: ProductAccess | undefined
  addCategoryIds?: readonly CategoryId[] | undefined
  removeCategoryIds?: readonly CategoryId[] | undefined
  addTags?: readonly string[] | undefined
  removeTags?: readonly string[] | undefined
  /** Null takes discounts away. */
  discount?: Discount | null | undefined
}

const joined = <Item>(items: readonly Item[], added: readonly Item[], removed: readonly Item[]): Item[] =>
  [...new Set([...items, ...added])].filter((item) => !removed.includes(item))

const maxTags = 50

/**
 * Changes one of many products, and returns what became of it. A product without content is not put
 * on sale.
 */
export const changeProductOfMany = async (
  ctx: Ctx,
  by: AuditActor,
  code: ProductCode,
  { status, access, discount, ...lists }: BulkChange,
): Promise<BulkResult> => {
  const { addCategoryIds = [], removeCategoryIds = [], addTags = [], removeTags = [] } = lists
  const stored = await readStoredProduct(ctx.db, ctx.customer.id, code)
  if (!stored) return failedResult(code, { failure: 'NOT_FOUND' })
  const before = await viewProduct(ctx, stored)
  if (status === 'ON_SALE' && before.status !== 'ON_SALE' && !before.ready)
    return failedResult(code, { failure: 'NOT_READY' })
  if (checkDiscount(ctx, discount)) return failedResult(code, { failure: 'DISCOUNT_ENDED' })
  const options = discount === undefined ? [] : await discountedOptions(ctx, code, discount)
  if (options.some(({ after }) => after.priceChanges.length > maxPriceChanges))
    return failedResult(code, { failure: 'TOO_MANY_PRICES' })
  const tags = joined(before.tags, addTags, removeTags)
  if (addTags.length > 0 && tags.length > maxTags) return failedResult(code, { failure: 'TOO_MANY_TAGS' })
  const after = await changeProduct(ctx, by, before.version, {
    code,
    categoryIds: joined(before.categoryIds, addCategoryIds, removeCategoryIds),
    tags,
    options: options.map((option) => option.after),
    ...(status && { status }),
    ...(access && { access }),
  })
  if (isFailure(after)) return failedResult(code, after)
  const { version } = after
  if (version === before.version) return { code, result: 'UNCHANGED', reason: null, before: null }
  return {
    code,
    result: 'CHANGED',
    reason: null,
    before: {
      ...pick(before, ['code', 'status', 'categoryIds']),
      ...(access && { access: before.access }),
      ...((lists.addTags || lists.removeTags) && {
        tags: before.tags,
        tagLabels: tagLabelsIn(stored.product.translations),
      }),
      ...(options.length > 0 && { options: options.map((option) => option.before) }),
      version,
    },
  }
}

const failedResult = (code: ProductCode, { failure: reason }: { failure: string }): BulkResult => ({
  code,
  result: 'FAILED',
  reason,
  before: null,
})

/** Restores one of many products as it was before a change, unless it was changed since. */
export const restoreProductOfMany = async (
  ctx: Ctx,
  by: AuditActor,
  { version, options = [], ...before }: StoreProductBefore,
): Promise<BulkResult> => {
  const now = ctx.clock.now()
  const restored = options.map((option) => withPassedPrices(option, now))
  const after = await changeProduct(ctx, by, version, { ...before, options: restored })
  if (isFailure(after)) return failedResult(before.code, after)
  return { code: before.code, result: after.version === version ? 'UNCHANGED' : 'CHANGED', reason: null, before: null }
}

/**
 * Returns how many products a change of many is about, and the prices that a discount makes.
 * Failure: VALIDATION_FAILED for a discount that has ended.
 */
export const previewManyProducts = async (
  ctx: Ctx,
  codes: readonly ProductCode[],
  discount: Discount | null | undefined,
): Promise<StoreProductBulkPreview | Failure> => {
  const { db, customer, clock } = ctx
  const refused = checkDiscount(ctx, discount)
  if (refused) return refused
  const products = new Set(codes).size
  if (discount === undefined) return { products, priced: null, lowest: null, highest: null }
  const { currency } = customer.settings.base
  const { prices, priced } = await readPricesOnSale(db, customer.id, { codes, currency })
  if (prices.length === 0) return { products, priced, lowest: null, highest: null }
  const ranges = prices.map((option) => discountRange(option, discount, clock.now()))
  const money = (amount: number) => ({ amount, currency })
  return {
    products,
    priced,
    lowest: money(Math.min(...ranges.map(({ lowest }) => lowest))),
    highest: money(Math.max(...ranges.map(({ highest }) => highest))),
  }
}

/**
 * Creates a link that shows a product in any state, valid for a week. Failures: NOT_FOUND,
 * VALIDATION_FAILED for a time that has passed.
 */
export const createProductPreview = async (
  ctx: Ctx,
  by: AuditActor,
  { code, ...deps }: { code: ProductCode } & PreviewDeps,
) => {
  const stored = await readStoredProduct(ctx.db, ctx.customer.id, code)
  if (!stored) return failure('NOT_FOUND')
  const link = createPreviewLink(ctx, deps, { path: `/products/${code}`, shown: stored.product.id })
  if (isFailure(link)) return link
  const detail = { expiresAt: link.expiresAt, at: deps.at ?? null }
  await audit(ctx, { actor: by, action: 'product.preview-created', subject: productSubject(code), detail })
  return link
}

/**
 * Gives the options of a product the prices whose time has come. Another process may have done so
 * meanwhile.
 */
const applyDuePrices = async (ctx: Pick<Ctx, 'db' | 'customer' | 'clock'>, code: ProductCode) => {
  const { db, customer, clock } = ctx
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  const changed = stored ? withDuePrices(stored, clock.now()) : []
  if (!stored || changed.length === 0) return
  await saveOptions(db, changed)
  await deriveProducts(ctx, [stored.product.id])
  const after = stored.options.map((option) => changed.find(({ id }) => id === option.id) ?? option)
  const changes = optionChanges(stored, { ...stored, options: after })
  await audit(ctx, { actor: 'rule', action: 'product.price-applied', subject: productSubject(code), changes })
}

/**
 * Applies the scheduled prices of a store whose time has come, product by product. A product that
 * fails is logged, tried again by the next sweep, and does not delay others.
 */
export const applyScheduledPrices = async (
  { pool, clock, log }: Pick<CatalogDeps, 'pool' | 'clock' | 'log'>,
  customer: Customer,
) => {
  const due = await withTenant(pool, customer.id, (db) => productsWithDuePrices(db, customer.id, clock.now()), {
    readOnly: true,
  })
  for (const code of due)
    try {
      await withTenant(pool, customer.id, (db) => applyDuePrices({ db, customer, clock }, code))
    } catch (error) {
      log.error({ err: error, customer: customer.code, product: code }, 'A scheduled price was not applied')
    }
}
