import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { translationErrors, withTranslations } from '#api/platform/i18n/translations.ts'
import type { StorePlan, StorePlanChange, StorePlanCreate } from '#contract/admin/plans.ts'
import { locale } from '#contract/enumerations.ts'
import type { CategoryId, PlanId, ProductCode } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import * as query from './plans.queries.ts'

const orderSubject = 'plans'
const subjectOf = (id: PlanId) => `plan:${id}`

type PlanFields = Pick<
  query.PlanRow,
  | 'name'
  | 'summary'
  | 'benefits'
  | 'priceAmount'
  | 'cycle'
  | 'trialDays'
  | 'scope'
  | 'categoryIds'
  | 'streams'
  | 'onSale'
  | 'recommended'
> & { productCodes: ProductCode[] }

interface EditedPlan extends PlanFields {
  translations: Translations
}

const fieldsOf = (row: query.PlanRow, products: readonly query.ListedProduct[]): EditedPlan => ({
  name: row.name,
  summary: row.summary,
  benefits: row.benefits,
  priceAmount: row.priceAmount,
  cycle: row.cycle,
  trialDays: row.trialDays,
  scope: row.scope,
  categoryIds: row.categoryIds,
  streams: row.streams,
  onSale: row.onSale,
  recommended: row.recommended,
  productCodes: products.map(({ code }) => code),
  translations: row.translations,
})

/** The facts about a plan in the audit log, such as `name` and `name.ko`. */
const factsOf = ({ translations, ...fields }: EditedPlan): Record<string, unknown> => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(translations).flatMap(([language, texts]) =>
      Object.entries(texts ?? {}).map(([name, text]) => [`${name}.${language}`, text]),
    ),
  ),
})

const findEdited = async ({ db, customer }: Ctx, id: PlanId, how: { lock?: boolean } = {}) => {
  const row = await query.findPlan(db, customer.id, id, how)
  return row && { row, fields: fieldsOf(row, await query.productsOfPlan(db, customer.id, id)) }
}

const lines = (value: unknown) => (Array.isArray(value) ? value.map(String) : undefined)
const line = (value: unknown) => (typeof value === 'string' ? value : undefined)

const translationsIn = (translations: Translations): StorePlan['translations'] =>
  Object.fromEntries(
    locale.options.flatMap((language) => {
      const { name, summary, benefits } = translations[language] ?? {}
      const texts = withoutUndefined({ name: line(name), summary: line(summary), benefits: lines(benefits) })
      return Object.keys(texts).length > 0 ? [[language, texts]] : []
    }),
  )

/** Returns all plans, on sale or not, in the order in which visitors see them. */
export const listStorePlans = async (ctx: Ctx) => {
  const { db, customer } = ctx
  const rows = await query.readPlanSummaries(db, customer.id)
  return {
    items: rows.map(({ priceAmount: amount, currency, ...row }) => ({ ...row, price: { amount, currency } })),
    version: versionOf(rows.map(({ id }) => id)),
    history: await historyOf(ctx, orderSubject),
  }
}

/** Returns a plan with its version and its history, for its editor. Failure: NOT_FOUND. */
export const viewStorePlan = async (ctx: Ctx, id: PlanId): Promise<StorePlan | Failure> => {
  const { db, customer } = ctx
  const row = await query.findPlan(db, customer.id, id)
  const [summary] = await query.readPlanSummaries(db, customer.id, id)
  if (!row || !summary) return failure('NOT_FOUND')
  const products = await query.productsOfPlan(db, customer.id, id)
  const { translations, priceAmount, ...fields } = fieldsOf(row, products)
  return {
    ...fields,
    id,
    code: row.code,
    price: { amount: priceAmount, currency: row.currency },
    subscribers: summary.subscribers,
    products: summary.products,
    productTitles: products.map(({ title }) => title),
    translations: translationsIn(translations),
    version: versionOf(factsOf(fieldsOf(row, products))),
    history: await historyOf(ctx, subjectOf(id)),
  }
}

/**
 * Creates a plan that is not on sale yet, the last in the order. Failure: CONFLICT if the code is
 * taken.
 */
export const createPlan = async (ctx: Ctx, by: AuditActor, input: StorePlanCreate): Promise<StorePlan | Failure> => {
  const { db, customer, clock } = ctx
  await query.lockPlanOrder(db, customer.id)
  const last = (await query.readPlans(db, customer.id)).at(-1)
  const id = newId<PlanId>()
  const { code, name, cycle, price } = input
  const isCreated = await query.insertPlan(db, {
    customerId: customer.id,
    id,
    code,
    name,
    cycle,
    priceAmount: price,
    currency: customer.settings.base.currency,
    scope: 'ALL',
    onSale: false,
    sort: 1 + (last?.sort ?? 0),
    createdAt: clock.now().toISOString(),
  })
  if (!isCreated) {
    const i18n = messagesOf(ctx.locale)
    return failure('CONFLICT', { errors: { code: [i18n._('Another plan has this code. Enter another one.')] } })
  }
  await audit(ctx, { actor: by, action: 'plan.created', subject: subjectOf(id), changes: changesOf<object>({}, input) })
  return viewStorePlan(ctx, id)
}

