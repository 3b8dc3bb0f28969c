import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { TextField } from '~/ui/text-field'

interface CodeConfirmationProps {
  /** The code that has to be typed. */
  code: string
  typed: string
  onType: (typed: string) => void
  hint?: ReactNode
  error?: string | undefined
}

/** The field in which a store’s code is typed before what concerns the whole store. */
export function CodeConfirmation({ code, typed, onType, hint, error }: CodeConfirmationProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Type ${code} to confirm`}
      hint={hint}
      value={typed}
      onChange={({ target }) => onType(target.value)}
      autoComplete="off"
      autoCapitalize="none"
      dir="ltr"
      required
      error={error}
    />
  )
}
