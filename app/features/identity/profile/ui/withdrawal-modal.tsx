import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import type { WithdrawalOutlook } from '#contract/identity.ts'
import { Refusal } from '~/parts/refusal'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { usePasswordLabels } from '~/platform/forms/credentials'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { labels } from '~/platform/labels'
import { onSignOut } from '~/platform/session/session-change'
import { showToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { ErrorState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Skeleton } from '~/ui/skeleton'
import { PasswordField, TextArea } from '~/ui/text-field'
import { withdraw, withdrawalQuery } from '../profile.functions'
import { profileRefusal } from '../profile-fields'
import styles from './withdrawal-modal.module.css'

/** The fields of the form that must be filled in. */
type Required = 'password' | 'confirmed'

/** Explains the consequences of deleting the account, and deletes it. */
export function WithdrawalModal({ close }: { close: () => void }) {
  const { t, i18n } = useLingui()
  const [withdrawn, setWithdrawn] = useState(false)
  // The modal stays for a moment after the withdrawal, when there is nothing to load.
  const { data: outlook, error, isFetching, refetch } = useQuery({ ...withdrawalQuery, enabled: !withdrawn })
  if (error && !outlook) {
    return (
      <ErrorState
        compact
        title={t`We couldn’t load the details of deleting your account. Nothing has changed.`}
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
      <WithdrawalForm close={close} onBlocked={() => void refetch()} onWithdrawn={() => setWithdrawn(true)} />
    </div>
  )
}

/** A payment or refund in progress blocks the deletion. */
function Blocked({ blockedBy, close }: Pick<WithdrawalOutlook, 'blockedBy'> & { close: () => void }) {
  return (
    <div className={styles.modal}>
      <Notice tone="warning" className={styles.notice}>
        <Trans>
          You can’t delete your account while a payment or refund is in progress. Resolve the following first.
        </Trans>
      </Notice>
      <ul className={styles.blocks}>
        {blockedBy.map((order) => (
          <li key={order.code}>
            <Link
              to="/mypages/order-histories/$code"
              params={{ code: order.code }}
              className={styles.order}
              onClick={close}
            >
              <Trans>Order {leftToRight(order.code)}</Trans>
            </Link>
            <p className={styles.why}>
              <WhatHelps order={order} />
            </p>
          </li>
        ))}
      </ul>
      <Button full onClick={close}>
        <Trans>Keep account</Trans>
      </Button>
    </div>
  )
}

/** What the member can do about an order that blocks the deletion. */
function WhatHelps({
  order: { status, refundStep, needsRefundAccount },
}: {
  order: WithdrawalOutlook['blockedBy'][number]
}) {
  if (status === 'DEPOSIT_WAITING') return <Trans>Awaiting your transfer. Pay for it or cancel it.</Trans>
  if (needsRefundAccount) return <Trans>Your refund was approved. Tell us on the order where to send it.</Trans>
  if (refundStep === 'ACCEPT')
    return <Trans>Your refund was approved and is on its way. Wait until it is paid out.</Trans>
  return <Trans>Your cancellation request is still being reviewed. Wait for the result, or withdraw it.</Trans>
}

function Consequences({
  outlook: { ownedProducts, comments, subscription, retainedOrders },
}: {
  outlook: WithdrawalOutlook
}) {
  const format = useFormat()
  return (
    <>
      <section className={styles.part}>
        <h3 className={styles.heading}>
          <Trans>Data you’ll lose</Trans>
        </h3>
        <ul className={styles.list}>
          {ownedProducts > 0 && (
            <li>
              <Plural
                value={ownedProducts}
                one="# purchased title. You can no longer watch or download it, and it isn’t refunded."
                other="# purchased titles. You can no longer watch or download them, and they aren’t refunded."
              />
            </li>
          )}
          {subscription && (
            <li>
              {subscription.until ? (
                <Trans>
                  Your plan “{subscription.name}”, active until {format.date(subscription.until)}. It won’t renew.
                </Trans>
              ) : (
                <Trans>Your plan “{subscription.name}”. It won’t renew.</Trans>
              )}
            </li>
          )}
          <li>
            <Trans>Your cart, wish list, watch history, and playback positions.</Trans>
          </li>
          <li>
            <Trans>Your name, email, phone, address, and cards.</Trans>
          </li>
        </ul>
      </section>
      <section className={styles.part}>
        <h3 className={styles.heading}>
          <Trans>Data we keep</Trans>
        </h3>
        <ul className={styles.list}>
          {comments > 0 && (
            <li>
              <Plural value={comments} one="# comment, without your name" other="# comments, without your name" />
            </li>
          )}
          {retainedOrders > 0 ? (
            <li>
              <Plural
                value={retainedOrders}
                one="# order record, without your name, for the five years required by law"
                other="# order records, without your name, for the five years required by law"
              />
            </li>
          ) : (
            comments === 0 && (
              <li>
                <Trans>Nothing linked to you.</Trans>
              </li>
            )
          )}
        </ul>
      </section>
    </>
  )
}

interface WithdrawalFormProps {
  close: () => void
  onBlocked: () => void
  onWithdrawn: () => void
}

function WithdrawalForm({ close, onBlocked, onWithdrawn }: WithdrawalFormProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const router = useRouter()
  const passwordLabels = usePasswordLabels()
  const form = useRef<HTMLFormElement>(null)
  const [refused] = useFieldErrors('password')
  const [missing, setMissing] = useState<readonly Required[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [written, setWritten] = useState(false)
  useDirtyForm(written && !pending)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const fields = new FormData(event.currentTarget)
    const password = String(fields.get('password') ?? '')
    const reason = String(fields.get('reason') ?? '').trim()
    const empty: Required[] = []
    if (password === '') empty.push('password')
    if (!fields.has('confirmed')) empty.push('confirmed')
    setMissing(empty)
    setRefusal(null)
    if (empty.length > 0) return focusFirstInvalid(form.current)
    setPending(true)
    try {
      const data = { password, ...(reason ? { reason } : {}) }
      await call((signal) => withdraw({ data, signal }), { expected: [409, 429], silent: true })
      setWritten(false)
      onWithdrawn()
      await onSignOut(queryClient, () => router.navigate({ to: '/' }))
      showToast({ severity: 'success', summary: msg`Your account was deleted and you’re signed out.` })
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      if (problem.code === 'WITHDRAWAL_BLOCKED') return onBlocked()
      setRefusal(problem.errors.password ? null : problem.code)
      focusFirstInvalid(form.current)
    } finally {
      setPending(false)
    }
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onChange={() => setWritten(true)} className={styles.modal}>
      <TextArea
        name="reason"
        rows={2}
        maxLength={500}
        label={<Trans>Reason for leaving</Trans>}
        optional={<Trans>optional</Trans>}
      />
      <PasswordField
        name="password"
        label={<Trans>Your password</Trans>}
        labels={passwordLabels.toggle}
        error={refused ?? (missing.includes('password') ? i18n._(labels.enterPassword) : undefined)}
      />
      <Checkbox
        name="confirmed"
        label={<Trans>I want to delete my account and understand that this can’t be undone.</Trans>}
        error={missing.includes('confirmed') ? t`Confirm to continue.` : undefined}
        onChange={() => setMissing(missing.filter((field) => field !== 'confirmed'))}
      />
      {refusal && (
        <Notice tone="danger" urgent className={styles.notice}>
          <Refusal code={refusal} message={profileRefusal(refusal)} />
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button onClick={close}>
          <Trans>Keep account</Trans>
        </Button>
        <Button type="submit" variant="danger" loading={pending}>
          <Trans>Delete account</Trans>
        </Button>
      </div>
    </form>
  )
}
