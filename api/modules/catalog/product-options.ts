import { changesOf, labelsOfParts } from '#api/platform/audit.ts'
import { type Ctx, type Failure, invalidField } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { AuditChanges } from '#api/platform/db/platform.schema.ts'
import { pick } from '#api/platform/elements.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type TranslationChange,
  textsIn,
  translationErrors,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import type { Discount, StoreProductBefore } from '#contract/admin/product-bulk.ts'
import type { OptionType } from '#contract/enumerations.ts'
import type { OptionId, ProductCode } from '#contract/ids.ts'
import type { PriceChange } from '#contract/money.ts'
import { saveOptions } from './edit-products.queries.ts'
import { readStoredProduct, type StoredProduct } from './playables.queries.ts'

export interface OptionInput {
  id?: OptionId | undefined
  name: string
  type: OptionType
  days: number | null
  startWithinDays?: number | null | undefined
  sort?: number | undefined
  price: number
  listPrice?: number | null | undefined
  onSale: boolean
  priceChanges?: readonly { at: string; price: number; listPrice: number | null }[] | undefined
  translations?: TranslationChange | undefined
}

type StoredOption = StoredProduct['options'][number]

/** The options of a product as operators see them. */
export const optionsOf = ({ options }: StoredProduct) =>
  options.map(({ id, name, type, days, startWithinDays, currency, onSale, translations, ...option }) => {
    const price = (amount: number) => ({ amount, currency })
    const listPrice = (amount: number | null) => (amount === null ? null : price(amount))
    return {
      id,
      name,
      type,
      days,
      startWithinDays,
      onSale,
      price: price(option.priceAmount),
      listPrice: listPrice(option.listPriceAmount),
      priceChanges: option.priceChanges.map(({ at, priceAmount, listPriceAmount }) => ({
        at,
        price: price(priceAmount),
        listPrice: listPrice(listPriceAmount),
      })),
      translations: textsIn(translations, ['name']),
    }
  })

/** How the options of a product have changed, each by its name and field, for the audit log. */
export const optionChanges = (before: StoredProduct, after: StoredProduct): AuditChanges => {
  const labelOf = labelsOfParts([...before.options, ...after.options])
  const factsOf = (stored: StoredProduct) =>
    optionsOf(stored).flatMap(({ id, name, ...fields }, at) =>
      Object.entries({ place: at + 1, ...fields }).map(
        ([field, value]) => [`options.${labelOf({ id, name })}.${field}`, value] as const,
      ),
    )
  return changesOf<object>(Object.fromEntries(factsOf(before)), Object.fromEntries(factsOf(after)))
}

/** Returns whether a price before the discount is below the price. */
export const isListPriceTooLow = (listPrice: number | null, price: number) => listPrice !== null && listPrice < price

/**
 * Returns the times of scheduled prices that have passed. Those that the stored option has are left
 * out: they are due. Any other would change the price at once.
 */
export const passedTimes = (times: readonly string[], known: readonly string[], now: Date): string[] =>
  times.filter((time) => Date.parse(time) <= now.getTime() && !known.includes(time))

const isoTime = (time: string) => new Date(time).toISOString()

const changesAfter = (before: StoredOption | undefined, { priceChanges }: OptionInput): readonly PriceChange[] =>
  priceChanges
    ?.map(({ at, price, listPrice }) => ({ at: isoTime(at), priceAmount: price, listPriceAmount: listPrice }))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) ??
  before?.priceChanges ??
  []

/** A value that was sent, or else the stored one. */
const valueAfter = (before: number | null | undefined, sent: number | null | undefined): number | null =>
  sent === undefined ? (before ?? null) : sent

