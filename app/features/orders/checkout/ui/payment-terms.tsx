import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import byMethodStyles from './by-method.module.css'
import refundTermsStyles from './refund-terms.module.css'

/** Text for each method. CSS shows that of the chosen one, also without JavaScript. */
function ByMethod({ card, bank }: { card: ReactNode; bank: ReactNode }) {
  return (
    <>
      <span className={byMethodStyles.card}>{card}</span>
      <span className={byMethodStyles.bank}>{bank}</span>
    </>
  )
}

interface MethodLabels {
  label: ReactNode
  hint: ReactNode
}

/** The label and description of a payment method. */
export function useMethodLabels(): (method: PaymentMethod) => MethodLabels {
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

/** The refund amount and period, with the store's policy below. */
export function RefundTerms({ total }: { total: Money }) {
  const format = useFormat()
  const { order, languages } = useSiteSettings()
  const { refundPolicy, refundDays } = order
  if (total.amount === 0) return null
  return (
    <section className={refundTermsStyles.terms} aria-labelledby="refund">
      <Icon name="retry" size="m" />
      <div>
        <h2 id="refund" className={refundTermsStyles.title}>
          <Trans>
            {format.money(total)} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t
            started watching.
          </Trans>
        </h2>
        <p className={refundTermsStyles.text}>
          <Trans>
            Titles, and the parts of a series or course, are refunded separately. What you haven’t opened can still be
            refunded.
          </Trans>{' '}
          <ByMethod
            card={<Trans>Refunds go to your card as soon as you request them.</Trans>}
            bank={<Trans>Our team reviews your request, then sends the money to your bank account.</Trans>}
          />
        </p>
        {refundPolicy.text && (
          <details className={refundTermsStyles.policy}>
            <summary>
              <Trans>Full refund policy</Trans>
            </summary>
            <p lang={languages['order.refundPolicy.text']} dir="auto">
              {refundPolicy.text}
            </p>
          </details>
        )}
      </div>
    </section>
  )
}

/** Explains what happens after the button is pressed. */
export function NextStepNote() {
  return (
    <ByMethod
      card={<Trans>Next, you’ll enter your card details with our payment provider. You can still cancel there.</Trans>}
      bank={<Trans>Next, you’ll see the account to transfer to. You aren’t charged until you make the transfer.</Trans>}
    />
  )
}
