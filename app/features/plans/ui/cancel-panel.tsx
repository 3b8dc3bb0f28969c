import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '#contract/plans.ts'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { TextArea } from '~/ui/text-area'
import { usePanelFocus } from '~/ui/use-panel-focus'
import { inTrial } from '../subscription-words'
import type { SubscriptionWrites } from '../use-subscription-writes'
import { IntentForm } from './intent-form'
import styles from './subscription-page.module.css'

const longestReason = 500

/** What cancelling means, before it is done. */
export function CancelPanel({ subscription, writes }: { subscription: Subscription; writes: SubscriptionWrites }) {
  const { t } = useLingui()
  const format = useFormat()
  const title = usePanelFocus<HTMLHeadingElement>()
  const { plan, periodEnd, overdue } = subscription
  return (
    <section className={styles.panel} aria-labelledby="cancel">
      <h2 ref={title} id="cancel" className={styles.panelTitle} tabIndex={-1}>
        <Trans>Cancel {plan.name}?</Trans>
      </h2>
      <ul className={styles.points}>
        {periodEnd && !overdue && (
          <li>
            {inTrial(subscription) ? (
              <Trans>Everything plays until {format.date(periodEnd)}, the end of your trial.</Trans>
            ) : (
              <Trans>Everything plays until {format.date(periodEnd)}, the end of what is paid.</Trans>
            )}
          </li>
        )}
        <li>
          <Trans>Nothing more is charged.</Trans>
        </li>
        <li>
          <Plural
            value={plan.productCount}
            one="After that the # title of this plan is closed to you. What you own stays yours."
            other="After that the # titles of this plan are closed to you. What you own stays yours."
          />
        </li>
        <li>
          <Trans>Until it ends you can change your mind here, with one press.</Trans>
        </li>
      </ul>
      <IntentForm
        intent="cancel"
        className={styles.form}
        onSend={(form) => writes.write({ intent: 'cancel', reason: String(form.get('reason') ?? '').trim() })}
      >
        <TextArea
          name="reason"
          label={t`Why do you leave?`}
          optional={t`optional`}
          hint={t`Your answer helps the store to get better.`}
          rows={3}
          maxLength={longestReason}
        />
        <div className={styles.actions}>
          <Button type="submit" variant="danger" loading={writes.pending === 'cancel'}>
            <Trans>Cancel the plan</Trans>
          </Button>
          <Button render={<Link to="/mypages/subscription" resetScroll={false} />}>
            <Trans>Keep my plan</Trans>
          </Button>
        </div>
      </IntentForm>
    </section>
  )
}
