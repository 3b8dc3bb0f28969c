import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { useSecondsLeft } from '~/platform/format/use-format'
import { onSignIn } from '~/platform/session/session-change'
import { Button, MailboxLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { finishJoin, joinStepQuery, resendCode } from '../join.functions'
import type { JoinStep } from '../join-fields'
import { savedJoin, type VerifyOutcome, verifyMessage, verifyOutcomeOf } from '../join-fields'
import styles from './verify-form.module.css'

/** Refusals that the page shows beside the field. */
const expected = [400, 404, 409, 410, 422, 429]

/** Submits the code or requests another one. `outcome` is the result of the last action. */
function useVerify(initial: VerifyOutcome | null, redirect: string | undefined) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  const [outcome, setOutcome] = useState(initial)
  const [pending, setPending] = useState<'finish' | 'resend' | null>(null)

  const submit = async (action: 'finish' | 'resend', run: () => Promise<VerifyOutcome | null>) => {
    setPending(action)
    setOutcome(null)
    try {
      setOutcome(await run())
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      setOutcome(verifyOutcomeOf(problem.status))
      // The remaining tries, or null if the sign-up has ended.
      const step = await queryClient.fetchQuery({ ...joinStepQuery, staleTime: 0 }).catch(() => undefined)
      if (step === null) await router.invalidate()
    } finally {
      setPending(null)
    }
  }
  return {
    outcome,
    pending,
    setOutcome,
    /** Without a code where it was confirmed before. */
    finish: (code?: string) =>
      submit('finish', async () => {
        await call((signal) => finishJoin({ data: { code }, signal }), { expected })
        await onSignIn(queryClient)
        savedJoin.clear()
        await navigate({ to: '/join/completed', search: { redirect }, replace: true })
        return null
      }),
    resend: () =>
      submit('resend', async () => {
        const step = await call((signal) => resendCode({ signal }), { expected })
        queryClient.setQueryData(joinStepQuery.queryKey, step)
        return 'SENT'
      }),
  }
}

interface VerifyFormProps {
  step: JoinStep
  /** Set after the form was posted without JavaScript. */
  outcome: VerifyOutcome | null
  redirect: string | undefined
}

/** Verifies the six-digit code of the mail, or sends another. */
export function VerifyForm({ step: first, outcome: initial, redirect }: VerifyFormProps) {
  const { t, i18n } = useLingui()
  const { data, dataUpdatedAt } = useQuery({ ...joinStepQuery, refetchOnWindowFocus: false })
  const step = data ?? first
  const { outcome, pending, setOutcome, finish, resend } = useVerify(initial, redirect)
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const times = { now: step.now, answeredAt: dataUpdatedAt }
  const secondsToExpiry = useSecondsLeft({ ...times, until: step.expiresAt })
  const waitLeft = useSecondsLeft({ ...times, until: step.resendAt })
  const over = secondsToExpiry === 0 || step.triesLeft === 0 || step.expiresAt <= step.now
  const fault = outcome && outcome !== 'SENT' ? outcome : undefined
  // A page with one field focuses it.
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (outcome === 'WRONG_CODE' || outcome === 'NOT_A_CODE') field.current?.select()
    if (outcome === 'SENT') field.current?.focus()
  }, [outcome])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const digits = (field.current?.value ?? code).replaceAll(/\D/g, '')
    if (digits.length !== 6) return setOutcome('NOT_A_CODE')
    void finish(digits)
  }
  const resendCode = (event: FormEvent) => {
    event.preventDefault()
    setCode('')
    void resend()
  }

  return (
    <div className={styles.verify}>
      <p className={styles.where}>
        <Trans>
          We sent a 6-digit code to <b dir="ltr">{step.email}</b>. If you don’t see it, check your spam folder.
        </Trans>
      </p>
      {step.mailbox && <MailboxLink href={step.mailbox} label={<Trans>Open the demo mailbox</Trans>} />}
      {outcome === 'SENT' && (
        <Notice tone="success" className={styles.notice}>
          <Trans>We sent a new code. Only the latest one works.</Trans>
        </Notice>
      )}
      {step.stage === 'READY' ? (
        <ReadyForm pending={pending === 'finish'} failed={Boolean(fault)} onFinish={() => void finish()} />
      ) : (
        <form method="post" noValidate onSubmit={submit} className={styles.form}>
          <TextField
            ref={field}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            dir="ltr"
            className={styles.code}
            label={<Trans>Code</Trans>}
            value={code}
            onChange={({ target }) => setCode(target.value.replaceAll(/\D/g, '').slice(0, 6))}
            error={fault && !over ? i18n._(verifyMessage(fault)) : undefined}
            hint={over ? undefined : <TriesAndTime triesLeft={step.triesLeft} secondsLeft={secondsToExpiry} />}
          />
          {over && (
            <Notice tone="warning" urgent className={styles.notice}>
              {step.triesLeft === 0 ? (
                <Trans>You’ve used all your tries for this code. Request a new one.</Trans>
              ) : (
                <Trans>This code has expired. Request a new one.</Trans>
              )}
            </Notice>
          )}
          <Button
            type="submit"
            variant={over ? 'secondary' : 'primary'}
            size="l"
            full
            loading={pending === 'finish'}
            disabled={over}
          >
            <Trans>Verify and sign up</Trans>
          </Button>
        </form>
      )}
      {step.stage === 'VERIFY' && (
        <div className={styles.others}>
          <form method="post" onSubmit={resendCode}>
            <input type="hidden" name="intent" value="resend" />
            <Button
              type="submit"
              variant={over ? 'primary' : 'outline'}
              full
              icon="retry"
              loading={pending === 'resend'}
              disabled={waitLeft !== undefined && waitLeft > 0}
            >
              {waitLeft ? t`Resend code in ${clock(waitLeft)}` : t`Resend code`}
            </Button>
          </form>
          <Link to="/join/input" search={{ redirect }} className={styles.change}>
            <Trans>Use a different email address</Trans>
          </Link>
        </div>
      )}
    </div>
  )
}

/** The code was accepted, but the last step failed. A retry needs no code. */
function ReadyForm({ pending, failed, onFinish }: { pending: boolean; failed: boolean; onFinish: () => void }) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFinish()
  }
  return (
    <form method="post" onSubmit={submit} className={styles.form}>
      <input type="hidden" name="intent" value="finish" />
      <Notice tone={failed ? 'danger' : 'success'} className={styles.notice}>
        {failed ? (
          <Trans>We couldn’t finish creating your account. Try again in a moment.</Trans>
        ) : (
          <Trans>Your email is verified. One more step to go.</Trans>
        )}
      </Notice>
      <Button type="submit" variant="primary" size="l" full loading={pending}>
        <Trans>Sign up</Trans>
      </Button>
    </form>
  )
}

function TriesAndTime({ triesLeft, secondsLeft }: { triesLeft: number; secondsLeft: number | undefined }) {
  return (
    <>
      <Plural value={triesLeft} one="# try left." other="# tries left." />{' '}
      {secondsLeft !== undefined && <Trans>This code expires in {clock(secondsLeft)}.</Trans>}
    </>
  )
}

/** 125 → `2:05`. */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
