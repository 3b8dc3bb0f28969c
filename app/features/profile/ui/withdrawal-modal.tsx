import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import type { WithdrawalOutlook } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { leftToRight } from '~/platform/format/left-to-right'
import { useFormat } from '~/platform/format/use-format'
import { focusFirstFault } from '~/platform/forms/focus-first-fault'
import { usePasswordWords } from '~/platform/forms/use-password-words'
import { useFieldErrors } from '~/platform/forms/validation-errors'
import { labels } from '~/platform/labels'
import { partWithMember } from '~/platform/session/session-change'
import { showToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/checkbox'
import { ErrorState } from '~/ui/error-state'
import { Notice } from '~/ui/notice'
import { PasswordField } from '~/ui/password-field'
import { Skeleton } from '~/ui/skeleton'
import { TextArea } from '~/ui/text-area'
import { withdraw } from '../profile.functions'
import { withdrawalQuery } from '../profile.queries'
import { profileRefusal } from '../profile-attempt'
import styles from './withdrawal-modal.module.css'

/** What leaving means, and the way to do it. */
export function WithdrawalModal({ close }: { close: () => void }) {
  const { t, i18n } = useLingui()
  const [gone, setGone] = useState(false)
  // The modal stands for a moment after the member has gone, who has nothing to be asked for any more.
  const { data: outlook, error, isFetching, refetch } = useQuery({ ...withdrawalQuery, enabled: !gone })
  if (error && !outlook) {
    return (
      <ErrorState
        compact
        title={t`What leaving means could not be looked up. Nothing was changed.`}
        retry={{ label: i18n._(labels.tryAgain), onRetry: () => refetch(), pending: isFetching }}
      />
    )
  }
  if (!outlook) {
    return (
      <div aria-busy className={styles.modal}>
        <Skeleton width="100%" height="5rem" />
        <Skeleton width="100%" height="5rem" />
        <Skeleton width="100%" height="3rem" />
      </div>
    )
  }
  if (outlook.blockedBy.length > 0) return <Blocked blockedBy={outlook.blockedBy} close={close} />
  return (
    <div className={styles.modal}>
      <Consequences outlook={outlook} />
      <LeaveForm close={close} onBlocked={() => void refetch()} onGone={() => setGone(true)} />
    </div>
  )
}

/** Money is under way: it has to arrive first. */
function Blocked({ blockedBy, close }: Pick<WithdrawalOutlook, 'blockedBy'> & { close: () => void }) {
  return (
    <div className={styles.modal}>
      <Notice tone="warning" className={styles.notice}>
        <Trans>You cannot leave yet: money is under way. Settle this first.</Trans>
      </Notice>
      <ul className={styles.blocks}>
        {blockedBy.map(({ code, status }) => (
          <li key={code}>
            <Link to="/mypages/order-histories/$code" params={{ code }} className={styles.order} onClick={close}>
              <Trans>Order {leftToRight(code)}</Trans>
            </Link>
            <p className={styles.why}>
              {status === 'DEPOSIT_WAITING' ? (
                <Trans>It waits for your deposit. Pay it or cancel it.</Trans>
              ) : (
                <Trans>
                  You asked for it to be cancelled, and it is not settled yet. Wait for it, or take it back.
                </Trans>
              )}
            </p>
          </li>
        ))}
      </ul>
      <Button full onClick={close}>
        <Trans>Stay</Trans>
      </Button>
    </div>
  )
}

function Consequences({
  outlook: { ownedProducts, comments, subscription, keptOrders },
}: {
  outlook: WithdrawalOutlook
}) {
  const format = useFormat()
  return (
    <>
      <section className={styles.part}>
        <h3 className={styles.heading}>
          <Trans>What you lose</Trans>
        </h3>
        <ul className={styles.list}>
          {ownedProducts > 0 && (
            <li>
              <Plural
                value={ownedProducts}
                one="# title you own. It cannot be watched or downloaded any more, and is not paid back."
                other="# titles you own. They cannot be watched or downloaded any more, and are not paid back."
              />
            </li>
          )}
          {subscription && (
            <li>
              {subscription.until ? (
                <Trans>
                  Your plan “{subscription.name}”, which would have gone on until {format.date(subscription.until)}. It
                  is not renewed.
                </Trans>
              ) : (
                <Trans>Your plan “{subscription.name}”. It is not renewed.</Trans>
              )}
            </li>
          )}
          <li>
            <Trans>Your cart, what you like, what you watched and where you stopped.</Trans>
          </li>
          <li>
            <Trans>Your name, e-mail, phone, address and cards. They are erased.</Trans>
          </li>
        </ul>
      </section>
      <section className={styles.part}>
        <h3 className={styles.heading}>
          <Trans>What stays</Trans>
        </h3>
        <ul className={styles.list}>
          {comments > 0 && (
            <li>
              <Plural value={comments} one="# comment, without your name." other="# comments, without your name." />
            </li>
          )}
          {keptOrders > 0 ? (
            <li>
              <Plural
                value={keptOrders}
                one="The record of # order, for the five years the law asks, without your name."
                other="The records of # orders, for the five years the law asks, without your name."
              />
            </li>
          ) : (
            comments === 0 && (
              <li>
                <Trans>Nothing that has to do with you.</Trans>
              </li>
            )
          )}
        </ul>
      </section>
    </>
  )
}

interface LeaveFormProps {
  close: () => void
  onBlocked: () => void
  onGone: () => void
}

function LeaveForm({ close, onBlocked, onGone }: LeaveFormProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const router = useRouter()
  const words = usePasswordWords()
  const form = useRef<HTMLFormElement>(null)
  const [refused] = useFieldErrors('password')
  const [missing, setMissing] = useState<{ password?: boolean; sure?: boolean }>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [pending, setPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const fields = new FormData(event.currentTarget)
    const password = String(fields.get('password') ?? '')
    const reason = String(fields.get('reason') ?? '').trim()
    const faults = { password: password === '', sure: !fields.has('sure') }
    setMissing(faults)
    setRefusal(null)
    if (faults.password || faults.sure) return focusFirstFault(form.current)
    setPending(true)
    try {
      const data = { password, ...(reason ? { reason } : {}) }
      await call((signal) => withdraw({ data, signal }), { expected: [409, 429], saidAtForm: true })
      onGone()
      await partWithMember(queryClient, () => router.navigate({ to: '/' }))
      showToast({ severity: 'success', summary: msg`Your account is erased, and you are signed out.` })
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      if (problem.code === 'WITHDRAWAL_BLOCKED') return onBlocked()
      setRefusal(problem.errors.password ? null : problem.code)
      focusFirstFault(form.current)
    } finally {
      setPending(false)
    }
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className={styles.modal}>
      <TextArea
        name="reason"
        rows={2}
        maxLength={500}
        label={<Trans>Why are you leaving?</Trans>}
        optional={<Trans>optional</Trans>}
      />
      <PasswordField
        name="password"
        label={<Trans>Your password</Trans>}
        labels={words.toggle}
        error={refused ?? (missing.password ? i18n._(labels.enterPassword) : undefined)}
      />
      <Checkbox
        name="sure"
        label={<Trans>I want to leave, and I know that this cannot be undone.</Trans>}
        error={missing.sure ? t`Tick this if you are sure.` : undefined}
        onChange={() => setMissing({ ...missing, sure: false })}
      />
      {refusal && (
        <Notice tone="danger" urgent className={styles.notice}>
          {i18n._(profileRefusal(refusal))}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button onClick={close}>
          <Trans>Stay</Trans>
        </Button>
        <Button type="submit" variant="danger" loading={pending}>
          <Trans>Leave for good</Trans>
        </Button>
      </div>
    </form>
  )
}
