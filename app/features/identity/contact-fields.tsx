import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { usePhoneField } from '~/platform/forms/use-phone-field'
import { TextField } from '~/ui/text-field'

interface ContactFieldProps {
  value: string
  onChange: (value: string) => void
  error: ReactNode
}

/** The optional field of a person's name. */
export function NameField({ value, onChange, error }: ContactFieldProps) {
  return (
    <TextField
      name="name"
      autoComplete="name"
      dir="auto"
      label={<Trans>Name</Trans>}
      optional={<Trans>optional</Trans>}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={error}
    />
  )
}

/** The optional field of a person's phone number. */
export function PhoneField({ value, onChange, error }: ContactFieldProps) {
  const phone = usePhoneField()
  return (
    <TextField
      label={<Trans>Phone</Trans>}
      optional={<Trans>optional</Trans>}
      {...phone.input(value, onChange)}
      error={error}
    />
  )
}
