import { useLingui } from '@lingui/react/macro'
import type { Failure } from '../platform/failure'
import { useSettings } from '../platform/settings'
import { TextField } from './text-field'

interface TransferFieldsProps {
  failure: Failure | undefined
  hint: string
  dayLabel?: string
}

/** The proof of a payment: for a transfer, what the bank statement shows. */
export function TransferFields({ failure, hint, dayLabel }: TransferFieldsProps) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  // In the form of a date field: 2026-11-21.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  return (
    <>
      <TextField
        label={t`Reference`}
        hint={hint}
        name="reference"
        maxLength={200}
        autoComplete="off"
        required
        error={failure?.fields.reference}
      />
      <TextField
        label={dayLabel ?? t`Day of the transfer`}
        name="day"
        type="date"
        defaultValue={today}
        required
        error={failure?.fields.day}
      />
    </>
  )
}
