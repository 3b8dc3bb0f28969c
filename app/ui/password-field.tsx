import { type ReactNode, useState } from 'react'
import { IconButton } from './button'
import { classNames } from './element'
import styles from './password-meter.module.css'
import { TextField, type TextFieldProps } from './text-field'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
  labels: { show: string; hide: string }
  /** `new-password` where one is chosen. */
  autoComplete?: 'current-password' | 'new-password' | undefined
  /** Below the control, such as a PasswordMeter. */
  children?: ReactNode
}

/** A password that can be shown. Paste and password managers work as everywhere. */
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
  /** Null while nothing was typed. */
  strength: 'weak' | 'medium' | 'strong' | null
  /** `empty` is the invitation to type. */
  labels: { weak: string; medium: string; strong: string; empty: string }
}

/** How strong a chosen password is, in three steps and a word. */
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
