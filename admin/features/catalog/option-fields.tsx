import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { maxOptionDays, type StoreProduct } from '#contract/admin/products.ts'
import { optionType } from '#contract/enumerations.ts'
import { optionId } from '#contract/ids.ts'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { optionTypes } from '../../ui/product-labels'
import { TextField } from '../../ui/text-field'
import { TranslatedFields, textsByLanguage } from '../../ui/translated-fields'
import { PriceFields, PriceSchedule, typedChange, typedChanges, typedPrice, typedPrices } from './price-schedule'
import styles from './products.module.css'

/** The options of a product as they are typed. */
export const editedOptions = z.array(
  z.object({
    key: z.string(),
    id: z.exactOptional(optionId),
    name: z.string(),
    type: optionType,
    days: z.string(),
    /** Empty without a limit. */
    startWithinDays: z.string(),
    prices: typedPrice,
    changes: z.array(typedChange),
    onSale: z.boolean(),
    translations: textsByLanguage(['name']),
    /** It is removed when the options are saved. */
    isRemoved: z.boolean(),
  }),
)
export type EditedOption = z.output<typeof editedOptions>[number]

export const editedOption = (option: StoreProduct['options'][number], timeZone: string): EditedOption => ({
  key: option.id,
  id: option.id,
  name: option.name,
  type: option.type,
  onSale: option.onSale,
  translations: option.translations,
  days: String(option.days ?? 2),
  startWithinDays: option.startWithinDays === null ? '' : String(option.startWithinDays),
  prices: typedPrices(option),
  changes: typedChanges(option, timeZone),
  isRemoved: false,
})

export const newOption = (): EditedOption => ({
  key: crypto.randomUUID(),
  name: '',
  type: 'OWN',
  days: '2',
  startWithinDays: '',
  prices: { price: '', listPrice: '' },
  changes: [],
  onSale: true,
  translations: {},
  isRemoved: false,
})

/** What stands in place of the fields of an option that is removed, and why that was refused. */
export function RemovedOption({ error }: { error: string | undefined }) {
  return (
    <div className={styles.schedule}>
      <p className={styles.when}>
        <Trans>It is removed when you save.</Trans>
      </p>
      {error && <Notice tone="danger">{error}</Notice>}
    </div>
  )
}

interface OptionFieldsProps {
  option: EditedOption
  onChange: (part: Partial<EditedOption>) => void
  errors: Readonly<Record<string, string | undefined>>
  /** The beginning of the names of its errors. */
  path: string
}

/** A way to buy a product, with its prices. */
export function OptionFields({ option, onChange, errors, path }: OptionFieldsProps) {
  const { t, i18n } = useLingui()
  const { name, type, days, startWithinDays, prices, changes, onSale, translations } = option
  return (
    <>
      <TextField
        label={t`Name`}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        maxLength={100}
        required
        error={errors[`${path}.name`]}
      />
      <Select
        label={t`Type`}
        value={type}
        options={optionType.options.map((value) => ({ value, label: i18n._(optionTypes[value]) }))}
        onChange={({ target }) => onChange({ type: optionType.safeParse(target.value).data ?? type })}
      />
      {type === 'RENT' && (
        <>
          <TextField
            label={t`Days from the first play`}
            type="number"
            min={1}
            max={maxOptionDays}
            value={days}
            onChange={({ target }) => onChange({ days: target.value })}
            required
            error={errors[`${path}.days`]}
          />
          <TextField
            label={t`Begin within (days)`}
            type="number"
            min={1}
            max={maxOptionDays}
            value={startWithinDays}
            placeholder={t`No limit`}
            onChange={({ target }) => onChange({ startWithinDays: target.value })}
            error={errors[`${path}.startWithinDays`]}
          />
        </>
      )}
      <PriceFields
        prices={prices}
        onChange={(part) => onChange({ prices: { ...prices, ...part } })}
        errors={errors}
        path={path}
      />
      <Checkbox label={t`On sale`} checked={onSale} onChange={({ target }) => onChange({ onSale: target.checked })} />
      <TranslatedFields
        texts={[{ name: 'name', label: t`Name`, own: name, maxLength: 100 }]}
        values={translations}
        onChange={(changed) => onChange({ translations: changed })}
        errors={errors}
        path={`${path}.`}
      />
      <PriceSchedule
        changes={changes}
        onChange={(changed) => onChange({ changes: changed })}
        now={prices}
        errors={errors}
        path={path}
      />
    </>
  )
}
