import type * as z from 'zod/mini'
import {
  type ProductPageFilter,
  type ProductPageRow,
  readProductPage,
} from '#api/modules/catalog/edit-products.queries.ts'
import { lockWholeProduct } from '#api/modules/catalog/playables.queries.ts'
import { deleteProduct, previewManyProducts } from '#api/modules/catalog/product-actions.ts'
import {
  changeProduct,
  productSubject,
  type RefuseRemoval,
  refusalsOfBuyers,
  viewStoredProduct,
} from '#api/modules/catalog/products.ts'
import { retireVideo } from '#api/modules/media/video-jobs.ts'
import { lockOptionUses } from '#api/modules/orders/cart.queries.ts'
import { type AuditActor, refuseOldVersion } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import { implementProcedures, transact, transactAsOperator } from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import { maxBulkItems } from '#contract/admin/bulk.ts'
import type { ProductInUse, StoreProductsDeleted } from '#contract/admin/product-bulk.ts'
import type { ProductSelection, StoreProduct, storeProductExport, storeProductQuery } from '#contract/admin/products.ts'
import type { ProductSort, SaleState } from '#contract/enumerations.ts'
import type { OptionId, ProductCode } from '#contract/ids.ts'
import { deleteProductTraces, readProductUses } from './admin.queries.ts'
import { type ListExport, pagesOf, timeColumn, yesOrNo } from './list-columns.ts'

/** Returns what a list of products is filtered by. */
const productFilterOf = (
  { clock }: Pick<Ctx, 'clock'>,
  { state, kind, categoryId, tag, lacks, q }: ProductSelection,
): Omit<ProductPageFilter, 'codes' | 'sort' | 'after' | 'size'> => ({
  state: state ?? null,
  now: clock.now(),
  kind: kind ?? null,
  category: categoryId ?? null,
  tag: tag ?? null,
  lack: lacks ?? null,
  search: q.toLowerCase(),
})

const saleStateNames = (i18n: I18n): Record<SaleState, string> => ({
  DRAFT: i18n._('Draft', {}, { context: 'status' }),
  SCHEDULED: i18n._('Scheduled', {}, { context: 'status' }),
  ON_SALE: i18n._('On sale', {}, { context: 'status' }),
  HIDDEN: i18n._('Hidden', {}, { context: 'status' }),
  ENDED: i18n._('Ended', {}, { context: 'status' }),
})

/** The list of products as a file. */
export const productList: ListExport<ProductPageRow, z.output<typeof storeProductExport>> = {
  name: 'product-list',
  columns: [
    ['title', 'title', ({ title }) => title],
    ['code', 'code', ({ code }) => code],
    ['kind', 'kind', ({ kind }) => kind],
    ['status', 'status', ({ state }) => state],
    ['status', 'status name', ({ state }, _, i18n) => saleStateNames(i18n)[state]],
    ['status', 'has content', ({ ready }) => yesOrNo(ready)],
    timeColumn('status', 'sale from', ({ saleFrom }) => saleFrom),
    timeColumn('status', 'sale until', ({ saleTo }) => saleTo),
    ['access', 'access', ({ access }) => access],
    ['price', 'price', ({ priceAmount: price, currency }) => (price === null ? null : writeMoney(price, currency))],
    ['price', 'currency', ({ priceAmount, currency }) => (priceAmount === null ? null : currency)],
    ['tags', 'tags', ({ tags }) => tags.join(', ')],
    timeColumn('created', 'created', ({ createdAt }) => createdAt),
  ],
  read: (ctx, { sort, ...selection }) =>
    pagesOf(readProductPage, { ...productFilterOf(ctx, selection), codes: null, sort }),
}

/** The codes of products that fit filters, latest first, at most `limit`. */
export const findProductCodes = async (ctx: Ctx, selection: ProductSelection, limit: number) => {
  const page = { codes: null, sort: 'NEWEST', after: null, size: limit - 1 } as const
  const filter = { ...productFilterOf(ctx, selection), ...page }
  return (await readProductPage(ctx.db, ctx.customer.id, filter)).map(({ code }) => code)
}

const cursorKinds = {
  NEWEST: 'TIME',
  OLDEST: 'TIME',
  TITLE: 'TEXT',
  PRICE_LOW: 'AMOUNT',
  PRICE_HIGH: 'AMOUNT',
} as const satisfies Record<ProductSort, string>

/** A page of the products in any state. Failure: VALIDATION_FAILED for an invalid cursor. */
const pageProducts = async (
  ctx: Ctx,
  { codes, cursor, size, sort, ...selection }: z.output<typeof storeProductQuery>,
) => {
  const after = readCursor(cursor, cursorKinds[sort])
  if (isFailure(after)) return after
  const filter = { ...productFilterOf(ctx, selection), codes: codes ?? null, sort, after, size }
  const { items, nextCursor } = keysetPageOf(await readProductPage(ctx.db, ctx.customer.id, filter), size)
  return {
    items: items.map(({ priceAmount, currency, tags: _, ...row }) => ({
      ...row,
      price: priceAmount === null ? null : { amount: priceAmount, currency },
    })),
    nextCursor,
  }
}

