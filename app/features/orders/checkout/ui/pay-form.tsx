import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { useBeginPayment } from '~/features/billing/use-begin-payment'
import { cartQuery } from '~/features/orders/cart/cart.functions'
import { PaymentProblem } from '~/parts/refusal'
import { call } from '~/platform/api/call'
import { refusalMessages } from '~/platform/api/failures'
import { useFormat } from '~/platform/format/use-format'
import { useDraft } from '~/platform/session/session-change'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Checkbox, RadioGroup } from '~/ui/choice'
import type { IconName } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { type CheckoutLine, payOrder } from '../checkout.functions'
import styles from './pay-form.module.css'
import { NextStepNote, RefundTerms, useMethodLabels } from './payment-terms'

const cartChanged = msg`Your cart was updated elsewhere. You haven’t been charged. This is the latest version.`

/** The message of a payment that did not begin, by problem code. */
const checkoutProblem = refusalMessages({
  byCode: {
    PRICE_CHANGED: msg`A price changed while you were checking out. You haven’t been charged. Review the new total before you pay.`,
    CART_CHANGED: cartChanged,
    NOT_FOUND: cartChanged,
    IDEMPOTENCY_KEY_REUSED: cartChanged,
    ALREADY_OWNED: msg`You already own one of these titles, so it was removed. You haven’t been charged.`,
    INCLUDED_IN_PLAN: msg`Your plan includes one of these titles, so it was left out. You haven’t been charged.`,
    GONE: msg`A title is no longer available and was removed. You haven’t been charged.`,
    NOT_READY: msg`One of these titles isn’t available yet, so it was left out. You haven’t been charged.`,
    ORDER_NOT_PAYABLE: msg`This order is already closed. Check your orders, or select the button to place a new one.`,
    IDEMPOTENCY_IN_FLIGHT: msg`Your payment is already being processed. Wait a moment.`,
    VALIDATION_FAILED: msg`The terms have changed. Review them before you pay.`,
    CONSENT_MISSING: msg`Agree to the terms to continue.`,
  },
  unreachable: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  otherwise: msg`We couldn’t start the payment. You haven’t been charged. Try again in a moment.`,
})

/** The shown items or prices are out of date: load them again and use a new idempotency key. */
const outdatedCodes: readonly string[] = [
  'PRICE_CHANGED',
  'CART_CHANGED',
  'NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'ALREADY_OWNED',
  'INCLUDED_IN_PLAN',
  'GONE',
  'NOT_READY',
  'ORDER_NOT_PAYABLE',
  'DEPOSIT_OPEN',
  'VALIDATION_FAILED',
]

interface Payment {
  method: PaymentMethod
  lines: readonly CheckoutLine[]
  total: Money
  refundPolicyVersion: string
}

/** Statuses whose errors are shown beside the button. */
const handledInline = [0, 400, 404, 409, 410, 422, 429, 500, 502, 503, 504]

function usePay(firstKey: string) {
  const queryClient = useQueryClient()
  return useBeginPayment<Payment>({
    firstKey,
    begin: ({ method, lines, total, refundPolicyVersion }, idempotencyKey) => {
      const ids = lines.flatMap(({ cartItemId }) => cartItemId ?? [])
      const [first] = lines
      const items =
        ids.length > 0
          ? { cartItemIds: ids }
          : first && { buyNow: { productId: first.product.id, optionId: first.option.id } }
      const place = { ...items, expectedTotal: total, refundPolicyVersion }
      return call((signal) => payOrder({ data: { idempotencyKey, method, place }, signal }), {
        expected: handledInline,
      })
    },
    isOutdated: (code) => outdatedCodes.includes(code),
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries(cartQuery),
        queryClient.invalidateQueries({ queryKey: ['product-to-buy'] }),
        queryClient.invalidateQueries({ queryKey: ['site-settings'] }),
      ]),
    onBack: () => void queryClient.invalidateQueries(cartQuery),
  })
}

interface Props {
  idempotencyKey: string
  lines: readonly CheckoutLine[]
  total: Money
  problem: string | undefined
}

/** Payment method, consent and button. A real form, so it works without JavaScript. */
export function PayForm({ idempotencyKey: firstKey, lines, total, problem: initialProblem }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const { order } = useSiteSettings()
  const { start: pay, idempotencyKey, locked, problem = initialProblem } = usePay(firstKey)
  const [consentMissing, setConsentMissing] = useState(false)
  const { methods } = order
  const [method, setMethod] = useState<PaymentMethod>(methods[0] ?? 'CARD')
  const methodLabels = useMethodLabels()
  const free = total.amount === 0
  const form = useRef<HTMLFormElement>(null)
  useDraft(form, 'checkout')
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
    <form ref={form} method="post" className={styles.form} onSubmit={submit} noValidate>
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
          <PaymentProblem
            className={styles.problem}
            code={problem}
            message={checkoutProblem(problem)}
            link={
              (problem === 'ORDER_NOT_PAYABLE' || problem === 'DEPOSIT_OPEN') && (
                <Link
                  to="/mypages/order-histories"
                  search={problem === 'DEPOSIT_OPEN' ? { status: 'DEPOSIT_WAITING' } : {}}
                >
                  <Trans>View orders</Trans>
                </Link>
              )
            }
          />
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
