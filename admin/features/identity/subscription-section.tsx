import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberSubscription } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { memberSubscriptionQuery } from './members.queries'
import { CancelDialog, EndDialog, ExtendDialog, RetryDialog } from './subscription-dialogs'

type Current = NonNullable<MemberSubscription['current']>
type Charge = MemberSubscription['charges'][number]

const kinds = { FIRST: msg`First payment`, RENEWAL: msg`Renewal`, UPGRADE: msg`Plan change` } as const

function Status({ subscription: { status, cancelAt, trialEndsAt } }: { subscription: Current }) {
  const { date } = useFormat()
  if (status === 'PENDING')
    return (
      <Badge tone="danger">
        <Trans>Overdue</Trans>
      </Badge>
    )
  if (cancelAt)
    return (
      <Badge tone="warning">
        <Trans>Ends on {date(cancelAt)}</Trans>
      </Badge>
    )
  return (
    <Badge tone="success">
      {trialEndsAt && Date.parse(trialEndsAt) > Date.now() ? <Trans>In trial</Trans> : <Trans>Active</Trans>}
    </Badge>
  )
}

function CurrentSubscription({ memberId, subscription }: { memberId: MemberId; subscription: Current }) {
  const { t } = useLingui()
  const { money, date, dateTime } = useFormat()
  const may = useMay()
  const [opened, setOpened] = useState<'cancel' | 'end' | 'extend' | 'retry'>()
  const close = () => setOpened(undefined)
  const { plan, price, cycle, startedAt, periodEnd, nextCharge, overdue, cancelAt } = subscription
  return (
    <>
      <DescriptionList
        rows={[
          {
            key: 'plan',
            term: t`Plan`,
            value: (
              <>
                <bdi>{plan}</bdi> <Status subscription={subscription} />
              </>
            ),
          },
          {
            key: 'price',
            term: t`Price`,
            value: cycle === 'YEAR' ? t`${money(price)} a year` : t`${money(price)} a month`,
          },
          ...(startedAt ? [{ key: 'since', term: t`Subscribed since`, value: date(startedAt) }] : []),
          ...(periodEnd ? [{ key: 'paid', term: t`Period until`, value: dateTime(periodEnd) }] : []),
          ...(nextCharge
            ? [{ key: 'next', term: t`Next payment`, value: `${date(nextCharge.at)} · ${money(nextCharge.amount)}` }]
            : []),
          ...(overdue ? [{ key: 'grace', term: t`Access until`, value: dateTime(overdue.graceUntil) }] : []),
          ...(overdue?.failure ? [{ key: 'failure', term: t`Reason`, value: overdue.failure }] : []),
        ]}
      />
      <div className={form.buttons}>
        {overdue && may('members:write') && (
          <Button size="s" onClick={() => setOpened('retry')}>
            <Trans>Charge now</Trans>
          </Button>
        )}
        {!overdue && periodEnd && may('members:write') && (
          <Button size="s" onClick={() => setOpened('extend')}>
            <Trans>Extend</Trans>
          </Button>
        )}
        {!cancelAt && may('members:write') && (
          <Button size="s" onClick={() => setOpened('cancel')}>
            <Trans>Cancel the subscription</Trans>
          </Button>
        )}
        {may('refunds:write') && (
          <Button size="s" variant="danger" onClick={() => setOpened('end')}>
            <Trans>End now</Trans>
          </Button>
        )}
      </div>
      {opened === 'extend' && <ExtendDialog id={memberId} subscription={subscription} onClose={close} />}
      {opened === 'retry' && <RetryDialog id={memberId} subscription={subscription} onClose={close} />}
      {opened === 'cancel' && <CancelDialog id={memberId} subscription={subscription} onClose={close} />}
      {opened === 'end' && <EndDialog id={memberId} subscription={subscription} onClose={close} />}
    </>
  )
}

function Charges({ charges }: { charges: readonly Charge[] }) {
  const { t, i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const notPaid = { PENDING: t`Waiting`, FAILED: t`Payment failed` } as const
  return (
    <Rows
      items={charges.map(({ id, at, plan, kind, status, amount, refunded }) => ({
        key: id,
        title: <bdi>{plan}</bdi>,
        detail: [dateTime(at), i18n._(kinds[kind]), ...(status === 'PAID' ? [] : [notPaid[status]])].join(' · '),
        end: (
          <>
            {refunded.amount > 0 && <Badge>{t`Refunded ${money(refunded)}`}</Badge>}
            {money(amount)}
          </>
        ),
      }))}
    />
  )
}

/** A member's subscription with its charges. Absent for those who never subscribed. */
export function SubscriptionSection({ id }: { id: MemberId }) {
  const query = useQuery(memberSubscriptionQuery(useAdminApi(), id))
  if (query.data && !query.data.current && query.data.charges.length === 0) return null
  return (
    <Section title={<Trans>Subscription</Trans>}>
      <Loaded query={query}>
        {({ current, charges }) => (
          <>
            {current ? (
              <CurrentSubscription memberId={id} subscription={current} />
            ) : (
              <p>
                <Trans>No subscription now.</Trans>
              </p>
            )}
            {charges.length > 0 && <Charges charges={charges} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}
