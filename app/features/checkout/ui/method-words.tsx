import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import { useSiteSettings } from '~/platform/shell/shell.functions'

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
          hint: (
            <Trans>You’ll enter your card details on our payment provider’s page. We never see the full number.</Trans>
          ),
        }
      : { label: <Trans>Bank transfer</Trans>, hint: <TimeToPay hours={depositHours} /> }
}

function TimeToPay({ hours }: { hours: number }) {
  if (hours >= 48) {
    const days = Math.floor(hours / 24)
    return (
      <Plural
        value={days}
        one="You’ll get a dedicated account number and have # day to pay. Your titles are available as soon as your transfer arrives."
        other="You’ll get a dedicated account number and have # days to pay. Your titles are available as soon as your transfer arrives."
      />
    )
  }
  return (
    <Plural
      value={hours}
      one="You’ll get a dedicated account number and have # hour to pay. Your titles are available as soon as your transfer arrives."
      other="You’ll get a dedicated account number and have # hours to pay. Your titles are available as soon as your transfer arrives."
    />
  )
}
