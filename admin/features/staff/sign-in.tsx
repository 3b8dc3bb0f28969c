import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { useSignIn } from '../../platform/session'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import { Loading } from '../../ui/states'
import styles from './sign-in.module.css'

// Asks for a passkey with a press, so the form is shown before it is loaded.
const PasskeySignIn = lazy(async () => ({ default: (await import('./passkey')).PasskeySignIn }))
const SecondFactorForm = lazy(async () => ({ default: (await import('./second-factor-form')).SecondFactorForm }))
// Needed once in a while.
const ForgottenPassword = lazy(async () => ({ default: (await import('./recovery')).ForgottenPassword }))
const EmailConfirmation = lazy(async () => ({ default: (await import('./email-change')).EmailConfirmation }))
const NewPassword = lazy(async () => ({ default: (await import('./recovery')).NewPassword }))

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

/** Shown in place of any page while nobody is signed in, so that the address stays. */
export function SignIn({ store }: { store: string }) {
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
        <Suspense fallback={<Loading />}>
          <ForgottenPassword onBack={() => setForgotten(false)} />
        </Suspense>
      </SessionPage>
    )
  return (
    <SessionPage title={<Trans>Sign in to {store}</Trans>}>
      <form className={styles.form} onSubmit={submit}>
        <Refusal failure={signIn.failure} />
        <EmailField label={t`Email`} required />
        <PasswordField />
        <Button type="submit" variant="primary" full loading={signIn.isPending}>
          <Trans>Sign in</Trans>
        </Button>
        {'PublicKeyCredential' in window && (
          <Suspense
            fallback={
              <Button full loading>
                <Trans>Sign in with a passkey</Trans>
              </Button>
            }
          >
            <PasskeySignIn key={tries} onPress={signIn.reset} />
          </Suspense>
        )}
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
      <Suspense fallback={<Loading />}>
        <NewPassword resetKey={resetKey} onEnd={onEnd} />
      </Suspense>
    </SessionPage>
  )
}

/** The page of the link that confirms a new email address. */
export function EmailChanged({ emailKey, onEnd }: { emailKey: string; onEnd: () => void }) {
  return (
    <SessionPage title={<Trans>Confirm your new email address</Trans>}>
      <Suspense fallback={<Loading />}>
        <EmailConfirmation emailKey={emailKey} onEnd={onEnd} />
      </Suspense>
    </SessionPage>
  )
}

/** Asks for the second factor of a session that has none yet. */
export function SecondFactor() {
  return (
    <SessionPage title={<Trans>Confirm your sign-in</Trans>}>
      <Suspense fallback={<Loading />}>
        <SecondFactorForm />
      </Suspense>
    </SessionPage>
  )
}
