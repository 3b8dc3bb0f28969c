import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button, type ButtonProps } from '~/ui/button'
import { handledInline } from '../order-labels'
import { payOrderBy } from '../orders.functions'
import { OrderProblem } from './order-notices'

interface Props {
  order: Order
  method: PaymentMethod
  variant?: ButtonProps['variant']
}

/** Pays an open order with another method. Works without script. */
export function PayWithMethod({ order, method, variant }: Props) {
  const format = useFormat()
  const { methods, usePayment } = useSiteSettings().order
  const [redirecting, setRedirecting] = useState(false)
  // A repeated press for the same payment has the same key.
  const idempotencyKey = `${order.code}-${order.payment?.id ?? 'none'}-${method.toLowerCase()}`
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call((signal) => payOrderBy({ data: { idempotencyKey, code: order.code, method }, signal }), {
        expected: [...handledInline, 422],
      }),
    onSuccess: ({ redirectUrl }) => {
      setRedirecting(true)
      window.location.assign(redirectUrl)
    },
  })
  useEffect(() => {
    // After Back from the payment page, the browser restores the old state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setRedirecting(false)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  if (!usePayment || !methods.includes(method)) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending && !redirecting) mutate()
  }
  return (
    <form method="post" action={`/mypages/order-histories/${order.code}`} onSubmit={submit}>
      <input type="hidden" name="intent" value="pay" />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <input type="hidden" name="method" value={method} />
      <OrderProblem code={error ? (problemOf(error)?.code ?? unknownError) : undefined} />
      <Button
        type="submit"
        full
        variant={variant}
        icon={method === 'CARD' ? 'card' : 'bank'}
        loading={isPending || redirecting}
      >
        {method === 'CARD' ? (
          <Trans>Pay {format.money(order.total)} by card instead</Trans>
        ) : (
          <Trans>Pay {format.money(order.total)} by bank transfer</Trans>
        )}
      </Button>
    </form>
  )
}
