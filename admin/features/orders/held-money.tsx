import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { HeldMoney } from '#contract/admin/deposits.ts'
import type { OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { heldMoneyQuery } from './deposits.queries'
import { MatchDialog } from './match-dialog'
import styles from './order-page.module.css'
import { TransferDialog } from './transfer-dialog'

const reasons = {
  LATE: msg`No order waited for it`,
  AMOUNT_MISMATCH: msg`Another amount than the order’s`,
  SURPLUS: msg`More than the order costs`,
} as const

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

type Unapplied = HeldMoney['unapplied'][number]

function UnappliedPayments({ items }: { items: HeldMoney['unapplied'] }) {
  const { i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const [matching, setMatching] = useState<Unapplied>()
  const [returning, setReturning] = useState<Unapplied>()
  return (
    <Section title={<Trans>Unapplied payments</Trans>}>
      {items.length === 0 ? (
        <EmptyState icon="check" compact headingLevel="h3" title={<Trans>Every payment belongs to an order</Trans>} />
      ) : (
        <Rows
          items={items.map((held) => ({
            key: held.id,
            title: (
              <>
                {money(held.amount)} · <OrderLink code={held.code} />
              </>
            ),
            detail: [i18n._(reasons[held.reason]), held.member?.email, dateTime(held.createdAt)]
              .concat(i18n._(waits[held.waitsFor]))
              .filter(Boolean)
              .join(' · '),
            end: held.waitsFor !== 'PROVIDER' && (
              <>
                <Button size="s" onClick={() => setMatching(held)}>
                  <Trans>Use for an order</Trans>
                </Button>
                <Button size="s" variant="ghost" onClick={() => setReturning(held)}>
                  <Trans>Record return</Trans>
                </Button>
              </>
            ),
          }))}
        />
      )}
      {matching && <MatchDialog held={matching} onClose={() => setMatching(undefined)} />}
      {returning && <TransferDialog held={returning} onClose={() => setReturning(undefined)} />}
    </Section>
  )
}

function ManualRefunds({ items }: { items: HeldMoney['refunds'] }) {
  const { t } = useLingui()
  const { money, dateTime } = useFormat()
  const [paying, setPaying] = useState<HeldMoney['refunds'][number]>()
  if (items.length === 0) return null
  return (
    <Section title={<Trans>Refunds to transfer</Trans>}>
      <Rows
        items={items.map((held) => ({
          key: held.code,
          title: (
            <>
              {money(held.amount)} · <OrderLink code={held.code} />
            </>
          ),
          detail: [
            held.member?.email,
            dateTime(held.createdAt),
            held.account ? t`Account of ${held.account.holder}` : t`The member is asked for a bank account`,
          ]
            .filter(Boolean)
            .join(' · '),
          end: (
            <Button size="s" onClick={() => setPaying(held)}>
              <Trans>Record transfer</Trans>
            </Button>
          ),
        }))}
      />
      {paying && <TransferDialog held={paying} onClose={() => setPaying(undefined)} />}
    </Section>
  )
}

/** Money of members that is to be used for an order or returned. */
export function HeldMoneySections() {
  const held = useQuery(heldMoneyQuery(useAdminApi()))
  return (
    <Loaded query={held}>
      {({ unapplied, refunds }) => (
        <>
          <ManualRefunds items={refunds} />
          <UnappliedPayments items={unapplied} />
        </>
      )}
    </Loaded>
  )
}