const changesScope = (before: EditedPlan, after: EditedPlan) =>
  versionOf([before.scope, before.categoryIds, before.productCodes]) !==
  versionOf([after.scope, after.categoryIds, after.productCodes])

/** Why a plan cannot be as it would be after a change, in the language of the person. */
const problemsOf = async (ctx: Ctx, before: EditedPlan, after: EditedPlan, change: StorePlanChange) => {
  const { db, customer } = ctx
  const i18n = messagesOf(ctx.locale)
  const errors: Record<string, string[]> = translationErrors(ctx, change.translations ?? {})
  if (after.scope === 'CATEGORIES' && after.categoryIds.length === 0)
    errors.categoryIds = [i18n._('Choose at least one category.')]
  const areNew = (ids: readonly CategoryId[]) => ids.some((id) => !before.categoryIds.includes(id))
  if (areNew(after.categoryIds) && !(await query.haveCategories(db, customer.id, after.categoryIds)))
    errors.categoryIds = [i18n._('Choose categories of the store.')]
  if (after.scope === 'PRODUCTS' && after.productCodes.length === 0)
    errors.productCodes = [i18n._('Choose at least one product.')]
  const known = await productIdsOf(db, customer.id, after.productCodes)
  const unknown = after.productCodes.filter((code) => !known.has(code))
  if (unknown.length > 0)
    errors.productCodes = [i18n._('The store has no product with the code {code}.', { code: unknown[0] ?? '' })]
  if (after.onSale && after.priceAmount === 0)
    errors.price = [i18n._('Enter a price above zero. A plan on sale has one.')]
  const productIds = [...known.values()]
  const isOffered = after.onSale && (!before.onSale || changesScope(before, after))
  if (isOffered && !(await query.opensAnything(db, customer.id, { ...after, productIds })))
    errors.onSale = [i18n._('It opens no product on sale yet. Put one on sale that plans open, and choose it here.')]
  return Object.keys(errors).length > 0 ? failure('VALIDATION_FAILED', { errors }) : productIds
}

/** What a plan opens must be named by its scope alone. */
const inScope = (plan: EditedPlan): EditedPlan => ({
  ...plan,
  categoryIds: plan.scope === 'CATEGORIES' ? plan.categoryIds : [],
  productCodes: plan.scope === 'PRODUCTS' ? plan.productCodes : [],
})

/**
 * Changes a plan as the caller saw it: `expected` is the value of `If-Match`. Subscribers keep the
 * price and the cycle that they agreed to. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED.
 */
export const changeStorePlan = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  change: StorePlanChange,
): Promise<StorePlan | Failure> => {
  const { db, customer } = ctx
  const { id, price, translations = {}, ...input } = change
  const stored = await findEdited(ctx, id, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const before = stored.fields
  const subject = subjectOf(id)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(factsOf(before)), subject })
  if (refused) return refused
  const after = inScope({
    ...before,
    ...withoutUndefined(input),
    priceAmount: price ?? before.priceAmount,
    translations: withTranslations(before.translations, translations),
  })
  const productIds = await problemsOf(ctx, before, after, change)
  if (isFailure(productIds)) return productIds
  const changes = changesOf<object>(factsOf(before), factsOf(after))
  if (Object.keys(changes).length === 0) return viewStorePlan(ctx, id)
  const { productCodes: _, ...columns } = after
  await query.updatePlan(db, customer.id, id, columns, productIds)
  await audit(ctx, { actor: by, action: 'plan.changed', subject, changes })
  return viewStorePlan(ctx, id)
}

/**
 * Moves a plan to a position from 1. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT.
 */
export const movePlan = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { id, position }: { id: PlanId; position: number },
): Promise<Awaited<ReturnType<typeof listStorePlans>> | Failure> => {
  const { db, customer } = ctx
  await query.lockPlanOrder(db, customer.id)
  const ids = (await query.readPlans(db, customer.id)).map((row) => row.id)
  const from = ids.indexOf(id)
  if (from < 0) return failure('NOT_FOUND')
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(ids), subject: orderSubject })
  if (refused) return refused
  const after = ids.toSpliced(from, 1).toSpliced(position - 1, 0, id)
  await query.writePlanOrder(db, customer.id, after)
  const changes = changesOf<Record<string, number>>({ [id]: from + 1 }, { [id]: after.indexOf(id) + 1 })
  if (Object.keys(changes).length > 0)
    await audit(ctx, { actor: by, action: 'plan.moved', subject: orderSubject, changes })
  return listStorePlans(ctx)
}

/**
 * Deletes a plan that nobody has ever subscribed to. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, CONFLICT for a plan with subscriptions, which is taken off sale instead.
 */
export const deletePlan = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  id: PlanId,
): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const stored = await findEdited(ctx, id, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const facts = factsOf(stored.fields)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(facts), subject: subjectOf(id) })
  if (refused) return refused
  if (await query.isPlanUsed(db, customer.id, id)) return failure('CONFLICT')
  await query.removePlan(db, customer.id, id)
  const changes = changesOf<object>({ code: stored.row.code, ...facts }, {})
  await audit(ctx, { actor: by, action: 'plan.deleted', subject: subjectOf(id), changes })
  return undefined
}
