import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import * as z from 'zod/mini'
import { maxPriceChanges, type StoreProduct } from '#contract/admin/products.ts'
import { Button, IconButton } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useSettings } from '../../platform/settings'
import form from '../../ui/form.module.css'
import { amountOf, MoneyField, typedAmount } from '../../ui/money-field'
import { fieldTimeOf, isoTimeOf } from '../../ui/period-fields'
import styles from './products.module.css'

type Option = StoreProduct['options'][number]

/** As they are typed, in the currency's major unit. The second is empty without a discount. */
export const typedPrice = z.object({ price: z.string(), listPrice: z.string() })
export type TypedPrices = z.output<typeof typedPrice>

/** The time is in the store's time zone. */
export const typedChange = z.extend(typedPrice, { key: z.string(), at: z.string() })
export type TypedChange = z.output<typeof typedChange>

export const typedPrices = ({ price, listPrice }: Pick<Option, 'price' | 'listPrice'>): TypedPrices => ({
  price: typedAmount(price.amount, price.currency),
  listPrice: listPrice ? typedAmount(listPrice.amount, listPrice.currency) : '',
})

export const typedChanges = ({ priceChanges }: Option, timeZone: string): TypedChange[] =>
  priceChanges.map((change) => ({
    key: change.at,
    at: fieldTimeOf(new Date(change.at), timeZone),
    ...typedPrices(change),
  }))

/** Returns typed prices as the API takes them. */
export const amountsOf = ({ price, listPrice }: TypedPrices, currency: string) => ({
  price: amountOf(price, currency),
  listPrice: listPrice === '' ? null : amountOf(listPrice, currency),
})

/**
 * Returns typed price changes as the API takes them. Times that nobody has changed keep their
 * seconds.
 */
export const changesOf = (
  changes: readonly TypedChange[],
  stored: Option['priceChanges'],
  { currency, timeZone }: { currency: string; timeZone: string },
) =>
  changes.map(({ key, at, ...prices }) => {
    const before = stored.find((each) => each.at === key)
    const isSame = before && fieldTimeOf(new Date(before.at), timeZone) === at
    return { at: isSame ? before.at : isoTimeOf(at, timeZone), ...amountsOf(prices, currency) }
  })

interface PriceFieldsProps {
  prices: TypedPrices
  onChange: (part: Partial<TypedPrices>) => void
  errors: Readonly<Record<string, string | undefined>>
  /** The beginning of the names of its errors. */
  path: string
}

/** A price, and the one before the discount. */
export function PriceFields({ prices: { price, listPrice }, onChange, errors, path }: PriceFieldsProps) {
  const { t } = useLingui()
  const { currency } = useSettings().base
  return (
    <>
      <MoneyField
        currency={currency}
        label={t`Price`}
        value={price}
        onChange={({ target }) => onChange({ price: target.value })}
        required
        error={errors[`${path}.price`]}
      />
      <MoneyField
        currency={currency}
        label={t`Price before the discount`}
        value={listPrice}
        onChange={({ target }) => onChange({ listPrice: target.value })}
        error={errors[`${path}.listPrice`]}
      />
    </>
  )
}

interface PriceScheduleProps extends Pick<PriceFieldsProps, 'errors' | 'path'> {
  changes: readonly TypedChange[]
  onChange: (changes: TypedChange[]) => void
  /** The present prices. */
  now: TypedPrices
}

/** Whether a price follows the discounted one before it, so that its time is the discount's end. */
const isEndOfDiscount = (changes: readonly TypedChange[], at: number): boolean =>
  changes[at]?.listPrice === '' && (changes[at - 1]?.listPrice ?? '') !== ''

/** The prices of an option from later times on. */
export function PriceSchedule({ changes, onChange, now, errors, path }: PriceScheduleProps) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  const newKey = useId()
  const added = (prices: TypedPrices): TypedChange => ({ key: `${newKey}${crypto.randomUUID()}`, at: '', ...prices })
  const regular = { price: now.listPrice || now.price, listPrice: '' }
  return (
    <fieldset className={styles.schedule}>
      <legend className={form.legend}>
        <Trans>Scheduled prices</Trans>
      </legend>
      {changes.length === 0 ? (
        <p className={styles.when}>
          <Trans>The price stays until you change it.</Trans>
        </p>
      ) : (
        <p className={styles.when}>
          <Trans>Times are in {timeZone}. A price is changed within a minute of its time.</Trans>
        </p>
      )}
      {changes.map((change, at) => (
        <div key={change.key} className={styles.change}>
          <TextField
            type="datetime-local"
            label={isEndOfDiscount(changes, at) ? t`Until, then the regular price` : t`From`}
            value={change.at}
            onChange={({ target }) => onChange(changes.with(at, { ...change, at: target.value }))}
            required
            error={errors[`${path}.priceChanges.${at}.at`]}
          />
          <PriceFields
            prices={change}
            onChange={(part) => onChange(changes.with(at, { ...change, ...part }))}
            errors={errors}
            path={`${path}.priceChanges.${at}`}
          />
          <IconButton
            icon="trash"
            label={t`Remove scheduled price ${at + 1}`}
            onClick={() => onChange(changes.toSpliced(at, 1))}
          />
        </div>
      ))}
      {changes.length + 2 <= maxPriceChanges && (
        <div className={form.buttons}>
          <Button size="s" icon="plus" onClick={() => onChange([...changes, added(regular)])}>
            <Trans>Schedule a price</Trans>
          </Button>
          <Button
            size="s"
            icon="plus"
            onClick={() => onChange([...changes, added({ price: '', listPrice: regular.price }), added(regular)])}
          >
            <Trans>Schedule a discount</Trans>
          </Button>
        </div>
      )}
    </fieldset>
  )
}
