import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { cancelRequest } from '#contract/billing.ts'
import type { OrderItemId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextArea } from '~/ui/text-field'
import { requestCancel } from '../orders.functions'
import { useOrderMutation } from '../use-order-mutation'
import { CancelItems, calculateRefund, cancelItems } from './cancel-items'
import styles from './order-forms.module.css'
import { OrderProblem } from './order-notices'
import { type AccountFault, RefundAccountFields, readRefundAccount } from './refund-account-fields'
import { RefundState } from './refund-state'

type CancelRequest = z.output<typeof cancelRequest>

interface Props {
  order: Order
  /** Made with the page, where the form is sent without script. */
  idempotencyKey?: string | undefined
  /** Called after success, for example to close the modal. */
  onClose?: (() => void) | undefined
}

/**
 * Cancels an order or requests a refund. Shows items, amount and who decides before it is sent.
 * Works without script.
 */
export function CancelForm({ order, idempotencyKey: firstKey, onClose }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const { mutate, idempotencyKey, pending, done, problem } = useOrderMutation({
    order,
    firstKey,
    send: (request: Omit<CancelRequest, 'code'>, named, signal) =>
      requestCancel({ data: { idempotencyKey: named, request: { code: order.code, ...request } }, signal }),
  })
  const [chosen, setChosen] = useState<ReadonlySet<OrderItemId>>(() => new Set(order.cancel.itemIds))
  const [faults, setFaults] = useState<readonly AccountFault[]>([])
  const [nothingChosen, setNothingChosen] = useState(false)
  const [reasonError] = useFieldErrors('reason')
  const form = useRef<HTMLFormElement>(null)
  const reasons = useReasons()
  const [written, setWritten] = useState(false)
  useDirtyForm(written && !pending && !done)

  const { action, needsAccount } = order.cancel
  // The state is shown once the order says so, while other queries load again. It takes the focus
  // then, and not later from a button in it.
  if (done || (action !== 'REFUND' && action !== 'DEPOSIT'))
    return <RefundState order={done ?? order} onClose={onClose} arrived={Boolean(done) || pending} />

  const deposit = action === 'DEPOSIT'
  const { itemIds, amount, automatic } = calculateRefund(order, chosen)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const fields = new FormData(event.currentTarget)
    const reasonParts = [fields.get('reason'), fields.get('more')].map((part) => String(part ?? '').trim())
    const reason = reasonParts.filter(Boolean).join('\n')
    if (deposit) return mutate({ reason })
    const { account, faults: newFaults } = needsAccount ? readRefundAccount(fields) : { account: undefined, faults: [] }
    setFaults(newFaults)
    setNothingChosen(itemIds.length === 0)
    if (itemIds.length === 0) return
    if (newFaults[0]) return form.current?.querySelector<HTMLInputElement>(`[name=${newFaults[0]}]`)?.focus()
    mutate({ reason, itemIds, refundAccount: account, expectedAmount: amount })
  }

  return (
    <form
      ref={form}
      method="post"
      action={`/mypages/order-histories/${order.code}`}
      className={styles.form}
      onSubmit={submit}
      onChange={() => setWritten(true)}
      noValidate
    >
      <input type="hidden" name="intent" value="cancel" />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {deposit ? (
        <p className={styles.soft}>
          <Trans>
            You haven’t paid yet. Canceling closes this order and its account number. If you’ve already sent the money,
            wait until it arrives.
          </Trans>
        </p>
      ) : (
        <>
          <CancelItems
            items={cancelItems(order)}
            chosen={chosen}
            onChosen={(next) => {
              setChosen(next)
              setNothingChosen(false)
            }}
            error={nothingChosen ? t`Select at least one title.` : undefined}
          />
          <p className={styles.amount}>
            <span>
              <Trans>Refund amount</Trans>
            </span>
            <output>{format.money(amount)}</output>
          </p>
          <ReviewNotice order={order} automatic={automatic} />
        </>
      )}
      <Select name="reason" label={t`Reason`} options={reasons} error={reasonError} />
      <TextArea name="more" label={t`Tell us more`} optional={t`optional`} rows={2} maxLength={400} />
      {!deposit && needsAccount && <RefundAccountFields faults={faults} />}
      <OrderProblem code={problem} />
      <Button type="submit" variant={deposit ? 'danger' : 'primary'} full loading={pending}>
        {deposit ? (
          <Trans>Cancel order</Trans>
        ) : automatic ? (
          <Trans>Refund {format.money(amount)} now</Trans>
        ) : (
          <Trans>Request refund of {format.money(amount)}</Trans>
        )}
      </Button>
    </form>
  )
}

/** Explains whether the refund is automatic or needs a decision, and what happens meanwhile. */
function ReviewNotice({ order, automatic }: { order: Order; automatic: boolean }) {
  if (automatic) {
    return (
      <Notice tone="success">
        <Trans>The refund goes to your card right away. Your bank may take a few days to show it.</Trans>
      </Notice>
    )
  }
  return (
    <Notice tone="info">
      {order.method === 'BANK' ? (
        <Trans>
          Our team will review your request, then send the money to your account. You can’t open these titles in the
          meantime.
        </Trans>
      ) : (
        <Trans>
          Something was opened or the refund period has ended, so our team will review your request. You can’t open
          these titles in the meantime.
        </Trans>
      )}
    </Notice>
  )
}

/** Suggested reasons. The form sends their text, which the operator reads. */
function useReasons() {
  const { t } = useLingui()
  return [
    t`I changed my mind`,
    t`I ordered by mistake`,
    t`It’s not what I expected`,
    t`It doesn’t work`,
    t`Other reason`,
  ].map((label) => ({ value: label, label }))
}
