import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MoneyToReturn } from '#contract/admin/deposits.ts'
import type { OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { unappliedReasons } from '../../ui/payment-codes'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { moneyToReturnQuery } from './deposits.queries'
import { MatchDialog } from './match-dialog'
import styles from './order-page.module.css'
import { TransferDialog } from './transfer-dialog'

const route = getRouteApi('/deposits')

const waits = {
  MEMBER: msg`The member is asked for a bank account`,
  PROVIDER: msg`The payment provider returns it`,
  STAFF: msg`Waits for your transfer`,
} as const

const OrderLink = ({ code }: { code: OrderCode }) => (
  <Link to="/orders/$code" params={{ code }} className={styles.link}>
    {code}
  </Link>
)

type Unapplied = MoneyToReturn['unapplied'][number]

function UnappliedPayments({ items, next }: { items: MoneyToReturn['unapplied']; next: string | null }) {
  const search = route.useSearch()
  const { t, i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const [matching, setMatching] = useState<Unapplied>()
  const [returning, setReturning] = useState<Unapplied>()
  return (
    <Section title={<Trans>Unapplied payments</Trans>}>
      {items.length === 0 ? (
        <EmptyState icon="check" compact headingLevel="h3" title={<Trans>Every payment belongs to an order</Trans>} />
      ) : (
        <RemovableRows
          items={items.map((payment) => ({
            key: payment.id,
            title: (
              <>
                {money(payment.amount)} · <OrderLink code={payment.code} />
              </>
            ),
            detail: [i18n._(unappliedReasons[payment.reason]), payment.member?.email, dateTime(payment.createdAt)]
              .concat(i18n._(waits[payment.waitsFor]))
              .filter(Boolean)
              .join(' · '),
            end: payment.waitsFor !== 'PROVIDER' && (
              <>
                <Button size="s" onClick={() => setMatching(payment)}>
                  <Trans>Use for an order</Trans>
                </Button>
                <Button size="s" variant="ghost" onClick={() => setReturning(payment)}>
                  <Trans>Record return</Trans>
                </Button>
              </>
            ),
          }))}
        />
      )}
      <Paging
        label={t`Pages of unapplied payments`}
        first={search.unapplied && <Link to="/deposits" search={{ ...search, unapplied: undefined }} />}
        next={next && <Link to="/deposits" search={{ ...search, unapplied: next }} />}
      />
      {matching && <MatchDialog payment={matching} onClose={() => setMatching(undefined)} />}
      {returning && <TransferDialog transfer={returning} onClose={() => setReturning(undefined)} />}
    </Section>
  )
}

function ManualRefunds({ items, next }: { items: MoneyToReturn['refunds']; next: string | null }) {
  const search = route.useSearch()
  const { t } = useLingui()
  const { money, dateTime } = useFormat()
  const [paying, setPaying] = useState<MoneyToReturn['refunds'][number]>()
  if (items.length === 0 && !search.refunds) return null
  return (
    <Section title={<Trans>Refunds to transfer</Trans>}>
      <RemovableRows
        items={items.map((refund) => ({
          key: refund.code,
          title: (
            <>
              {money(refund.amount)} · <OrderLink code={refund.code} />
            </>
          ),
          detail: [
            refund.member?.email,
            dateTime(refund.createdAt),
            refund.account ? t`Account of ${refund.account.holder}` : t`The member is asked for a bank account`,
          ]
            .filter(Boolean)
            .join(' · '),
          end: (
            <Button size="s" onClick={() => setPaying(refund)}>
              <Trans>Record transfer</Trans>
            </Button>
          ),
        }))}
      />
      <Paging
        label={t`Pages of refunds to transfer`}
        first={search.refunds && <Link to="/deposits" search={{ ...search, refunds: undefined }} />}
        next={next && <Link to="/deposits" search={{ ...search, refunds: next }} />}
      />
      {paying && <TransferDialog transfer={paying} onClose={() => setPaying(undefined)} />}
    </Section>
  )
}

/** Money of members that is to be used for an order or returned. */
export function MoneyToReturnSections() {
  const query = moneyToReturnQuery(useAdminApi(), route.useSearch())
  const moneyToReturn = useQuery({ ...query, placeholderData: keepPreviousData })
  return (
    <Loaded query={moneyToReturn}>
      {({ unapplied, nextUnapplied, refunds, nextRefunds }) => (
        <>
          <ManualRefunds items={refunds} next={nextRefunds} />
          <UnappliedPayments items={unapplied} next={nextUnapplied} />
        </>
      )}
    </Loaded>
  )
}
