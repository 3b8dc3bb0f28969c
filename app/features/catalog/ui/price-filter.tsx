import { Trans, useLingui } from '@lingui/react/macro'
import type { SearchAnswer } from '#contract/catalog.ts'
import { minorDigits } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { TextField } from '~/ui/text-field'
import { priceStep } from '../price-step'
import type { ProductsSearch } from '../products.search'
import styles from './filter-panel.module.css'

interface PriceFilterProps {
  chosen: ProductsSearch
  /** The cheapest and the dearest, in the currency's minor unit. */
  range: NonNullable<SearchAnswer['priceRange']>
  currency: string
}

/** Two amounts in the currency's major unit; either may stay empty. */
export function PriceFilter({ chosen, range, currency }: PriceFilterProps) {
  const { t } = useLingui()
  const format = useFormat()
  const unit = 10 ** minorDigits(currency)
  const shared = {
    ...{ type: 'number', min: 0, step: priceStep(range, unit) },
    inputMode: unit > 1 ? 'decimal' : 'numeric',
  } as const
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Trans>Price ({currency})</Trans>
      </legend>
      <div className={styles.prices}>
        <TextField
          {...shared}
          key={`min ${chosen.priceMin}`}
          label={t`Min`}
          name="priceMin"
          defaultValue={chosen.priceMin}
          placeholder={format.number(Math.floor(range.min / unit))}
        />
        <TextField
          {...shared}
          key={`max ${chosen.priceMax}`}
          label={t`Max`}
          name="priceMax"
          defaultValue={chosen.priceMax}
          placeholder={format.number(Math.ceil(range.max / unit))}
        />
      </div>
    </fieldset>
  )
}
