import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { CardId } from '#contract/ids.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { cardsQuery, useCardLabels } from '~/features/billing/cards.functions'
import { useBeginPayment } from '~/features/billing/use-begin-payment'
import { PaymentProblem } from '~/parts/refusal'
import { call } from '~/platform/api/call'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Checkbox, RadioGroup } from '~/ui/choice'
import { trialDaysOf } from '../plans.functions'
import { beginSubscription, refreshSubscription } from '../subscription.functions'
import { isOutdated, subscribeProblem } from '../subscription-labels'
import styles from './plan-payment-page.module.css'

/** The form shows these failures itself, without a toast. */
const handledInline = [0, 400, 403, 404, 409, 422, 429, 500, 502, 503, 504]

function useSubscribe(firstKey: string) {
  const queryClient = useQueryClient()
  return useBeginPayment<{ plan: Plan; cardId: CardId | undefined }>({
    firstKey,
    begin: ({ plan, cardId }, idempotencyKey) =>
      call(
        (signal) =>
          beginSubscription({
            data: {
              idempotencyKey,
              planId: plan.id,
              price: plan.price,
              trialDays: trialDaysOf(plan),
              ...(cardId && { cardId }),
            },
            signal,
          }),
        { expected: handledInline },
      ),
    isOutdated,
    refresh: () => refreshSubscription(queryClient),
  })
}

interface Props {
  plan: Plan
  idempotencyKey: string
  problem: string | undefined
}

/** Card, consent and pay button. Works as a POST form without JavaScript. */
export function SubscribeForm({ plan, idempotencyKey: initialKey, problem: initialProblem }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const cardLabels = useCardLabels()
  const { data } = useSuspenseQuery(cardsQuery)
  const { start: subscribe, idempotencyKey, locked, problem = initialProblem } = useSubscribe(initialKey)
  const [consentMissing, setConsentMissing] = useState(false)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  const cards = data.items.filter(({ expiry }) => expiry !== 'PAST')
  const trial = trialDaysOf(plan) > 0
  const price = format.money(plan.price)
  const zeroAmount = format.money({ ...plan.price, amount: 0 })
  const firstCharge = format.date(plan.ifStartedNow.firstChargeAt)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (locked) return
    const fields = new FormData(event.currentTarget)
    const agreed = fields.get('consent') !== null
    setConsentMissing(!agreed)
    if (!agreed) return event.currentTarget.querySelector<HTMLInputElement>('[name=consent]')?.focus()
    subscribe({ plan, cardId: cards.find(({ id }) => id === fields.get('card'))?.id })
  }

  return (
    <form method="post" className={styles.form} onSubmit={submit} noValidate>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <input type="hidden" name="planId" value={plan.id} />
      <input type="hidden" name="amount" value={plan.price.amount} />
      <input type="hidden" name="currency" value={plan.price.currency} />
      <input type="hidden" name="trialDays" value={trialDaysOf(plan)} />
      <RadioGroup
        cards
        required
        name="card"
        legend={<span className={styles.heading}>{t`Payment method`}</span>}
        defaultValue={cards[0]?.id ?? 'new'}
        options={[
          ...cards.map((card) => ({
            value: card.id,
            label: cardLabels.spoken(card),
            hint:
              cardLabels.expiry(card) === null
                ? undefined
                : card.expiry === 'SOON'
                  ? t`Expires ${cardLabels.expiry(card)}. Replace it soon.`
                  : t`Expires ${cardLabels.expiry(card)}`,
          })),
          {
            value: 'new',
            label: cards.length > 0 ? t`Another card` : t`Card`,
            hint: t`You’ll enter your card details on our payment provider’s page. We never see the full number.`,
          },
        ]}
      />
      <Checkbox
        name="consent"
        required
        label={
          trial ? (
            plan.cycle === 'MONTH' ? (
              <Trans>
                I agree that my card will be charged {price} on {firstCharge}, when the free trial ends, and {price}{' '}
                each month after that until I cancel.
              </Trans>
            ) : (
              <Trans>
                I agree that my card will be charged {price} on {firstCharge}, when the free trial ends, and {price}{' '}
                each year after that until I cancel.
              </Trans>
            )
          ) : plan.cycle === 'MONTH' ? (
            <Trans>I agree that my card will be charged {price} today and each month after that until I cancel.</Trans>
          ) : (
            <Trans>I agree that my card will be charged {price} today and each year after that until I cancel.</Trans>
          )
        }
        error={consentMissing ? t`Agree to this to continue.` : undefined}
        onChange={() => setConsentMissing(false)}
      />
      <div ref={alert}>
        {problem && (
          <PaymentProblem
            className={styles.problem}
            code={problem}
            message={subscribeProblem(problem)}
            link={
              problem === 'SUBSCRIBED_ALREADY' && (
                <Link to="/mypages/subscription">
                  <Trans>View subscription</Trans>
                </Link>
              )
            }
          />
        )}
      </div>
      <div className={styles.bar}>
        <Button type="submit" variant="primary" size="l" full loading={locked} icon="lock">
          {trial ? <Trans>Start free trial, {zeroAmount} today</Trans> : <Trans>Pay {price} and subscribe</Trans>}
        </Button>
        <p className={styles.next}>
          <Trans>You’ll add a new card on our payment provider’s page. You can still cancel there.</Trans>
        </p>
      </div>
    </form>
  )
}
