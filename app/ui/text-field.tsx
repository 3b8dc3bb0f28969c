import { type ReactNode, useState } from 'react'
import { IconButton } from './button'
import { classNames } from './element'
import { Field, type FieldControlProps, useField } from './field'
import styles from './field.module.css'
import { Icon, type IconName } from './icon'

export type TextFieldProps = FieldControlProps<'input'> & {
  icon?: IconName | undefined
  /** At the end of the control: a unit, a small button. */
  end?: ReactNode
}

/** A text field. Other props go to the `<input>`. */
export function TextField({ icon, end, ...props }: TextFieldProps) {
  const { frame, control } = useField(props)
  return (
    <Field {...frame}>
      <div className={styles.adorned}>
        {icon && (
          <span className={styles.adornmentStart}>
            <Icon name={icon} size="m" />
          </span>
        )}
        <input
          type="text"
          {...control}
          className={classNames(styles.control, icon && styles.withStart, Boolean(end) && styles.withEnd)}
        />
        {end && <span className={styles.adornmentEnd}>{end}</span>}
      </div>
    </Field>
  )
}

/** A multi-line text field. */
export function TextArea({ rows = 4, ...props }: FieldControlProps<'textarea'>) {
  const { frame, control } = useField(props)
  return (
    <Field {...frame}>
      <textarea {...control} rows={rows} className={styles.control} />
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

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
  labels: { show: string; hide: string }
  /** `new-password` where a new password is set. */
  autoComplete?: 'current-password' | 'new-password' | undefined
  /** Content below the control, such as a PasswordMeter. */
  children?: ReactNode
}

/** A password field with a button that shows the password. */
export function PasswordField({ labels, autoComplete = 'current-password', children, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <div>
      <TextField
        {...field}
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        end={
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            label={shown ? labels.hide : labels.show}
            size="s"
            onClick={() => setShown(!shown)}
          />
        }
      />
      {children}
    </div>
  )
}
