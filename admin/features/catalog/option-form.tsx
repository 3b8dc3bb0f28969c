import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import type { StoreProduct } from '#contract/admin/products.ts'
import { optionType } from '#contract/enumerations.ts'
import { optionId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { optionTypes } from '../../ui/product-labels'
import { TranslatedFields, textsByLanguage } from '../../ui/translated-fields'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import {
  amountsOf,
  changesOf,
  PriceFields,
  PriceSchedule,
  typedChange,
  typedChanges,
  typedPrice,
  typedPrices,
} from './price-schedule'
import styles from './products.module.css'

const editedOptions = z.array(
  z.object({
    key: z.string(),
    id: z.exactOptional(optionId),
    name: z.string(),
    type: optionType,
    days: z.string(),
    prices: typedPrice,
    changes: z.array(typedChange),
    onSale: z.boolean(),
    translations: textsByLanguage(['name']),
  }),
)
type EditedOption = z.output<typeof editedOptions>[number]

const editedOption = (option: StoreProduct['options'][number], timeZone: string): EditedOption => ({
  key: option.id,
  id: option.id,
  name: option.name,
  type: option.type,
  onSale: option.onSale,
  translations: option.translations,
  days: String(option.days ?? 2),
  prices: typedPrices(option),
  changes: typedChanges(option, timeZone),
})

interface OptionFieldsProps {
  option: EditedOption
  onChange: (part: Partial<EditedOption>) => void
  errors: Readonly<Record<string, string | undefined>>
  /** The beginning of the names of its errors. */
  path: string
}

function OptionFields({ option, onChange, errors, path }: OptionFieldsProps) {
  const { t, i18n } = useLingui()
  const { name, type, days, prices, changes, onSale, translations } = option
  return (
    <fieldset className={styles.option}>
      <legend className={styles.legend}>{name || t`New option`}</legend>
      <TextField
        label={t`Name`}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        maxLength={100}
        required
        error={errors[`${path}.name`]}
      />
      <TranslatedFields
        label={t`Name`}
        name="name"
        values={translations}
        maxLength={100}
        onChange={(changed) => onChange({ translations: changed })}
      />
      <Select
        label={t`Type`}
        value={type}
        options={optionType.options.map((value) => ({ value, label: i18n._(optionTypes[value]) }))}
        onChange={({ target }) => onChange({ type: optionType.safeParse(target.value).data ?? type })}
      />
      {type === 'RENT' && (
        <TextField
          label={t`Days from the first play`}
          type="number"
          min={1}
          max={3650}
          value={days}
          onChange={({ target }) => onChange({ days: target.value })}
          required
          error={errors[`${path}.days`]}
        />
      )}
      <PriceFields
        prices={prices}
        onChange={(part) => onChange({ prices: { ...prices, ...part } })}
        errors={errors}
        path={path}
      />
      <Checkbox label={t`On sale`} checked={onSale} onChange={({ target }) => onChange({ onSale: target.checked })} />
      <PriceSchedule
        changes={changes}
        onChange={(changed) => onChange({ changes: changed })}
        now={prices}
        errors={errors}
        path={path}
      />
    </fieldset>
  )
}

/** The ways to buy a product, with their prices. An option is taken off sale, never deleted. */
export function OptionForm({ product }: { product: StoreProduct }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('products:write')
  const { currency, timeZone } = useSettings().base
  const newKey = useId()
  const [options, setOptions] = useState(() => product.options.map((option) => editedOption(option, timeZone)))
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: EditedOption[]) => {
    setOptions(changed)
    setDirty(true)
  }
  const { code, version } = product
  const save = useWrite(
    () =>
      api.admin.products.change(
        {
          code,
          options: options.map(({ id, name, type, days, prices, changes, onSale, translations }) => ({
            name,
            translations,
            type,
            onSale,
            ...(id && { id }),
            days: type === 'RENT' ? Number(days) : null,
            ...amountsOf(prices, currency),
            priceChanges: changesOf(changes, product.options.find((each) => each.id === id)?.priceChanges ?? [], {
              currency,
              timeZone,
            }),
          })),
        },
        { context: { ifMatch: version } },
      ),
    { done: t`Prices saved`, changes: [['product', code], ['products']], onDone: () => setDirty(false) },
  )
  return (
    <Section
      title={<Trans>Prices</Trans>}
      actions={
        isAllowed && (
          <Button
            size="s"
            icon="plus"
            onClick={() =>
              edit([
                ...options,
                {
                  key: `${newKey}${options.length}`,
                  name: '',
                  type: 'OWN',
                  days: '2',
                  prices: { price: '', listPrice: '' },
                  changes: [],
                  onSale: true,
                  translations: {},
                },
              ])
            }
          >
            <Trans>Add option</Trans>
          </Button>
        )
      }
    >
      {options.length === 0 && (
        <p>
          <Trans>Nobody can buy it yet: add an option with a price.</Trans>
        </p>
      )}
      <form className={styles.options} onSubmit={onSubmit(() => save.send(undefined))}>
        {isAllowed && (
          <FormDraft
            queryKey={['product', code]}
            part="options"
            isDirty={isDirty}
            held={heldState(options, editedOptions, edit)}
          />
        )}
        <fieldset className={styles.options} disabled={!isAllowed}>
          {options.map((option, at) => (
            <OptionFields
              key={option.key}
              option={option}
              path={`options.${at}`}
              errors={save.failure?.fields ?? {}}
              onChange={(part) => edit(options.with(at, { ...option, ...part }))}
            />
          ))}
        </fieldset>
        <WriteRefusal failure={save.failure} queryKey={['product', code]} onLoaded={save.reset} />
        {isAllowed && options.length > 0 && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending}>
              <Trans>Save prices</Trans>
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty} />
    </Section>
  )
}
