import type { ReactNode } from 'react'
import styles from './address-fields.module.css'
import { Button } from './button'
import { TextField } from './text-field'

type Part = 'postcode' | 'road' | 'detail'

export interface AddressFieldsProps {
  legend: ReactNode
  /** The `name` of each control. */
  names: Record<Part, string>
  labels: Record<Part, ReactNode>
  values: Record<Part, string>
  errors: Partial<Record<Part, ReactNode>>
  onChange: (part: Part, value: string) => void
  /** The address search button; absent if it cannot work. */
  search: { label: ReactNode; onSearch: () => void } | undefined
}

/** The fields of a postal address. A search may fill in postcode and road. */
export function AddressFields({ legend, names, labels, values, errors, onChange, search }: AddressFieldsProps) {
  const field = (part: Part) => ({
    name: names[part],
    label: labels[part],
    value: values[part],
    error: errors[part],
    onChange: (event: { target: { value: string } }) => onChange(part, event.target.value),
  })
  return (
    <fieldset className={styles.address}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.code}>
        <TextField {...field('postcode')} autoComplete="postal-code" dir="ltr" />
        {search && (
          <Button icon="search" className={styles.search} onClick={search.onSearch}>
            {search.label}
          </Button>
        )}
      </div>
      <TextField {...field('road')} autoComplete="address-line1" dir="auto" />
      <TextField {...field('detail')} autoComplete="address-line2" dir="auto" />
    </fieldset>
  )
}
