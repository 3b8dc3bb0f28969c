import { type ReactNode, useState } from 'react'
import { IconButton } from './icon-button'
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
