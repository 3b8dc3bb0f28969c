import { Trans } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import type { Order } from '#contract/orders.ts'
import { Button } from '~/ui/button'
import { withdrawCancelRequest } from '../orders.functions'
import { useOrderWrite } from '../use-order-write'
import { OrderProblem } from './order-problem'

/** Takes a request for money back, as long as nobody has accepted it. A real form. */
export function TakeBack({ order }: { order: Order }) {
  const { write, pending, problem } = useOrderWrite({
    order,
    send: (_: undefined, __, signal) => withdrawCancelRequest({ data: { code: order.code }, signal }),
  })
  if (order.cancel.may !== 'TAKE_BACK') return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) write(undefined)
  }
  return (
    <form method="post" action={`/mypages/order-histories/${order.code}`} onSubmit={submit}>
      <input type="hidden" name="intent" value="take-back" />
      <OrderProblem code={problem} />
      <Button type="submit" loading={pending}>
        <Trans>Withdraw refund request</Trans>
      </Button>
    </form>
  )
}
