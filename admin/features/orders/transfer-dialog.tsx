import { Trans, useLingui } from '@lingui/react/macro'
import type { MoneyToReturn } from '#contract/admin/deposits.ts'
import { DescriptionList } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { TransferFields } from '../../ui/transfer-fields'
import { depositChanges } from './deposits.queries'

type Unapplied = MoneyToReturn['unapplied'][number]
type Refund = MoneyToReturn['refunds'][number]

interface TransferDialogProps {
  /** An unapplied payment has an id. */
  transfer: Unapplied | Refund
  onClose: () => void
}

/** Records that staff have transferred money back to a member. */
export function TransferDialog({ transfer, onClose }: TransferDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const { code, amount, account, member } = transfer
  const record = useWrite(
    ({ reference = '', day = '' }: Texts) => {
      const entry = { reference, day }
      const options = { context: { idempotencyKey } }
      return 'id' in transfer
        ? api.admin.deposits.recordReturn({ id: transfer.id, ...entry }, options)
        : api.admin.deposits.recordRefund({ code, ...entry }, options)
    },
    { done: t`Transfer recorded`, changes: depositChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Record the return of {money(amount)}</Trans>}
      action={<Trans>Record transfer</Trans>}
      writes={[record]}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => record.send(texts))}>
          <p>
            <Trans>Transfer the money at your bank first; this only records it. The member is notified by email.</Trans>
          </p>
          {'paidOutBy' in transfer && transfer.paidOutBy === 'PROVIDER' && (
            <Notice tone="warning">
              <Trans>
                As soon as the member gives an account, the payment provider pays this refund out to it. Record your
                transfer without delay, so that nothing is paid twice.
              </Trans>
            </Notice>
          )}
          <DescriptionList
            rows={[
              { key: 'order', term: t`Order`, value: code },
              { key: 'member', term: t`Member`, value: <bdi>{member?.email ?? '–'}</bdi> },
              ...(account
                ? [
                    { key: 'bank', term: t`Bank`, value: <bdi>{account.bank}</bdi> },
                    { key: 'number', term: t`Account number`, value: <bdi>{account.number}</bdi> },
                    { key: 'holder', term: t`Account holder`, value: <bdi>{account.holder}</bdi> },
                  ]
                : []),
            ]}
          />
          <TransferFields failure={record.failure} hint={t`As your bank shows the outgoing transfer.`} />
          <Refusal failure={record.failure} />
        </form>
      )}
    </FormDialog>
  )
}
