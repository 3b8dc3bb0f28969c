import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { useWrite } from '../../platform/use-write'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import styles from './sign-in.module.css'

/** Asks for another address to sign in with, which changes once a link at it is followed. */
export function EmailChange({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const api = useApi()
  const request = useWrite(api.staff.requestEmailChange)
  const sentTo = request.isDone ? request.sent?.email : undefined
  return (
    <FormDialog
      title={<Trans>Change the email address</Trans>}
      action={sentTo === undefined ? <Trans>Send link</Trans> : <Trans>Close</Trans>}
      writes={[request]}
      onClose={onClose}
    >
      {(formId) =>
        sentTo === undefined ? (
          <form
            id={formId}
            className={form.form}
            onSubmit={onSubmit(({ email = '', password = '' }) => request.send({ email, password }))}
          >
            <p>
              <Trans>You get a link at the new address. Until you follow it, your address stays as it is.</Trans>
            </p>
            <Refusal failure={request.failure} />
            <EmailField
              label={t`New email address`}
              autoComplete="off"
              required
              error={request.failure?.fields.email}
            />
            <PasswordField error={request.failure?.fields.password} />
          </form>
        ) : (
          <form id={formId} className={form.form} onSubmit={onSubmit(onClose)}>
            <Notice tone="success" urgent>
              <Trans>
                We sent a link to <bdi>{sentTo}</bdi>. Follow it within 30 minutes. Until then your address stays as it
                is.
              </Trans>
            </Notice>
          </form>
        )
      }
    </FormDialog>
  )
}

/** Confirms a new address with the key of a mail's link. */
export function EmailConfirmation({ emailKey, onEnd }: { emailKey: string; onEnd: () => void }) {
  const api = useApi()
  const confirm = useWrite(() => api.staff.confirmEmailChange({ key: emailKey }))
  const isExpired = confirm.failure?.status === 404
  if (confirm.answer || isExpired)
    return (
      <div className={styles.form}>
        {confirm.answer ? (
          <Notice tone="success" urgent>
            <Trans>
              Sign in with <bdi>{confirm.answer.email}</bdi> from now on.
            </Trans>
          </Notice>
        ) : (
          <Notice tone="danger" urgent>
            <Trans>This link has expired or was used. Request a new one under your account.</Trans>
          </Notice>
        )}
        <Button variant="primary" full onClick={onEnd}>
          <Trans>Continue to the console</Trans>
        </Button>
      </div>
    )
  return (
    <form className={styles.form} onSubmit={onSubmit(() => confirm.send(undefined))}>
      <Refusal failure={confirm.failure} />
      <p className={styles.text}>
        <Trans>
          You sign in with this address at all your stores from now on, and your other sessions end. The former address
          gets an email.
        </Trans>
      </p>
      <Button type="submit" variant="primary" full loading={confirm.isPending}>
        <Trans>Confirm the address</Trans>
      </Button>
    </form>
  )
}
