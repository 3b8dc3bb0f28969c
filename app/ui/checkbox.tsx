import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './choice.module.css'
import { classNames } from './class-names'
import { FieldError, useFieldWiring } from './field'

export interface CheckboxProps extends ComponentPropsWithRef<'input'> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

/** A native checkbox; everything an `<input>` takes goes to it. */
export function Checkbox({ label, hint, error, className, id, ...input }: CheckboxProps) {
  const wiring = useFieldWiring(id, { hint, error })
  return (
    <div className={classNames(styles.choice, className)}>
      <label className={styles.row} htmlFor={wiring.id}>
        <input {...input} {...wiring} type="checkbox" className={classNames(styles.input, styles.checkbox)} />
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <span className={styles.hint} id={`${wiring.id}-hint`}>
          {hint}
        </span>
      )}
      <div className={styles.below}>
        <FieldError id={wiring.id} error={error} />
      </div>
    </div>
  )
}
