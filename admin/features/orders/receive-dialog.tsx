import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreOrder } from '#contract/admin/orders.ts'
import type { OrderCode } from '#contract/ids.ts'
import { DescriptionList } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { amountOf, MoneyField, typedAmount } from '../../ui/money-field'
import { Loaded } from '../../ui/states'
import { TransferFields } from '../../ui/transfer-fields'
import { depositChanges } from './deposits.queries'
import { orderQuery } from './orders.queries'

/** A transfer that was received, with the version of the order as the form shows it. */
interface Received {
  amount: number
  texts: Texts
  version: string
}

const useReceive = (code: OrderCode, onClose: () => void) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  return useWrite(
    ({ amount, texts: { reference = '', day = '', reason }, version }: Received) =>
      api.admin.deposits.receive(
        { code, amount, reference, day, ...(reason && { reason }) },
        { context: { ifMatch: version, idempotencyKey } },
      ),
    { done: t`The order is paid`, changes: depositChanges, onClose },
  )
}

interface ReceiveFormProps {
  order: StoreOrder
  formId: string
  receive: ReturnType<typeof useReceive>
}

/** What another amount than the order's leads to. */
function Difference({ order, amount }: { order: StoreOrder; amount: number }) {
  const { money } = useFormat()
  const { currency } = order.total
  return (
    <Notice tone="warning">
      {amount < order.total.amount ? (
        <Trans>The order will cost {money({ amount, currency })}: refunds cannot exceed it.</Trans>
      ) : (
        <Trans>{money({ amount: amount - order.total.amount, currency })} is to be returned to the member.</Trans>
      )}
    </Notice>
  )
}

function ReceiveForm({ order, formId, receive }: ReceiveFormProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const { code, total, version, member, items } = order
  const [typed, setTyped] = useState(typedAmount(total.amount, total.currency))
  const amount = amountOf(typed, total.currency)
  const isOther = amount > 0 && amount !== total.amount
  return (
    <form id={formId} className={form.form} onSubmit={onSubmit((texts) => receive.send({ amount, texts, version }))}>
      <DescriptionList
        rows={[
          { key: 'member', term: t`Member`, value: <bdi>{member ? `${member.name} ${member.email}` : '–'}</bdi> },
          { key: 'titles', term: t`Titles`, value: <bdi>{items.map(({ title }) => title).join(', ')}</bdi> },
          { key: 'total', term: t`Total`, value: money(total) },
        ]}
      />
      <MoneyField
        currency={total.currency}
        label={t`Amount received`}
        min={typedAmount(1, total.currency)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        required
        error={receive.failure?.fields.amount}
      />
      <TransferFields
        failure={receive.failure}
        hint={t`The depositor’s name or the number on the bank statement. Each transfer counts once.`}
      />
      {isOther && (
        <>
          <Difference order={order} amount={amount} />
          <ReasonField failure={receive.failure} />
        </>
      )}
      <WriteRefusal failure={receive.failure} queryKey={['order', code]} onLoaded={receive.reset} />
    </form>
  )
}

/** Marks an order as paid by a transfer, with its proof. */
export function ReceiveDialog({ code, onClose }: { code: OrderCode; onClose: () => void }) {
  const receive = useReceive(code, onClose)
  const order = useQuery(orderQuery(useAdminApi(), code))
  return (
    <FormDialog
      title={<Trans>Mark {code} as paid</Trans>}
      action={<Trans>Mark as paid</Trans>}
      writes={[receive]}
      isDisabled={!order.data}
      onClose={onClose}
    >
      {(formId) => (
        <Loaded query={order}>{(data) => <ReceiveForm order={data} formId={formId} receive={receive} />}</Loaded>
      )}
    </FormDialog>
  )
}
