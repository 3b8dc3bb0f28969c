import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { useWrite } from '../../platform/use-write'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import styles from './sign-in.module.css'

/** Changes the address with which the person signs in, once a link at the new one is followed. */
export function EmailChange({ email: present }: { email: string }) {
  const { t } = useLingui()
  const api = useApi()
  const [sentTo, setSentTo] = useState<string>()
  const request = useWrite(api.staff.requestEmailChange)
  return (
    <Section title={<Trans>Email address</Trans>}>
      <p>
        <Trans>
          You sign in with <bdi>{present}</bdi>.
        </Trans>
      </p>
      {sentTo !== undefined && (
        <Notice tone="success" urgent>
          <Trans>
            We sent a link to <bdi>{sentTo}</bdi>. Follow it within 30 minutes. Until then your address stays as it is.
          </Trans>
        </Notice>
      )}
      <form
        className={form.form}
        onSubmit={onSubmit(({ email = '', password = '' }, element) =>
          request.send(
            { email, password },
            {
              onSuccess: () => {
                element.reset()
                setSentTo(email)
              },
            },
          ),
        )}
      >
        <Refusal failure={request.failure} />
        <EmailField
          label={t`New email address`}
          autoComplete="off"
          maxLength={254}
          required
          error={request.failure?.fields.email}
        />
        <PasswordField error={request.failure?.fields.password} />
        <div className={form.buttons}>
          <Button type="submit" loading={request.isPending}>
            <Trans>Send link</Trans>
          </Button>
        </div>
      </form>
    </Section>
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
        <Trans>You sign in with this address at all your stores from now on. The former address gets an email.</Trans>
      </p>
      <Button type="submit" variant="primary" full loading={confirm.isPending}>
        <Trans>Confirm the address</Trans>
      </Button>
    </form>
  )
}
