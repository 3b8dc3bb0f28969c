import { Trans, useLingui } from '@lingui/react/macro'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { TextField } from '~/ui/text-field'
import styles from './order-forms.module.css'

export type AccountFault = 'bank' | 'number' | 'holder'

const number = /^[\d -]{6,40}$/

/** The values of the refund account's fields, and the invalid ones. */
export function readRefundAccount(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const account = { bank: text('bank'), number: text('number'), holder: text('holder') }
  const faults: AccountFault[] = []
  if (!account.bank) faults.push('bank')
  if (!number.test(account.number)) faults.push('number')
  if (!account.holder) faults.push('holder')
  return { account, faults }
}

/** The account for refunds of bank payments. */
export function RefundAccountFields({ faults }: { faults: readonly AccountFault[] }) {
  const { t } = useLingui()
  const accountErrors = useFieldErrors('refundAccount')
  const bank = useFieldErrors('refundAccount.bank')
  const digits = useFieldErrors('refundAccount.number')
  const holder = useFieldErrors('refundAccount.holder')
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>
        <Trans>Refund account</Trans>
      </legend>
      <TextField
        name="bank"
        label={t`Bank`}
        required
        maxLength={60}
        autoComplete="off"
        error={faults.includes('bank') ? t`Enter the bank name.` : (bank[0] ?? accountErrors[0])}
      />
      <TextField
        name="number"
        label={t`Account number`}
        required
        inputMode="numeric"
        maxLength={40}
        autoComplete="off"
        dir="ltr"
        error={faults.includes('number') ? t`Enter at least six digits. Spaces and hyphens are OK.` : digits[0]}
      />
      <TextField
        name="holder"
        label={t`Account holder`}
        required
        maxLength={80}
        autoComplete="name"
        error={faults.includes('holder') ? t`Enter the account holder’s name.` : holder[0]}
      />
    </fieldset>
  )
}