const refusals = (i18n: I18n): Record<ProductInUse, string> => ({
  NOT_FOUND: i18n._('There is no such product any more.'),
  NOT_DRAFT: i18n._('Only a draft can be deleted. End its sale, or hide it.'),
  ...refusalsOfBuyers(i18n),
  IN_CART: i18n._('It is in a cart.'),
  WATCHED: i18n._('It was watched or downloaded. End its sale, or hide it.'),
  DISCUSSED: i18n._('Members have written about it. End its sale, or hide it.'),
  LINKED: i18n._('A banner or the home page leads to it. Change that first.'),
  ENCODING: i18n._('A video of it is being encoded. Cancel that first, or wait a minute after it has ended.'),
})

/** Returns why a locked product is not deleted, or null. */
const reasonOf = async ({ db, customer }: Ctx, product: StoreProduct): Promise<ProductInUse | null> => {
  const uses = await readProductUses(db, customer.id, product)
  if (uses?.ordered) return 'ORDERED'
  if (uses?.granted) return 'GRANTED'
  if (product.status !== 'DRAFT') return 'NOT_DRAFT'
  if (uses?.inCart) return 'IN_CART'
  if (uses?.watched) return 'WATCHED'
  if (uses?.discussed) return 'DISCUSSED'
  if (uses?.linked) return 'LINKED'
  return uses?.encoding ? 'ENCODING' : null
}

/**
 * Deletes a draft with all that belongs to it. Returns null, or why it is not deleted. What is
 * being ordered at the same time is ordered first, and then refused here, or not found there.
 */
const deleteDraft = async (
  ctx: Ctx,
  by: AuditActor,
  code: ProductCode,
  refuse: (product: StoreProduct) => Promise<Failure | null> = async () => null,
): Promise<ProductInUse | Failure | null> => {
  const { db, customer } = ctx
  if (!(await lockWholeProduct(db, customer.id, code))) return 'NOT_FOUND'
  const product = await viewStoredProduct(ctx, code)
  if (isFailure(product)) return product
  const refused = (await refuse(product)) ?? (await reasonOf(ctx, product))
  if (refused) return refused
  await deleteProductTraces(db, customer.id, product.id)
  await deleteProduct(ctx, by, product)
  if (product.videoId) await retireVideo(ctx, product.videoId, null)
  return null
}

/**
 * Deletes a draft as the caller saw it: `expected` is the value of `If-Match`. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, CONFLICT with the reason.
 */
const deleteOne = async (ctx: Ctx, by: AuditActor, expected: string | null, code: ProductCode) => {
  const refused = await deleteDraft(ctx, by, code, ({ version }) =>
    refuseOldVersion(ctx, { expected, version, subject: productSubject(code) }),
  )
  if (refused === null || isFailure(refused)) return refused ?? undefined
  if (refused === 'NOT_FOUND') return failure('NOT_FOUND')
  return failure('CONFLICT', { errors: { code: [refusals(messagesOf(ctx.locale))[refused]] } })
}

/** Why options of a product are not removed, by field: those that somebody has used. */
const refuseUsedOptions: RefuseRemoval = async ({ db, customer, locale }, { product, options }, removed) => {
  if (removed.length === 0) return {}
  const i18n = messagesOf(locale)
  const texts = {
    ORDERED: i18n._('It was ordered. Untick “On sale” instead.'),
    IN_CART: i18n._('It is in a cart. Untick “On sale” instead.'),
    UNKNOWN: i18n._('This product doesn’t have this option.'),
  }
  const uses = await lockOptionUses(db, customer.id, product.id, removed)
  const reasonFor = (option: OptionId) => (options.some((each) => each.id === option) ? uses.get(option) : 'UNKNOWN')
  return Object.fromEntries(
    removed.flatMap((option, at) => {
      const reason = reasonFor(option)
      return reason ? [[`removeOptionIds.${at}`, [texts[reason]]]] : []
    }),
  )
}

type Deleted = StoreProductsDeleted['items'][number]

const deleteOfMany = async (ctx: Ctx, by: AuditActor, code: ProductCode): Promise<Deleted> => {
  const refused = await deleteDraft(ctx, by, code)
  if (refused === null) return { code, result: 'DELETED', reason: null, message: null }
  const reason = isFailure(refused) ? 'NOT_FOUND' : refused
  return { code, result: 'FAILED', reason, message: refusals(messagesOf(ctx.locale))[reason] }
}

const os = implementProcedures().admin.products

/** What operators do with products as rows of a list, or with what other modules know of them. */
export const storeProductProcedures = {
  list: os.list.handler(({ context, input }) => transact(context, (ctx) => pageProducts(ctx, input))),
  change: os.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeProduct(ctx, by, ifMatch(context), input, refuseUsedOptions)),
  ),
  previewMany: os.previewMany.handler(({ context, input: { codes, filters, discount } }) =>
    transact(context, async (ctx) => {
      const chosen = codes ?? (filters ? await findProductCodes(ctx, filters, maxBulkItems) : [])
      return previewManyProducts(ctx, chosen, discount)
    }),
  ),
  delete: os.delete.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => deleteOne(ctx, by, ifMatch(context), input.code)),
  ),
  deleteMany: os.deleteMany.handler(async ({ context, input: { codes } }) => {
    const items: Deleted[] = []
    // Each in a transaction of its own: one that fails leaves the others as they are.
    for (const code of new Set(codes))
      items.push(await transactAsOperator(context, (ctx, by) => deleteOfMany(ctx, by, code)))
    return { items }
  }),
}
