import { type ReactNode, useState } from 'react'
import { IconButton } from './button'
import { classNames } from './element'
import styles from './password-meter.module.css'
import { TextField, type TextFieldProps } from './text-field'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
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

export interface PasswordMeterProps {
  /** Null for an empty password. */
  strength: 'weak' | 'medium' | 'strong' | null
  /** `empty` is shown for an empty password. */
  labels: { weak: string; medium: string; strong: string; empty: string }
}

/** Shows the strength of a new password in three steps. */
export function PasswordMeter({ strength, labels }: PasswordMeterProps) {
  return (
    <div className={classNames(styles.meter, strength && styles[strength])}>
      <span className={styles.bars} aria-hidden>
        <span className={styles.bar} />
        <span className={styles.bar} />
        <span className={styles.bar} />
      </span>
      <output className={styles.word}>{labels[strength ?? 'empty']}</output>
    </div>
  )
}
