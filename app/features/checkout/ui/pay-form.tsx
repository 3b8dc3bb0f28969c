import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Checkbox, RadioGroup } from '~/ui/choice'
import { Icon, type IconName } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import type { CheckoutLine } from '../checkout-lines'
import { checkoutProblem, usePay } from '../use-pay'
import byMethodStyles from './by-method.module.css'
import styles from './pay-form.module.css'
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
function useMethodLabels(): (method: PaymentMethod) => MethodLabels {
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
function RefundTerms({ total }: { total: Money }) {
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
          <Trans>Each title is refunded separately. Titles you haven’t opened can still be refunded.</Trans>{' '}
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

interface Props {
  idempotencyKey: string
  lines: readonly CheckoutLine[]
  total: Money
  problem: string | undefined
}

/** Payment method, consent and button. A real form, so it works without JavaScript. */
export function PayForm({ idempotencyKey: firstKey, lines, total, problem: sentBack }: Props) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const { order } = useSiteSettings()
  const { pay, idempotencyKey, locked, problem = sentBack } = usePay(firstKey)
  const [consentMissing, setConsentMissing] = useState(false)
  const { methods } = order
  const [method, setMethod] = useState<PaymentMethod>(methods[0] ?? 'CARD')
  const methodLabels = useMethodLabels()
  const free = total.amount === 0
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  if (!free && (methods.length === 0 || !order.usePayment)) {
    return (
      <Notice tone="warning">
        <Trans>This store isn’t accepting payments right now.</Trans>
      </Notice>
    )
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (locked) return
    const fields = new FormData(event.currentTarget)
    const agreed = fields.get('consent') !== null
    setConsentMissing(!agreed)
    if (!agreed) return event.currentTarget.querySelector<HTMLInputElement>('[name=consent]')?.focus()
    pay({ method, lines, total, refundPolicyVersion: order.refundPolicy.version })
  }
  const buyNow = lines[0] && !lines[0].cartItemId ? lines[0] : undefined

  return (
    <form method="post" className={styles.form} onSubmit={submit} noValidate>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <input type="hidden" name="refundPolicyVersion" value={order.refundPolicy.version} />
      <input type="hidden" name="amount" value={total.amount} />
      <input type="hidden" name="currency" value={total.currency} />
      {buyNow && <input type="hidden" name="productId" value={buyNow.product.id} />}
      {buyNow && <input type="hidden" name="optionId" value={buyNow.option.id} />}
      {lines.map(({ cartItemId }) =>
        cartItemId ? <input key={cartItemId} type="hidden" name="cartItemIds" value={cartItemId} /> : null,
      )}
      {free ? (
        <input type="hidden" name="method" value="CARD" />
      ) : (
        <RadioGroup
          cards
          required
          name="method"
          legend={<span className={styles.heading}>{t`Payment method`}</span>}
          value={method}
          onValueChange={setMethod}
          options={methods.map((value) => ({ value, ...methodLabels(value) }))}
        />
      )}
      <RefundTerms total={total} />
      <Checkbox
        name="consent"
        required
        label={
          <Trans>
            I agree that my purchase is available immediately, and that I lose my right to a refund for any part I start
            watching or downloading.
          </Trans>
        }
        error={consentMissing ? t`Agree to this to continue.` : undefined}
        onChange={() => setConsentMissing(false)}
      />
      <div ref={alert}>
        {problem && (
          <Notice tone="danger" urgent className={styles.problem}>
            {i18n._(checkoutProblem(problem))}
            {problem === 'BUYER_DETAILS_MISSING' && (
              <>
                {' '}
                <Link className={styles.link} to="/mypages/profile">
                  <Trans>Edit profile</Trans>
                </Link>
              </>
            )}
            {(problem === 'ORDER_NOT_PAYABLE' || problem === 'DEPOSIT_OPEN') && (
              <>
                {' '}
                <Link
                  className={styles.link}
                  to="/mypages/order-histories"
                  search={problem === 'DEPOSIT_OPEN' ? { status: 'DEPOSIT_WAITING' } : {}}
                >
                  <Trans>View orders</Trans>
                </Link>
              </>
            )}
          </Notice>
        )}
      </div>
      <div className={styles.bar}>
        <Button type="submit" variant="primary" size="l" full loading={locked} icon={free ? undefined : icons[method]}>
          {free ? <Trans>Get for free</Trans> : <Trans>Pay {format.money(total)}</Trans>}
        </Button>
        <p className={styles.next}>{free ? <Trans>You won’t be charged.</Trans> : <NextStepNote />}</p>
      </div>
    </form>
  )
}

const icons = { CARD: 'lock', BANK: 'bank' } as const satisfies Record<PaymentMethod, IconName>

/** Explains what happens after the button is pressed. */
function NextStepNote() {
  return (
    <ByMethod
      card={<Trans>Next, you’ll enter your card details with our payment provider. You can still cancel there.</Trans>}
      bank={<Trans>Next, you’ll see the account to transfer to. You aren’t charged until you make the transfer.</Trans>}
    />
  )
}
