import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useMemo } from 'react'
import { minorDigits } from '#contract/money.ts'
import type { BankAccount, Order } from '#contract/orders.ts'
import { useFormat, useSecondsLeft } from '~/platform/format/use-format'
import { showToast } from '~/platform/toasts/toasts'
import { CopyButton } from '~/ui/copy-button'
import { ScriptOnly } from '~/ui/visibility'
import styles from './deposit-account.module.css'

interface Props {
  until: string
  /** The store's time as it answered. */
  now: string
}

/**
 * Counts down the remaining time each second. Without JavaScript it shows the time at rendering.
 */
function TimeLeft({ until, now }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer came at another moment
  const answeredAt = useMemo(() => Date.now(), [now])
  const ticking = useSecondsLeft({ until, now, answeredAt })
  const secondsLeft = ticking ?? Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / 1_000))
  return (
    <span role="timer" aria-live="off">
      <RemainingTime left={secondsLeft} />
    </span>
  )
}

function RemainingTime({ left }: { left: number }) {
  const [days, hours, minutes] = [Math.floor(left / 86_400), Math.floor(left / 3_600) % 24, Math.floor(left / 60) % 60]
  const seconds = left % 60
  if (left === 0) return <Trans>The deadline has passed.</Trans>
  if (days > 0) {
    return (
      <Trans>
        <Plural value={days} one="# day" other="# days" /> and <Plural value={hours} one="# hour" other="# hours" />{' '}
        left
      </Trans>
    )
  }
  if (hours > 0) {
    return (
      <Trans>
        <Plural value={hours} one="# hour" other="# hours" /> and{' '}
        <Plural value={minutes} one="# minute" other="# minutes" /> left
      </Trans>
    )
  }
  return (
    <Trans>
      <Plural value={minutes} one="# minute" other="# minutes" /> and{' '}
      <Plural value={seconds} one="# second" other="# seconds" /> left
    </Trans>
  )
}

const notCopied = () =>
  showToast({ severity: 'error', summary: msg`Couldn’t copy. Select the text and copy it manually.` })

/** Where to pay, how much exactly, and until when. */
export function DepositAccount({ order, account }: { order: Order; account: BankAccount }) {
  const { t } = useLingui()
  const format = useFormat()
  const { amount, currency } = order.total
  const plainAmount = (amount / 10 ** minorDigits(currency)).toFixed(minorDigits(currency))
  const copy = (text: string, what: string) => (
    <ScriptOnly>
      <CopyButton text={text} labels={{ copy: t`Copy`, copied: t`Copied`, what }} onFail={notCopied} />
    </ScriptOnly>
  )
  return (
    <dl className={styles.account}>
      <Row term={<Trans>Bank</Trans>}>{account.bank}</Row>
      <Row term={<Trans>Account number</Trans>} end={copy(account.number, t`Copy account number`)} strong>
        <bdi dir="ltr">{account.number}</bdi>
      </Row>
      <Row term={<Trans>Account holder</Trans>}>{account.holder}</Row>
      <Row term={<Trans>Exact amount</Trans>} end={copy(plainAmount, t`Copy amount`)} strong>
        {format.money(order.total)}
      </Row>
      <Row term={<Trans>Pay by</Trans>}>
        <time dateTime={account.dueAt}>{format.dateTime(account.dueAt)}</time>
        <span className={styles.left}>
          <TimeLeft until={account.dueAt} now={order.now} />
        </span>
      </Row>
    </dl>
  )
}

interface RowProps {
  term: ReactNode
  children: ReactNode
  end?: ReactNode
  strong?: boolean
}

function Row({ term, children, end, strong }: RowProps) {
  return (
    <div className={styles.row}>
      <dt>{term}</dt>
      <dd className={strong ? styles.strong : undefined}>{children}</dd>
      {end && <dd className={styles.end}>{end}</dd>}
    </div>
  )
}
