import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Me } from '#contract/identity.ts'
import { Button } from '~/ui/button'
import { Stepper } from '~/ui/progress'
import styles from './join-completed.module.css'

/** The progress of the sign-up. */
export function JoinSteps({ current }: { current: 'input' | 'verify' | 'completed' }) {
  const { t } = useLingui()
  return (
    <Stepper
      label={t`Sign-up steps`}
      current={current}
      steps={[
        { key: 'input', label: t`Your details` },
        { key: 'verify', label: t`Email verification` },
        { key: 'completed', label: t`Welcome` },
      ]}
    />
  )
}

interface JoinCompletedProps {
  /** Null if the account exists, but its first session was not received. */
  member: Me | null
  /** The page to return to. */
  returnTo: string | undefined
}

/** The next steps after joining. */
export function JoinCompleted({ member, returnTo }: JoinCompletedProps) {
  if (!member) {
    return (
      <Button
        variant="primary"
        size="l"
        full
        render={<Link to="/login" search={returnTo ? { redirect: returnTo } : {}} />}
      >
        <Trans>Sign in</Trans>
      </Button>
    )
  }
  return (
    <div className={styles.next}>
      {returnTo ? (
        <Button variant="primary" size="l" full render={<Link to={returnTo} />}>
          <Trans>Continue</Trans>
        </Button>
      ) : (
        <Button variant="primary" size="l" full render={<Link to="/products" />}>
          <Trans>Browse the store</Trans>
        </Button>
      )}
      <Button size="l" full render={<Link to="/mypages" />}>
        <Trans>Your account</Trans>
      </Button>
      <p className={styles.note}>
        <Trans>
          You can update your name, phone, address, and email preferences in{' '}
          <Link to="/mypages/profile" className={styles.link}>
            your profile
          </Link>
          .
        </Trans>
      </p>
    </div>
  )
}
