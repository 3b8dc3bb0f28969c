import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { StoreOrder } from '#contract/admin/orders.ts'
import type { OrderCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { Loaded } from '../../ui/states'
import { depositChanges } from './deposits.queries'
import { orderQuery } from './orders.queries'

/** What undoing the payment of an order leads to. */
function Consequences({ order: { items } }: { order: StoreOrder }) {
  const isOpened = items.some(({ openedAt }) => openedAt !== null)
  return (
    <Notice tone="warning">
      <p>
        <Trans>
          The order waits for its payment again, at the price it was placed for. The member loses access at once and
          gets an email.
        </Trans>
      </p>
      {isOpened && (
        <p>
          <Trans>The member has already watched or downloaded a title of it.</Trans>
        </p>
      )}
    </Notice>
  )
}

/** Undoes a payment that staff marked or matched by mistake. */
export function UndoDialog({ code, onClose }: { code: OrderCode; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const order = useQuery(orderQuery(api, code))
  const undo = useWrite(
    ({ reason = '' }: Texts) => {
      if (!order.data) throw new Error('The order is not loaded')
      return api.admin.deposits.undo({ code, reason }, { context: { ifMatch: order.data.version, idempotencyKey } })
    },
    { done: t`The payment is undone`, changes: depositChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Undo the payment of {code}</Trans>}
      action={<Trans>Undo payment</Trans>}
      variant="danger"
      writes={[undo]}
      isDisabled={!order.data}
      onClose={onClose}
    >
      {(formId) => (
        <Loaded query={order}>
          {(data) => (
            <form id={formId} className={form.form} onSubmit={onSubmit((texts) => undo.send(texts))}>
              <Consequences order={data} />
              <ReasonField failure={undo.failure} />
              <WriteRefusal failure={undo.failure} queryKey={['order', code]} onLoaded={undo.reset} />
            </form>
          )}
        </Loaded>
      )}
    </FormDialog>
  )
}
