import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { passwordStrength } from '#contract/password-strength.ts'
import { PasswordMeter } from '~/ui/password-meter'
import { PasswordField } from '../../ui/form'

interface NewPasswordFieldProps {
  name: string
  error: string | undefined
  /** The email address and the name of the person, which are easily guessed. */
  personal?: readonly string[]
}

/** A field for a new password, with what is asked of it and how well it resists guessing. */
export function NewPasswordField({ personal, ...field }: NewPasswordFieldProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  return (
    <PasswordField
      {...field}
      label={t`New password`}
      hint={t`At least 8 characters. Not your email address, and no password that many people use. A few random words are easy to remember and hard to guess.`}
      autoComplete="new-password"
      minLength={8}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    >
      <PasswordMeter
        strength={passwordStrength(typed, personal)}
        labels={{ weak: t`Weak`, medium: t`Medium`, strong: t`Strong`, empty: t`Enter a password` }}
      />
    </PasswordField>
  )
}
