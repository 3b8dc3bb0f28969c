import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Subscription } from '#contract/plans.ts'
import { useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { storeText } from '~/platform/i18n/store-text'
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
  const [written, setWritten] = useState(false)
  useDirtyForm(written && writes.pending === null)
  const title = usePanelFocus<HTMLHeadingElement>()
  const { plan, periodEnd, overdue } = subscription
  return (
    <section className={styles.panel} aria-labelledby="cancel">
      <h2 ref={title} id="cancel" className={styles.panelTitle} tabIndex={-1}>
        <Trans>Cancel {storeText(plan, 'name')}?</Trans>
      </h2>
      <ul className={styles.points}>
        {periodEnd && !overdue && (
          <li>
            {inTrial(subscription) ? (
              <Trans>You can keep watching until {format.date(periodEnd)}, when your free trial ends.</Trans>
            ) : (
              <Trans>You can keep watching until {format.date(periodEnd)}, when your paid period ends.</Trans>
            )}
          </li>
        )}
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
        <li>
          <Trans>You can undo this here until your plan ends.</Trans>
        </li>
      </ul>
      <IntentForm
        intent="cancel"
        className={styles.form}
        onSend={(form) => writes.write({ intent: 'cancel', reason: String(form.get('reason') ?? '').trim() })}
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
          <Button type="submit" variant="danger" loading={writes.pending === 'cancel'}>
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