/** Returns what is wrong with options that staff have entered, by field. */
export const optionErrors = (
  ctx: Pick<Ctx, 'customer' | 'locale' | 'clock'>,
  stored: StoredProduct,
  options: readonly OptionInput[],
): Record<string, string[]> => {
  const i18n = messagesOf(ctx.locale)
  const now = ctx.clock.now()
  const tooLow = [i18n._('Enter a price before the discount that is not below the price.')]
  return Object.fromEntries(
    options.flatMap((option, at): [string, string[]][] => {
      const { id, type, days, price, priceChanges = [], translations = {} } = option
      const before = stored.options.find((each) => each.id === id)
      const times = priceChanges.map((change) => isoTime(change.at))
      const passed = passedTimes(times, before?.priceChanges.map((change) => change.at) ?? [], now)
      const wrongTimes = times.flatMap((time, place): [string, string[]][] => {
        const field = `options.${at}.priceChanges.${place}.at`
        if (times.indexOf(time) < place) return [[field, [i18n._('Enter a different time for each price.')]]]
        return passed.includes(time) ? [[field, [i18n._('Enter a time in the future.')]]] : []
      })
      return [
        ...(id && !before ? [[`options.${at}.id`, [i18n._('This product doesn’t have this option.')]] as const] : []),
        ...(type === 'RENT' && days === null
          ? [[`options.${at}.days`, [i18n._('Enter the number of days.')]] as const]
          : []),
        ...(isListPriceTooLow(valueAfter(before?.listPriceAmount, option.listPrice), price)
          ? [[`options.${at}.listPrice`, tooLow] as const]
          : []),
        ...priceChanges.flatMap((change, place) =>
          isListPriceTooLow(change.listPrice, change.price)
            ? [[`options.${at}.priceChanges.${place}.listPrice`, tooLow] as const]
            : [],
        ),
        ...wrongTimes,
        ...Object.entries(translationErrors(ctx, translations)),
      ].map(([field, messages]) => [field, [...messages]])
    }),
  )
}

/** Inserts new options and replaces others. What the console does not show is kept. */
export const writeOptions = async (
  { db, customer }: Ctx,
  { product, options: stored }: StoredProduct,
  options: readonly OptionInput[],
) => {
  const lastSort = Math.max(-1, ...stored.map(({ sort }) => sort))
  await saveOptions(
    db,
    options.map((option, at) => {
      const { id, name, type, days, price, onSale, translations = {} } = option
      const before = stored.find((each) => each.id === id)
      const priceChanges = changesAfter(before, option)
      return {
        customerId: customer.id,
        id: before?.id ?? newId<OptionId>(),
        productId: product.id,
        name,
        type,
        days: type === 'RENT' ? days : null,
        startWithinDays: type === 'RENT' ? valueAfter(before?.startWithinDays, option.startWithinDays) : null,
        priceAmount: price,
        listPriceAmount: valueAfter(before?.listPriceAmount, option.listPrice),
        currency: customer.settings.base.currency,
        sort: option.sort ?? before?.sort ?? lastSort + 1 + at,
        onSale,
        priceChanges,
        nextPriceAt: priceChanges[0]?.at ?? null,
        translations: withTranslations(before?.translations ?? {}, translations),
      }
    }),
  )
}

/** Returns the prices of an option that are due at a time; undefined where none have changed. */
const pricesDueOf = ({ priceChanges }: Pick<StoredOption, 'priceChanges'>, now: Date) => {
  const last = priceChanges.findLast(({ at }) => Date.parse(at) <= now.getTime())
  return last && { priceAmount: last.priceAmount, listPriceAmount: last.listPriceAmount }
}

/** Returns an option with its prices at the time that a preview link shows. */
export const withPriceThen = <Option extends Pick<StoredOption, 'priceChanges'>>(
  { previewAt }: Pick<Ctx, 'previewAt'>,
  option: Option,
): Option => (previewAt ? { ...option, ...pricesDueOf(option, previewAt) } : option)

/**
 * Returns the options of a product whose price changes at or before a time, with the last of their
 * due prices.
 */
export const withDuePrices = ({ options }: StoredProduct, now: Date): StoredOption[] =>
  options.flatMap((option) => {
    const prices = pricesDueOf(option, now)
    if (!prices) return []
    const priceChanges = option.priceChanges.filter(({ at }) => Date.parse(at) > now.getTime())
    return [{ ...option, ...prices, priceChanges, nextPriceAt: priceChanges[0]?.at ?? null }]
  })

type Prices = Pick<StoredOption, 'priceAmount' | 'listPriceAmount' | 'priceChanges'>

/** The prices from now on without those that repeat the one before. */
const merged = (prices: readonly PriceChange[]): PriceChange[] =>
  prices.filter(({ priceAmount, listPriceAmount }, at) => {
    const before = prices[at - 1]
    return before?.priceAmount !== priceAmount || before.listPriceAmount !== listPriceAmount
  })

const reducedBy = (percent: number, price: number) => Math.max(1, Math.round((price * (100 - percent)) / 100))

