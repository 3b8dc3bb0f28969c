import type { ComponentPropsWithRef } from 'react'
import { classNames } from './class-names'
import { Icon } from './icon'
import styles from './search-combobox.module.css'

export interface SearchFieldProps extends ComponentPropsWithRef<'input'> {
  label: string
  /** Where the form leads, and how its field is called there. */
  action: string
  name: string
  large?: boolean | undefined
}

/** A search form without suggestions: on error pages, and inside lists. */
export function SearchField({ label, action, large, className, ...input }: SearchFieldProps) {
  return (
    <search className={classNames(styles.search, large && styles.large, className)}>
      <form action={action}>
        <div className={styles.frame}>
          <span className={styles.mark}>
            <Icon name="search" size="m" />
          </span>
          <input {...input} className={styles.input} type="search" aria-label={label} enterKeyHint="search" />
        </div>
      </form>
    </search>
  )
}
