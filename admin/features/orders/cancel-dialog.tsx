import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { depositChanges } from './deposits.queries'

interface CancelDialogProps {
  order: StoreOrder
  onClose: () => void
}

/** Cancels an order that waits for its deposit. */
export function CancelDialog({ order: { code, version }, onClose }: CancelDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const cancel = useWrite(
    ({ reason = '' }: Texts) => api.admin.orders.cancel({ code, reason }, { context: { ifMatch: version } }),
    { done: t`Order canceled`, changes: depositChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Cancel {code}?</Trans>}
      action={<Trans>Cancel order</Trans>}
      variant="danger"
      writes={[cancel]}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => cancel.send(texts))}>
          <p>
            <Trans>
              The account for the deposit is closed, and the member gets an email. Money that still arrives is listed
              under Deposits, to be returned.
            </Trans>
          </p>
          <ReasonField failure={cancel.failure} />
          <WriteRefusal failure={cancel.failure} queryKey={['order', code]} onLoaded={cancel.reset} />
        </form>
      )}
    </FormDialog>
  )
}
