import type { ReactNode } from 'react'
import styles from './filter-panel.module.css'

interface FilterRadioProps {
  name: string
  value: string
  checked: boolean
  label: ReactNode
  /** How deep in a tree. */
  depth?: number
}

/** One line of a filter of which one choice holds. The form hears of the change. */
export function FilterRadio({ name, value, checked, label, depth = 0 }: FilterRadioProps) {
  return (
    <label className={styles.radio} style={{ paddingInlineStart: `calc(var(--space-3) + ${depth} * var(--space-4))` }}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={() => {}}
        className={styles.radioInput}
      />
      {label}
    </label>
  )
}
