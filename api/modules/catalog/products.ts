import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { pick } from '#api/platform/elements.ts'
import { emit } from '#api/platform/events.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import {
  productColumnsOf,
  productTextsIn,
  type TagLabels,
  type TranslationChange,
  tagErrors,
  translationErrors,
  withTagLabels,
  withTags,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import { numbered } from '#contract/admin/product-gallery.ts'
import { type StoreProduct, translatedTexts } from '#contract/admin/products.ts'
import { categoriesById, pathIds, withoutAncestors } from '#contract/category-paths.ts'
import type { ProductAccess, ProductKind, SaleState } from '#contract/enumerations.ts'
import type { CategoryId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { categoryRows, lockCategoryTree } from './categories.queries.ts'
import { deleteOptions, insertProduct, updateProduct } from './edit-products.queries.ts'
import { productsOfBuyers, readStoredProduct, type StoredProduct } from './playables.queries.ts'
import { refreshProducts } from './product-index.queries.ts'
import { type OptionInput, optionChanges, optionErrors, optionsOf, writeOptions } from './product-options.ts'
import { moveProductCount } from './products.queries.ts'

/** Products of one statement, so that none runs for long. */
const batchSize = 1000

/**
 * Updates what is derived from products: their prices, lengths and search words. Call it in the
 * transaction that writes products, options, lessons or videos.
 */
export const deriveProducts = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, ids: readonly ProductId[]) => {
  for (let from = 0; from < ids.length; from += batchSize)
    await refreshProducts(db, customer.id, ids.slice(from, from + batchSize))
}

/** Changes how many likes or comments a product has. Returns the number after the change. */
export const changeProductCount = (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  id: ProductId,
  what: 'likes' | 'comments',
  by: number,
): Promise<number> => moveProductCount(db, customer.id, id, `count_of_${what}`, by)

/** Returns the subject of a product in the audit log. */
export const productSubject = (code: ProductCode) => `product:${code}`

/** Returns the failure of a code that another product has. */
export const codeTaken = ({ locale }: Pick<Ctx, 'locale'>, field: string) => {
  const i18n = messagesOf(locale)
  return failure('CONFLICT', { errors: { [field]: [i18n._('Another product has this code.')] } })
}

type CategoryTree = ReturnType<typeof categoriesById<{ id: CategoryId; parentId: CategoryId | null; name: string }>>

const readTree = async ({ db, customer }: Ctx): Promise<CategoryTree> =>
  categoriesById(await categoryRows(db, customer.id))

const fieldsOf = (tree: CategoryTree, { product }: StoredProduct) => ({
  title: product.title,
  kind: product.kind,
  access: product.access,
  status: product.status,
  summary: product.summary,
  description: product.description,
  ageRating: product.ageRating,
  tags: product.tags,
  // A product is stored with the categories above its own.
  categoryIds: withoutAncestors(tree, product.categoryIds),
  saleFrom: product.saleFrom,
  saleTo: product.saleTo,
  sort: product.sort,
  posterAlt: product.poster.alt === product.title ? '' : product.poster.alt,
  seoTitle: product.seoTitle,
  seoDescription: product.seoDescription,
  translations: productTextsIn(product.translations, translatedTexts),
})
type ProductFields = ReturnType<typeof fieldsOf>

const versionOfProduct = (fields: ProductFields, stored: StoredProduct) => versionOf([fields, optionsOf(stored)])

/** Returns the status of a product at a time, with its sale period. */
export const saleStateOf = (
  { status, saleFrom, saleTo }: Pick<StoredProduct['product'], 'status' | 'saleFrom' | 'saleTo'>,
  now: Date,
): SaleState => {
  if (status !== 'ON_SALE') return status
  if (saleTo !== null && Date.parse(saleTo) <= now.getTime()) return 'ENDED'
  return saleFrom !== null && Date.parse(saleFrom) > now.getTime() ? 'SCHEDULED' : 'ON_SALE'
}

