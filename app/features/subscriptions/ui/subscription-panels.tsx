import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PlanId } from '#contract/ids.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { TextArea } from '~/ui/text-field'
import { usePanelFocus } from '~/ui/visibility'
import { plansQuery, usePlanLabels } from '../plans.functions'
import { inTrial } from '../subscription-labels'
import { QuotePanel } from './quote-panel'
import { IntentForm, type SubscriptionMutations } from './subscription-mutations'
import styles from './subscription-page.module.css'

const longestReason = 500

/** Explains what cancelling means and asks for confirmation. */
export function CancelPanel({
  subscription,
  mutations,
}: {
  subscription: Subscription
  mutations: SubscriptionMutations
}) {
  const { t } = useLingui()
  const format = useFormat()
  const [written, setWritten] = useState(false)
  useDirtyForm(written && mutations.pending === null)
  const title = usePanelFocus<HTMLHeadingElement>()
  const { plan, periodEnd, overdue, paused } = subscription
  const lastDay = !overdue && (!paused || paused.accessUntil) ? periodEnd : null
  return (
    <section className={styles.panel} aria-labelledby="cancel">
      <h2 ref={title} id="cancel" className={styles.panelTitle} tabIndex={-1}>
        <Trans>Cancel {storeText(plan, 'name')}?</Trans>
      </h2>
      <ul className={styles.points}>
        <li>
          {lastDay === null ? (
            <Trans>Your plan ends at once. You can’t undo this.</Trans>
          ) : inTrial(subscription) ? (
            <Trans>You can keep watching until {format.date(lastDay)}, when your free trial ends.</Trans>
          ) : (
            <Trans>You can keep watching until {format.date(lastDay)}, when your paid period ends.</Trans>
          )}
        </li>
        <li>
          <Trans>You won’t be charged again.</Trans>
        </li>
        <li>
          <Plural
            value={plan.productCount}
            one="After that, you can’t watch the # title in this plan. Titles you own stay yours."
            other="After that, you can’t watch the # titles in this plan. Titles you own stay yours."
          />
        </li>
        {lastDay !== null && (
          <li>
            <Trans>You can undo this here until your plan ends.</Trans>
          </li>
        )}
      </ul>
      <IntentForm
        intent="cancel"
        className={styles.form}
        onSend={(form) => mutations.mutate({ intent: 'cancel', reason: String(form.get('reason') ?? '').trim() })}
      >
        <TextArea
          name="reason"
          label={t`Why are you canceling?`}
          optional={t`optional`}
          hint={t`Your feedback helps us improve.`}
          onChange={({ target }) => setWritten(target.value.trim() !== '')}
          rows={3}
          maxLength={longestReason}
        />
        <div className={styles.actions}>
          <Button type="submit" variant="danger" loading={mutations.pending === 'cancel'}>
            <Trans>Cancel plan</Trans>
          </Button>
          <Button render={<Link to="/mypages/subscription" resetScroll={false} />}>
            <Trans>Keep my plan</Trans>
          </Button>
        </div>
      </IntentForm>
    </section>
  )
}

interface Props {
  subscription: Subscription
  /** The chosen plan, if any. */
  plan: PlanId | undefined
  mutations: SubscriptionMutations
}

/** Lists the other plans, then quotes the change to the chosen one. */
export function ChangePanel({ subscription, plan: chosen, mutations }: Props) {
  const { t } = useLingui()
  const planLabels = usePlanLabels()
  const title = usePanelFocus<HTMLHeadingElement>(chosen)
  const { items } = useSuspenseQuery(plansQuery).data
  const others = items.filter(({ id }) => id !== subscription.plan.id && id !== subscription.nextPlan?.id)
  const plan = others.find(({ id }) => id === chosen)
  return (
    <section className={styles.panel} aria-labelledby="change">
      <h2 ref={title} id="change" className={styles.panelTitle} tabIndex={-1}>
        {plan ? <Trans>Switch to {storeText(plan, 'name')}?</Trans> : <Trans>Switch to another plan</Trans>}
      </h2>
      {plan ? (
        <QuotePanel key={plan.id} plan={plan} trial={inTrial(subscription)} mutations={mutations} />
      ) : others.length === 0 ? (
        <p className={styles.soft}>
          <Trans>No other plans are available right now.</Trans>
        </p>
      ) : (
        <ul className={styles.choices}>
          {others.map((other) => (
            <li key={other.id} className={styles.choice}>
              <div>
                <p className={styles.choiceName}>{storeText(other, 'name')}</p>
                <p className={styles.soft}>
                  {planLabels.price(other.price, other.cycle)}
                  {other.summary && (
                    <>
                      <br />
                      {storeText(other, 'summary')}
                    </>
                  )}
                </p>
              </div>
              <Button
                size="s"
                render={
                  <Link
                    to="/mypages/subscription"
                    search={{ step: 'change', plan: other.id }}
                    preload={false}
                    resetScroll={false}
                    aria-label={
                      other.relation === 'DOWNGRADE' ? t`Change at renewal: ${other.name}` : t`Upgrade: ${other.name}`
                    }
                  />
                }
              >
                {other.relation === 'DOWNGRADE' ? <Trans>Change at renewal</Trans> : <Trans>Upgrade</Trans>}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!plan && (
        <div className={styles.actions}>
          <Button variant="ghost" render={<Link to="/mypages/subscription" resetScroll={false} />}>
            <Trans>Keep my plan</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}
