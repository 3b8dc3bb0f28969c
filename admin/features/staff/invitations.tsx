import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { EmailField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { isLanguage } from '../../platform/i18n'
import { notify } from '../../platform/notifications'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { permissionLabels } from '../../ui/permission-labels'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { grantOf, useRoleName, useRoleOptions } from './role-labels'
import { invitationsQuery } from './staff.queries'

const changes = [['staff']]

function InviteForm() {
  const { t, i18n } = useLingui()
  const api = useApi()
  const { query, optionsOf } = useRoleOptions()
  const invite = useWrite(
    ({ email, role }: { email: string; role: string }) =>
      api.staff.invite({ email, grant: grantOf(role), ...(isLanguage(i18n.locale) && { locale: i18n.locale }) }),
    { changes, onDone: ({ url }) => url === null && notify('success', t`Invitation sent`) },
  )
  const url = invite.answer?.url
  const [role, setRole] = useState('SUPPORT')
  if (!query.data) return <Loaded query={query}>{() => null}</Loaded>
  const chosen = query.data.items.find((each) => (each.role ?? each.id) === role)
  const permissions = chosen?.permissions.map((each) => i18n._(permissionLabels[each])).join(' · ')
  return (
    <form
      className={form.form}
      onSubmit={onSubmit(({ email = '', role = '' }, element) =>
        invite.send({ email, role }, { onSuccess: () => element.reset() }),
      )}
    >
      <Refusal failure={invite.failure?.fields.email ? undefined : invite.failure} />
      {url && (
        <Notice tone="warning">
          <p>
            <Trans>No email was sent, because the installation has no mail server. Give this link to the person:</Trans>
          </p>
          <p dir="ltr">{url}</p>
          <CopyButton
            text={url}
            labels={{ copy: t`Copy`, copied: t`Copied`, what: t`Copy the link of the invitation` }}
          />
        </Notice>
      )}
      <EmailField label={t`Email`} autoComplete="off" required error={invite.failure?.fields.email} />
      <Select
        label={t`Role`}
        name="role"
        options={optionsOf(query.data)}
        value={role}
        onChange={({ target }) => setRole(target.value)}
      />
      <p>
        <Trans>May: {permissions}</Trans>
      </p>
      <div className={form.buttons}>
        <Button type="submit" loading={invite.isPending}>
          <Trans>Invite</Trans>
        </Button>
      </div>
    </form>
  )
}

/** Invitations that nobody has accepted yet, and the form that sends one. */
export function Invitations() {
  const { t } = useLingui()
  const { date } = useFormat()
  const api = useApi()
  const may = useMay()
  const roleName = useRoleName()
  const invitations = useQuery(invitationsQuery(api))
  const revoke = useWrite(api.staff.revokeInvitation, { done: t`Invitation revoked`, changes, notifiesFailure: true })
  return (
    <Section title={<Trans>Invitations</Trans>}>
      <Loaded query={invitations}>
        {({ items }) =>
          items.length === 0 ? (
            <p>
              <Trans>No invitation is open.</Trans>
            </p>
          ) : (
            <RemovableRows
              items={items.map((invitation) => ({
                key: invitation.id,
                title: <bdi>{invitation.email}</bdi>,
                detail: t`${roleName(invitation)} · until ${date(invitation.expiresAt)}`,
                end: may('staff:write') && (
                  <Button size="s" loading={revoke.isPending} onClick={() => revoke.send({ id: invitation.id })}>
                    <Trans>Revoke</Trans>
                  </Button>
                ),
              }))}
            />
          )
        }
      </Loaded>
      {may('staff:write') && <InviteForm />}
    </Section>
  )
}
