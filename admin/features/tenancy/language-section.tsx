import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { StoreSettings } from '#contract/admin/settings.ts'
import { locale } from '#contract/enumerations.ts'
import { zoneChoices } from '#contract/store-choices.ts'
import { useCurrencies } from '../../ui/currencies'
import { storeLanguages } from '../../ui/store-languages'
import { FieldsForm, type SettingField } from './settings-form'

const languages = locale.options.map((value) => ({ value, label: storeLanguages[value] }))
const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const dateFormats = ['yyyy/mm/dd', 'yyyy-mm-dd', 'yyyy.mm.dd', 'dd/mm/yyyy', 'dd.mm.yyyy', 'mm/dd/yyyy']

/** A browser may not list the zone or the format that is stored. */
const including = (values: readonly string[], stored: string) =>
  values.includes(stored) ? values : [stored, ...values]

const fieldsOf = ({ settings: { base } }: StoreSettings): SettingField[] => [
  { name: 'base.locales', kind: 'list', label: msg`Languages`, options: languages },
  {
    name: 'base.locale',
    kind: 'choice',
    label: msg`Default language`,
    hint: msg`Your texts are in it. Translations are shown where you have them.`,
    options: languages,
  },
  {
    name: 'base.timeZone',
    kind: 'choice',
    label: msg`Time zone`,
    options: plain(including(zoneChoices(), base.timeZone)),
  },
  {
    name: 'base.dateFormat',
    kind: 'choice',
    label: msg`Dates`,
    options: plain(including(dateFormats, base.dateFormat)),
  },
]

const currencyField = (options: ReturnType<typeof useCurrencies>): SettingField => ({
  name: 'base.currency',
  kind: 'choice',
  label: msg`Currency`,
  hint: msg`It stays once there is a product or a plan.`,
  options,
})

/** The languages of the store, and how it shows days and prices. */
export function LanguageSection({ stored }: { stored: StoreSettings }) {
  const { settings, hasPrices } = stored
  const { currency } = settings.base
  const currencies = useCurrencies(currency)
  return (
    <FieldsForm
      title={<Trans>Languages and formats</Trans>}
      stored={stored}
      fields={[...fieldsOf(stored), ...(hasPrices ? [] : [currencyField(currencies)])]}
      note={
        hasPrices && (
          <p>
            <Trans>Prices are in {currency}. The currency stays, because there are products or plans.</Trans>
          </p>
        )
      }
    />
  )
}