/** Why the last content of a product stays: visitors or buyers would have nothing else. Or null. */
export const reasonToKeepContent = async (
  { db, customer, clock, locale }: Ctx,
  product: StoredProduct['product'],
): Promise<string | null> => {
  const i18n = messagesOf(locale)
  if (['ON_SALE', 'SCHEDULED'].includes(saleStateOf(product, clock.now())))
    return i18n._('It is on sale, and there would be nothing to watch or download. End its sale, or hide it first.')
  const reasons = {
    ORDERED: i18n._('It was ordered, and buyers would have nothing to watch or download. Replace it instead.'),
    GRANTED: i18n._('Members have a right to it, and would have nothing to watch or download. Replace it instead.'),
  }
  const use = (await productsOfBuyers(db, customer.id, [product.id])).get(product.id)
  return use ? reasons[use] : null
}

const viewOf = async (ctx: Ctx, stored: StoredProduct, tree: CategoryTree): Promise<StoreProduct> => {
  const { product } = stored
  const fields = fieldsOf(tree, stored)
  const { code, priceAmount, currency } = product
  return {
    ...fields,
    ...pick(product, ['id', 'code', 'ready', 'createdAt', 'lessonCount', 'durationSeconds', 'videoId']),
    state: saleStateOf(product, ctx.clock.now()),
    version: versionOfProduct(fields, stored),
    price: priceAmount === null ? null : { amount: priceAmount, currency },
    poster: product.poster.url,
    options: optionsOf(stored),
    history: await historyOf(ctx, productSubject(code)),
  }
}

/** A product that was read, as operators edit it. */
export const viewProduct = async (ctx: Ctx, stored: StoredProduct): Promise<StoreProduct> =>
  viewOf(ctx, stored, await readTree(ctx))

/** A product as operators edit it. Failure: NOT_FOUND. */
export const viewStoredProduct = async (ctx: Ctx, code: ProductCode): Promise<StoreProduct | Failure> => {
  const stored = await readStoredProduct(ctx.db, ctx.customer.id, code)
  return stored ? viewProduct(ctx, stored) : failure('NOT_FOUND')
}

interface NewProduct {
  code: ProductCode
  title: string
  kind: ProductKind
  poster: Picture
}

/** Creates a draft. Failure: CONFLICT if another product has the code. */
export const createProduct = async (ctx: Ctx, by: AuditActor, { code, title, kind, poster }: NewProduct) => {
  const { db, customer, clock } = ctx
  const access: ProductAccess = kind === 'FREE' ? 'MEMBER' : 'PURCHASE'
  const id = await insertProduct(db, {
    customerId: customer.id,
    id: newId<ProductId>(),
    code,
    title,
    kind,
    access,
    status: 'DRAFT',
    summary: '',
    description: '',
    poster: { ...poster, alt: title },
    currency: customer.settings.base.currency,
    createdAt: clock.now().toISOString(),
  })
  if (!id) return codeTaken(ctx, 'code')
  await deriveProducts(ctx, [id])
  const changes = changesOf({}, { title, kind, access, status: 'DRAFT' })
  await audit(ctx, { actor: by, action: 'product.created', subject: productSubject(code), changes })
  return viewStoredProduct(ctx, code)
}

type ChangeInput = { [Field in Exclude<keyof ProductFields, 'translations'>]?: ProductFields[Field] | undefined } & {
  code: ProductCode
  translations?: TranslationChange | undefined
  /** Translations of the tags, by language. Others are kept. */
  tagLabels?: TagLabels | undefined
  options?: readonly OptionInput[] | undefined
  /** Options to delete. The caller refuses those that somebody uses. */
  removeOptionIds?: readonly OptionId[] | undefined
}

const errorsOf = (
  { locale }: Pick<Ctx, 'locale'>,
  { kind, access, saleFrom, saleTo, categoryIds }: ProductFields,
  tree: CategoryTree,
): Record<string, string[]> => {
  const i18n = messagesOf(locale)
  const isOpen = access === 'FREE' || access === 'MEMBER'
  const isUnknown = categoryIds.some((id) => !tree.has(id))
  return {
    ...(kind === 'FREE' && !isOpen && { access: [i18n._('A free product is open to everyone or to members.')] }),
    ...(saleFrom &&
      saleTo &&
      Date.parse(saleFrom) >= Date.parse(saleTo) && { saleTo: [i18n._('The sale must end after it begins.')] }),
    ...(isUnknown && { categoryIds: [i18n._('Choose categories of this store.')] }),
  }
}

