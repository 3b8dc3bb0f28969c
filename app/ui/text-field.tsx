import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './element'
import { Field, type FieldText, useFieldAttributes } from './field'
import styles from './field.module.css'
import { Icon, type IconName } from './icon'

export interface TextFieldProps extends FieldText, ComponentPropsWithRef<'input'> {
  icon?: IconName | undefined
  /** At the end of the control: a unit, a small button. */
  end?: ReactNode
}

/** A text field. Other props go to the `<input>`. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, aside, icon, end, className, id, ...input } = props
  const attributes = useFieldAttributes(id, { hint, error })
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      aside={aside}
      className={className}
      id={attributes.id}
    >
      <div className={styles.adorned}>
        {icon && (
          <span className={styles.adornmentStart}>
            <Icon name={icon} size="m" />
          </span>
        )}
        <input
          type="text"
          {...input}
          {...attributes}
          className={classNames(styles.control, icon && styles.withStart, Boolean(end) && styles.withEnd)}
        />
        {end && <span className={styles.adornmentEnd}>{end}</span>}
      </div>
    </Field>
  )
}

export interface TextAreaProps extends FieldText, ComponentPropsWithRef<'textarea'> {}

/** A multi-line text field. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, optional, aside, className, id, rows = 4, ...area } = props
  const attributes = useFieldAttributes(id, { hint, error })
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      aside={aside}
      className={className}
      id={attributes.id}
    >
      <textarea {...area} {...attributes} rows={rows} className={styles.control} />
    </Field>
  )
}

/** An email field of a sign-in form, with the autocomplete of password managers. */
export function EmailField(props: Omit<TextFieldProps, 'type'>) {
  return (
    <TextField
      name="email"
      autoComplete="username"
      {...props}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
    />
  )
}
