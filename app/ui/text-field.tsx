import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './class-names'
import { Field, type FieldText, useFieldWiring } from './field'
import styles from './field.module.css'
import { Icon } from './icon'
import type { IconName } from './icon-shapes'

export interface TextFieldProps extends FieldText, ComponentPropsWithRef<'input'> {
  icon?: IconName | undefined
  /** Inside the control's far edge: a unit, a small button. */
  end?: ReactNode
}

/** A line of text with its label, hint and error. Everything an `<input>` takes goes to the input. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, aside, icon, end, className, id, ...input } = props
  const wiring = useFieldWiring(id, { hint, error })
  return (
    <Field {...{ label, hint, error, optional, aside, className }} id={wiring.id}>
      <div className={styles.adorned}>
        {icon && (
          <span className={styles.adornmentStart}>
            <Icon name={icon} size="m" />
          </span>
        )}
        <input
          type="text"
          {...input}
          {...wiring}
          className={classNames(styles.control, icon && styles.withStart, Boolean(end) && styles.withEnd)}
        />
        {end && <span className={styles.adornmentEnd}>{end}</span>}
      </div>
    </Field>
  )
}
