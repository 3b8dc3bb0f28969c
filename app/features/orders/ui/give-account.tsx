import { Trans } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import type { Order, RefundAccount } from '#contract/orders.ts'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { setRefundAccount } from '../orders.functions'
import { useOrderWrite } from '../use-order-write'
import styles from './order-forms.module.css'
import { OrderProblem } from './order-problem'
import { type AccountFault, RefundAccountFields, readRefundAccount } from './refund-account-fields'

/** Asks for the account that money waits to go back to. A real form. */
export function GiveAccount({ order, attempt: firstAttempt }: { order: Order; attempt: string }) {
  const [faults, setFaults] = useState<readonly AccountFault[]>([])
  const { write, attempt, pending, done, problem } = useOrderWrite({
    order,
    firstAttempt,
    send: (refundAccount: RefundAccount, named, signal) =>
      setRefundAccount({ data: { attempt: named, account: { code: order.code, refundAccount } }, signal }),
  })
  const [written, setWritten] = useState(false)
  useDirtyForm(written && !pending && !done)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { account, faults: found } = readRefundAccount(new FormData(event.currentTarget))
    setFaults(found)
    if (found[0]) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${found[0]}]`)?.focus()
    if (!pending) write(account)
  }
  return (
    <Card className={styles.ask}>
      <form
        method="post"
        action={`/mypages/order-histories/${order.code}`}
        className={styles.form}
        onSubmit={submit}
        onChange={() => setWritten(true)}
        noValidate
      >
        <input type="hidden" name="intent" value="account" />
        <input type="hidden" name="attempt" value={attempt} />
        <Notice tone="warning">
          <Trans>You have a refund waiting. Tell us where to send it.</Trans>
        </Notice>
        <RefundAccountFields faults={faults} />
        <OrderProblem code={problem} />
        <Button type="submit" variant="primary" loading={pending}>
          <Trans>Send the refund to this account</Trans>
        </Button>
      </form>
    </Card>
  )
}
