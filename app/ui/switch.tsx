import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './choice.module.css'
import { classNames } from './class-names'
import { useFieldWiring } from './field'

export interface SwitchProps extends ComponentPropsWithRef<'input'> {
  label: ReactNode
  hint?: ReactNode
}

/** For what takes effect at once. In a form that is sent, a Checkbox is right. */
export function Switch({ label, hint, className, id, ...input }: SwitchProps) {
  const wiring = useFieldWiring(id, { hint, error: undefined })
  return (
    <div className={classNames(styles.choice, className)}>
      <label className={styles.row} htmlFor={wiring.id}>
        <input
          {...input}
          {...wiring}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox tells its state by itself.
          role="switch"
          className={classNames(styles.input, styles.switch)}
        />
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <span className={styles.hint} id={`${wiring.id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
