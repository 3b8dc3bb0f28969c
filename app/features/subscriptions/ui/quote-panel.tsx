import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Plan, Quote } from '#contract/subscriptions.ts'
import { Refusal } from '~/parts/refusal'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFormat, useSecondsLeft } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Checkbox } from '~/ui/choice'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { SkeletonText } from '~/ui/skeleton'
import { usePlanLabels } from '../plans.functions'
import { quoteQuery } from '../subscription.functions'
import { subscribeProblem } from '../subscription-labels'
import { IntentForm, type SubscriptionMutations } from './subscription-mutations'
import styles from './subscription-page.module.css'

interface Props {
  plan: Plan
  /** Whether the trial is still running. */
  trial: boolean
  mutations: SubscriptionMutations
}

/** The quote of a plan change with its countdown, and the button that accepts it. */
export function QuotePanel({ plan, trial, mutations }: Props) {
  const { t } = useLingui()
  const { data: quote, error, isFetching, refetch, dataUpdatedAt } = useQuery(quoteQuery(plan.id))
  const again = () => void refetch()
  if (!quote) {
    if (!error) return <SkeletonText lines={4} />
    const code = problemOf(error)?.code ?? unknownError
    return (
      <Notice tone="danger" urgent>
        <Refusal code={code} message={subscribeProblem(code)} />{' '}
        <Button size="s" loading={isFetching} onClick={again}>{t`Try again`}</Button>
      </Notice>
    )
  }
  return quote.kind === 'UPGRADE' ? (
    <Upgrade
      quote={quote}
      trial={trial}
      answeredAt={dataUpdatedAt}
      mutations={mutations}
      onRefresh={again}
      refreshing={isFetching}
    />
  ) : (
    <Downgrade quote={quote} mutations={mutations} />
  )
}

interface UpgradeProps {
  quote: Quote
  trial: boolean
  /** When the quote arrived, by the browser's clock, in milliseconds. */
  answeredAt: number
  mutations: SubscriptionMutations
  onRefresh: () => void
  refreshing: boolean
}

function Upgrade({ quote, trial, answeredAt, mutations, onRefresh, refreshing }: UpgradeProps) {
  const { t } = useLingui()
  const format = useFormat()
  const planLabels = usePlanLabels()
  const [consentMissing, setConsentMissing] = useState(false)
  const secondsLeft = useSecondsLeft({ until: quote.expiresAt ?? quote.now, now: quote.now, answeredAt })
  const expired = secondsLeft === 0
  const free = quote.charge.amount === 0
  const regular = planLabels.price(quote.nextCharge.amount, quote.plan.cycle)
  const send = (form: FormData) => {
    const agreed = form.get('consent') !== null
    setConsentMissing(!agreed)
    if (agreed) mutations.mutate({ intent: 'change', planId: quote.plan.id, quoteId: quote.id ?? undefined })
  }
  return (
    <>
      <DescriptionList
        amounts
        rows={[
          ...(quote.credit.amount > 0
            ? [
                {
                  key: 'price',
                  term: <Trans>{storeText(quote.plan, 'name')}, until the next renewal</Trans>,
                  value: format.money({ ...quote.charge, amount: quote.charge.amount + quote.credit.amount }),
                },
                {
                  key: 'credit',
                  term: <Trans>Credit for unused time</Trans>,
                  value: format.money({ ...quote.credit, amount: -quote.credit.amount }),
                },
              ]
            : []),
          {
            key: 'next',
            term: <Trans>Then, on {format.date(quote.nextCharge.at)}</Trans>,
            value: format.money(quote.nextCharge.amount),
          },
          { key: 'today', term: <Trans>Today</Trans>, value: format.money(quote.charge), total: true },
        ]}
      />
      {trial && (
        <p className={styles.soft}>
          {free ? (
            <Trans>Your free trial continues with the new plan.</Trans>
          ) : (
            <Trans>Your free trial ends when you upgrade, and your new plan starts today.</Trans>
          )}
        </p>
      )}
      <p className={styles.holds}>
        <Icon name="clock" size="s" />
        {expired ? (
          <Trans>The price has changed.</Trans>
        ) : secondsLeft === undefined ? (
          <Trans>This price is valid until {format.dateTime(quote.expiresAt ?? quote.now)}.</Trans>
        ) : (
          <span role="timer">
            <Trans>This price is valid for {format.duration(secondsLeft)}.</Trans>
          </span>
        )}
      </p>
      {expired ? (
        <div className={styles.actions}>
          <Button variant="primary" icon="retry" loading={refreshing} onClick={onRefresh}>
            <Trans>Show new price</Trans>
          </Button>
          <Back />
        </div>
      ) : (
        <IntentForm
          intent="change"
          fields={{
            idempotencyKey: mutations.idempotencyKey,
            planId: quote.plan.id,
            quoteId: quote.id ?? undefined,
            needsConsent: 'yes',
          }}
          className={styles.form}
          onSend={send}
        >
          <Checkbox
            name="consent"
            required
            label={
              free ? (
                <Trans>
                  I agree that my card will be charged {regular} from {format.date(quote.nextCharge.at)}, until I
                  cancel.
                </Trans>
              ) : (
                <Trans>
                  I agree that my card will be charged {format.money(quote.charge)} now and {regular} from{' '}
                  {format.date(quote.nextCharge.at)}, until I cancel.
                </Trans>
              )
            }
            error={consentMissing ? t`Agree to this to continue.` : undefined}
            onChange={() => setConsentMissing(false)}
          />
          <div className={styles.actions}>
            <Button type="submit" variant="primary" icon="lock" loading={mutations.pending === 'change'}>
              {free ? (
                <Trans>Upgrade with nothing to pay today</Trans>
              ) : (
                <Trans>Pay {format.money(quote.charge)} and upgrade</Trans>
              )}
            </Button>
            <Back />
          </div>
        </IntentForm>
      )}
    </>
  )
}

function Downgrade({ quote, mutations }: { quote: Quote; mutations: SubscriptionMutations }) {
  const format = useFormat()
  const planLabels = usePlanLabels()
  return (
    <>
      <ul className={styles.points}>
        <li>
          <Trans>You keep your current plan until {format.date(quote.effectiveAt)}.</Trans>
        </li>
        <li>
          <Trans>
            From then on, you have {quote.plan.name} for {planLabels.price(quote.nextCharge.amount, quote.plan.cycle)}.
          </Trans>
        </li>
        <li>
          <Trans>You won’t be charged today, and you can undo the change until then.</Trans>
        </li>
      </ul>
      <IntentForm
        intent="change"
        fields={{ idempotencyKey: mutations.idempotencyKey, planId: quote.plan.id, quoteId: quote.id ?? undefined }}
        onSend={() => mutations.mutate({ intent: 'change', planId: quote.plan.id, quoteId: quote.id ?? undefined })}
      >
        <div className={styles.actions}>
          <Button type="submit" variant="primary" loading={mutations.pending === 'change'}>
            <Trans>Switch on {format.date(quote.effectiveAt)}</Trans>
          </Button>
          <Back />
        </div>
      </IntentForm>
    </>
  )
}

function Back() {
  return (
    <Button
      variant="ghost"
      render={<Link to="/mypages/subscription" search={{ step: 'change' }} resetScroll={false} />}
    >
      <Trans>Back</Trans>
    </Button>
  )
}
