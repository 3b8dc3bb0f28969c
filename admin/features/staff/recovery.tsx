import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import { NewPasswordField } from './new-password'
import styles from './sign-in.module.css'

/** Asks for a mail with a link that sets a new password. */
export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const { t } = useLingui()
  const api = useApi()
  const request = useWrite(api.staff.requestReset)
  return (
    <form className={styles.form} onSubmit={onSubmit(({ email = '' }) => request.send({ email }))}>
      <Refusal failure={request.failure} />
      {request.isDone ? (
        <Notice tone="success" urgent>
          <Trans>
            If this address belongs to the staff of the store, an email with a link is on its way. The link is valid for
            30 minutes.
          </Trans>
        </Notice>
      ) : (
        <>
          <p className={styles.text}>
            <Trans>Enter your email address. We send you a link to set a new password.</Trans>
          </p>
          <EmailField label={t`Email`} required />
          <Button type="submit" variant="primary" full loading={request.isPending}>
            <Trans>Send link</Trans>
          </Button>
        </>
      )}
      <Button variant="ghost" full onClick={onBack}>
        <Trans>Back to sign-in</Trans>
      </Button>
    </form>
  )
}

/** Sets a new password with the key of a mail's link. */
export function NewPassword({ resetKey, onEnd }: { resetKey: string; onEnd: () => void }) {
  const api = useApi()
  const reset = useWrite(api.staff.reset)
  const isExpired = reset.failure?.status === 404
  if (reset.isDone || isExpired)
    return (
      <div className={styles.form}>
        {isExpired ? (
          <Notice tone="danger" urgent>
            <Trans>This link has expired or was used. Request a new one from the sign-in page.</Trans>
          </Notice>
        ) : (
          <Notice tone="success" urgent>
            <Trans>Your password was changed, and all sessions were ended. Sign in with the new password.</Trans>
          </Notice>
        )}
        <Button variant="primary" full onClick={onEnd}>
          <Trans>Continue to sign-in</Trans>
        </Button>
      </div>
    )
  return (
    <form className={styles.form} onSubmit={onSubmit(({ password = '' }) => reset.send({ key: resetKey, password }))}>
      <Refusal failure={reset.failure} />
      <NewPasswordField name="password" error={reset.failure?.fields.password} />
      <Button type="submit" variant="primary" full loading={reset.isPending}>
        <Trans>Set password</Trans>
      </Button>
    </form>
  )
}
