import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import { useSiteSettings } from '~/platform/shell/shell.queries'

interface MethodWords {
  label: ReactNode
  hint: ReactNode
}

/** What a way of paying is called, and what it means. */
export function useMethodWords(): (method: PaymentMethod) => MethodWords {
  const { depositHours } = useSiteSettings().order
  return (method) =>
    method === 'CARD'
      ? {
          label: <Trans>Card</Trans>,
          hint: <Trans>You enter it on the payment service's own page. This store never sees the number.</Trans>,
        }
      : { label: <Trans>Bank transfer</Trans>, hint: <TimeToPay hours={depositHours} /> }
}

function TimeToPay({ hours }: { hours: number }) {
  if (hours >= 48) {
    const days = Math.floor(hours / 24)
    return (
      <Plural
        value={days}
        one="You get an account of your own and # day to pay. What you buy is yours as soon as the money arrives."
        other="You get an account of your own and # days to pay. What you buy is yours as soon as the money arrives."
      />
    )
  }
  return (
    <Plural
      value={hours}
      one="You get an account of your own and # hour to pay. What you buy is yours as soon as the money arrives."
      other="You get an account of your own and # hours to pay. What you buy is yours as soon as the money arrives."
    />
  )
}