/**
 * Returns the present price of an option, and those of later times, with a discount in its period
 * in place of all others, or without any. A price is at least one minor unit, unless it was zero.
 */
const withDiscount = (option: Prices, discount: Discount | null, now: Date): Prices => {
  const present = { at: now.toISOString(), ...(pricesDueOf(option, now) ?? option) }
  const later = option.priceChanges.filter(({ at }) => Date.parse(at) > now.getTime())
  const regular = [present, ...later].map(({ at, priceAmount, listPriceAmount }) => ({
    at,
    priceAmount: listPriceAmount ?? priceAmount,
    listPriceAmount: null,
  }))
  const from = discount?.from && Date.parse(discount.from) > now.getTime() ? isoTime(discount.from) : present.at
  const until = discount?.until ? isoTime(discount.until) : null
  const times = new Set([...regular.map(({ at }) => at), ...(discount ? [from] : []), ...(until ? [until] : [])])
  const prices = [...times].sort().map((at): PriceChange => {
    const { priceAmount } = regular.findLast((each) => each.at <= at) ?? present
    const isReduced = discount !== null && at >= from && (until === null || at < until) && priceAmount > 1
    return isReduced
      ? { at, priceAmount: reducedBy(discount.percent, priceAmount), listPriceAmount: priceAmount }
      : { at, priceAmount, listPriceAmount: null }
  })
  const [first = present, ...priceChanges] = merged(prices)
  return { priceAmount: first.priceAmount, listPriceAmount: first.listPriceAmount, priceChanges }
}

/** Returns what a discount makes of the price of an option: the lowest and the highest. */
export const discountRange = (option: Prices, discount: Discount | null, now: Date) => {
  const { priceChanges, ...first } = withDiscount(option, discount, now)
  const all = [first, ...priceChanges]
  const reduced = all.filter(({ listPriceAmount }) => listPriceAmount !== null)
  const amounts = (discount && reduced.length > 0 ? reduced : all).map(({ priceAmount }) => priceAmount)
  return { lowest: Math.min(...amounts), highest: Math.max(...amounts) }
}

/** Refuses a discount that ends before it begins, or has ended. Failure: VALIDATION_FAILED. */
export const checkDiscount = (
  { locale, clock }: Pick<Ctx, 'locale' | 'clock'>,
  discount: Discount | null | undefined,
): Failure | null => {
  if (!discount?.until) return null
  const i18n = messagesOf(locale)
  const until = Date.parse(discount.until)
  if (discount.from && until <= Date.parse(discount.from))
    return invalidField('discount.until', i18n._('Enter an end after the start.'))
  return until <= clock.now().getTime() ? invalidField('discount.until', i18n._('Enter a time in the future.')) : null
}

type BulkOption = NonNullable<StoreProductBefore['options']>[number]

/** An option as staff send it back. */
const optionInput = ({ priceAmount: price, listPriceAmount: listPrice, ...option }: StoredOption): BulkOption => ({
  ...pick(option, ['id', 'name', 'type', 'days', 'onSale']),
  price,
  listPrice,
  priceChanges: option.priceChanges.map((each) => ({
    at: each.at,
    price: each.priceAmount,
    listPrice: each.listPriceAmount,
  })),
})

/** An option with the last of its prices whose time has passed meanwhile. */
export const withPassedPrices = (option: BulkOption, now: Date): BulkOption => {
  const isPassed = ({ at }: { at: string }) => Date.parse(at) <= now.getTime()
  const { price, listPrice } = option.priceChanges.findLast(isPassed) ?? option
  return { ...option, price, listPrice, priceChanges: option.priceChanges.filter((change) => !isPassed(change)) }
}

/** The options of a product that a discount changes, before and after it. */
export const discountedOptions = async (
  { db, customer, clock }: Ctx,
  code: ProductCode,
  discount: Discount | null,
): Promise<{ before: BulkOption; after: BulkOption }[]> => {
  const { options = [] } = (await readStoredProduct(db, customer.id, code)) ?? {}
  return options.flatMap((option) => {
    const isSold = option.onSale && option.currency === customer.settings.base.currency && option.priceAmount > 0
    if (discount && !isSold) return []
    const before = optionInput(option)
    const after = optionInput({ ...option, ...withDiscount(option, discount, clock.now()) })
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }]
  })
}
