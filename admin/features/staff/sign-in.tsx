import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { lazyPart } from '../../platform/lazy-part'
import { useSignIn } from '../../platform/session'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import { Loading } from '../../ui/states'
import styles from './sign-in.module.css'

// Asks for a passkey with a press, so the form is shown before it is loaded.
const PasskeySignIn = lazyPart(async () => ({ default: (await import('./passkey')).PasskeySignIn }), {
  waiting: () => (
    <Button full loading>
      <Trans>Sign in with a passkey</Trans>
    </Button>
  ),
})
const SecondFactorForm = lazyPart(async () => ({ default: (await import('./second-factor-form')).SecondFactorForm }), {
  waiting: Loading,
})
// Needed once in a while.
const ForgottenPassword = lazyPart(async () => ({ default: (await import('./recovery')).ForgottenPassword }), {
  waiting: Loading,
})
const EmailConfirmation = lazyPart(async () => ({ default: (await import('./email-change')).EmailConfirmation }), {
  waiting: Loading,
})
const NewPassword = lazyPart(async () => ({ default: (await import('./recovery')).NewPassword }), { waiting: Loading })

function SessionPage({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <Card className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </Card>
    </main>
  )
}

interface SignInProps {
  store: string
  /** Where the last session ended, if nobody ended it. */
  hasEnded: 'here' | 'before' | null
}

/** Shown in place of any page while nobody is signed in, so that the address stays. */
export function SignIn({ store, hasEnded }: SignInProps) {
  const { t } = useLingui()
  const api = useApi()
  const [isForgotten, setForgotten] = useState(false)
  const [tries, setTries] = useState(0)
  const signIn = useSignIn(api.staff.signIn)
  const submit = onSubmit(({ email = '', password = '' }) => {
    // Hides why a passkey was refused before.
    setTries(tries + 1)
    signIn.send({ email, password })
  })
  if (isForgotten)
    return (
      <SessionPage title={<Trans>Reset your password</Trans>}>
        <ForgottenPassword onBack={() => setForgotten(false)} />
      </SessionPage>
    )
  return (
    <SessionPage title={<Trans>Sign in to {store}</Trans>}>
      <form className={styles.form} onSubmit={submit}>
        {hasEnded && (
          <Notice tone="warning">
            {hasEnded === 'here' ? (
              <Trans>Your session has ended. What you typed into a form is kept here: sign in to restore it.</Trans>
            ) : (
              <Trans>Your session has ended.</Trans>
            )}
          </Notice>
        )}
        <Refusal failure={signIn.failure} />
        <EmailField label={t`Email`} required />
        <PasswordField />
        <Button type="submit" variant="primary" full loading={signIn.isPending}>
          <Trans>Sign in</Trans>
        </Button>
        {'PublicKeyCredential' in window && <PasskeySignIn key={tries} onPress={signIn.reset} />}
        <Button variant="ghost" full onClick={() => setForgotten(true)}>
          <Trans>Forgot your password?</Trans>
        </Button>
      </form>
    </SessionPage>
  )
}

/** The page of the link that sets a new password. */
export function PasswordReset({ resetKey, onEnd }: { resetKey: string; onEnd: () => void }) {
  return (
    <SessionPage title={<Trans>Set a new password</Trans>}>
      <NewPassword resetKey={resetKey} onEnd={onEnd} />
    </SessionPage>
  )
}

/** The page of the link that confirms a new email address. */
export function EmailChanged({ emailKey, onEnd }: { emailKey: string; onEnd: () => void }) {
  return (
    <SessionPage title={<Trans>Confirm your new email address</Trans>}>
      <EmailConfirmation emailKey={emailKey} onEnd={onEnd} />
    </SessionPage>
  )
}

/** Asks for the second factor of a session that has none yet. */
export function SecondFactor() {
  return (
    <SessionPage title={<Trans>Confirm your sign-in</Trans>}>
      <SecondFactorForm />
    </SessionPage>
  )
}