/** Why a product that was ordered, or that members have a right to, stays for them. */
export const refusalsOfBuyers = (i18n: I18n) => ({
  ORDERED: i18n._('It was ordered. End its sale, or hide it.'),
  GRANTED: i18n._('Members have a right to it. End its sale, or hide it.'),
})

/** Why a product does not become a draft again: those who have it would lose it. */
const draftErrors = async (
  { db, customer, locale }: Ctx,
  { id, status }: Pick<StoredProduct['product'], 'id' | 'status'>,
  after: ProductFields,
): Promise<Record<string, string[]>> => {
  if (status === 'DRAFT' || after.status !== 'DRAFT') return {}
  const use = (await productsOfBuyers(db, customer.id, [id])).get(id)
  return use ? { status: [refusalsOfBuyers(messagesOf(locale))[use]] } : {}
}

/** Returns why options of a locked product stay, by field. Options are locked until it is done. */
export type RefuseRemoval = (
  ctx: Ctx,
  stored: StoredProduct,
  removed: readonly OptionId[],
) => Promise<Record<string, string[]>>

/**
 * Changes fields and options of a product as the caller saw it: `expected` is the value of
 * `If-Match`. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeProduct = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { code, options = [], removeOptionIds = [], translations: texts = {}, tagLabels = {}, ...input }: ChangeInput,
  refuseRemoval: RefuseRemoval = async () => ({}),
) => {
  const { db, customer, clock } = ctx
  // First of all locks: whoever moves a category locks the tree and then the products.
  await lockCategoryTree(db, customer.id, { shared: true })
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const tree = await readTree(ctx)
  const before = fieldsOf(tree, stored)
  const subject = productSubject(code)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOfProduct(before, stored), subject })
  if (refused) return refused
  const retagged = withTags(stored.product.translations, before.tags, input.tags)
  const translations = withTagLabels(withTranslations(retagged, productColumnsOf(texts)), tagLabels)
  const edited = { ...withoutUndefined(input), translations: productTextsIn(translations, translatedTexts) }
  const after: ProductFields = { ...before, ...edited }
  const errors = {
    ...errorsOf(ctx, after, tree),
    ...(await draftErrors(ctx, stored.product, after)),
    ...optionErrors(ctx, stored, options),
    ...translationErrors(ctx, texts),
    ...tagErrors(ctx, texts, after.tags.length),
    ...(await refuseRemoval(ctx, stored, removeOptionIds)),
  }
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
  const { poster, posterTall, gallery } = stored.product
  const { posterAlt, ...columns } = after
  const alt = posterAlt || after.title
  await updateProduct(db, customer.id, stored.product.id, {
    ...columns,
    translations,
    categoryIds: [...new Set(after.categoryIds.flatMap((id) => pathIds(tree, id)))],
    poster: { ...poster, alt },
    posterTall: posterTall && { ...posterTall, alt },
    gallery: numbered(after.title, gallery, stored.product.title),
    updatedAt: clock.now().toISOString(),
  })
  await writeOptions(ctx, stored, options)
  await deleteOptions(db, customer.id, removeOptionIds)
  await deriveProducts(ctx, [stored.product.id])
  const saved = await readStoredProduct(db, customer.id, code)
  if (!saved) return failure('NOT_FOUND')
  const changes = { ...changesOf<object>(before, after), ...optionChanges(stored, saved) }
  if (Object.keys(changes).length > 0) await audit(ctx, { actor: by, action: 'product.changed', subject, changes })
  if (after.status === 'ON_SALE' && before.status !== 'ON_SALE') {
    const { saleFrom, saleTo } = after
    await emit(ctx, 'productOnSale', { productId: stored.product.id, productCode: code, saleFrom, saleTo })
  }
  return viewOf(ctx, saved, tree)
}
