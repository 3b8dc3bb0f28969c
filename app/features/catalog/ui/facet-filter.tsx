import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Checkbox } from '~/ui/choice'
import type { Choice } from './filter-choices'
import styles from './filter-panel.module.css'
import { FilterRadio } from './filter-radio'

interface FacetFilterProps {
  name: string
  legend: string
  choices: readonly Choice[]
  chosen: string | readonly string[] | undefined
  /** One at a time. */
  single?: boolean
}

/** The choices of one filter, with how many products each would leave. What would leave none is not offered. */
export function FacetFilter({ name, legend, choices, chosen = [], single }: FacetFilterProps) {
  const isChosen = (value: string) => (typeof chosen === 'string' ? chosen === value : chosen.includes(value))
  const offered = choices.filter(({ value, count }) => count !== 0 || isChosen(value))
  if (offered.length < 2 && !offered.some(({ value }) => isChosen(value))) return null
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {single && <FilterRadio name={name} value="" checked={chosen.length === 0} label={<Trans>Any</Trans>} />}
      {offered.map(({ value, count, ...text }) =>
        single ? (
          <FilterRadio
            key={value}
            name={name}
            value={value}
            checked={isChosen(value)}
            label={<Counted label={storeText(text, 'label')} count={count} />}
          />
        ) : (
          <Checkbox
            key={value}
            name={name}
            value={value}
            checked={isChosen(value)}
            onChange={() => {}}
            label={<Counted label={storeText(text, 'label')} count={count} />}
          />
        ),
      )}
    </fieldset>
  )
}

export function Counted({ label, count }: { label: ReactNode; count: number | null }) {
  const format = useFormat()
  return (
    <span className={styles.counted}>
      {label}
      {count !== null && <span className={styles.count}>{format.number(count)}</span>}
    </span>
  )
}
