import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { useApi } from '../../platform/client'
import { meKey, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormGuard } from '../../ui/form-guard'
import { Page, Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { EmailChange } from './email-change'
import { NewPasswordField } from './new-password'
import { Passkeys } from './passkeys'
import { SecondFactorSetup } from './second-factor-setup'
import { Sessions } from './sessions'

function Profile() {
  const { t } = useLingui()
  const me = useMe()
  const api = useApi()
  const [isMoving, setIsMoving] = useState(false)
  const change = useWrite(api.staff.changeProfile, { done: t`Profile saved`, changes: [meKey] })
  return (
    <Section title={<Trans>Profile</Trans>}>
      <form className={form.form} onSubmit={onSubmit(({ name = '' }) => change.send({ name }))}>
        <FormGuard write={change} part="profile" />
        <Refusal failure={change.failure} />
        <TextField
          label={t`Name`}
          name="name"
          defaultValue={me.name}
          error={change.failure?.fields.name}
          autoComplete="name"
          maxLength={80}
          required
        />
        <TextField label={t`Email`} value={me.email} readOnly dir="ltr" />
        <div className={form.buttons}>
          <Button type="submit" variant="primary" loading={change.isPending}>
            <Trans>Save</Trans>
          </Button>
          <Button onClick={() => setIsMoving(true)}>
            <Trans>Change the email address</Trans>
          </Button>
        </div>
      </form>
      {isMoving && <EmailChange onClose={() => setIsMoving(false)} />}
    </Section>
  )
}

function Password() {
  const { t } = useLingui()
  const me = useMe()
  const [changes, setChanges] = useState(0)
  const api = useApi()
  const change = useWrite(api.staff.changePassword, {
    done: t`Password changed. All other sessions have ended.`,
    changes: [['sessions']],
  })
  return (
    <Section title={<Trans>Password</Trans>}>
      <form
        className={form.form}
        onSubmit={onSubmit(({ currentPassword = '', newPassword = '' }, element) =>
          change.send(
            { currentPassword, newPassword },
            {
              onSuccess: () => {
                element.reset()
                setChanges(changes + 1)
              },
            },
          ),
        )}
      >
        <Refusal failure={change.failure} />
        <PasswordField
          label={t`Current password`}
          name="currentPassword"
          error={change.failure?.fields.currentPassword}
        />
        <NewPasswordField
          // Empty again after a change.
          key={changes}
          name="newPassword"
          error={change.failure?.fields.newPassword}
          personal={[me.email, me.name]}
        />
        <div className={form.buttons}>
          <Button type="submit" loading={change.isPending}>
            <Trans>Change password</Trans>
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** The signed-in person's own account. */
export function Account() {
  const { t } = useLingui()
  return (
    <Page title={t`Your account`}>
      <Profile />
      <Password />
      <Passkeys />
      <SecondFactorSetup />
      <Sessions />
    </Page>
  )
}
