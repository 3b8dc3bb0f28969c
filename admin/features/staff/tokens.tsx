import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { OperatorTokenId } from '#contract/ids.ts'
import { type Permission, permission } from '#contract/permissions.ts'
import { Button } from '~/ui/button'
import { useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { heldState } from '../../ui/form-draft'
import { FormGuard } from '../../ui/form-guard'
import { HistoryLink } from '../../ui/history-link'
import { Page, Section } from '../../ui/page'
import { permissionLabels } from '../../ui/permission-labels'
import { Rows } from '../../ui/rows'
import { SecretDialog } from '../../ui/secret-dialog'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { TextField } from '../../ui/text-field'
import { PermissionChoice } from './permission-choice'
import { tokensQuery } from './staff.queries'

const changes = [['staff', 'tokens']]

const statuses = {
  LIVE: { label: msg`Live`, tone: 'success' },
  EXPIRED: { label: msg`Expired`, tone: 'neutral' },
  REVOKED: { label: msg`Revoked`, tone: 'neutral' },
} as const

function CreateForm() {
  const { t } = useLingui()
  const api = useApi()
  const [chosen, setChosen] = useState<readonly Permission[]>([])
  const [token, setToken] = useState<string>()
  const create = useWrite(
    ({ name, days }: { name: string; days: number }) => api.staff.createToken({ name, days, scopes: [...chosen] }),
    { changes, onDone: (created) => setToken(created.token) },
  )
  if (token)
    return (
      <SecretDialog
        title={<Trans>Token created</Trans>}
        warning={<Trans>Copy the token now: it is shown only once.</Trans>}
        secret={token}
        copyLabel={t`Copy the token`}
        onClose={() => setToken(undefined)}
      />
    )
  return (
    <form
      className={form.form}
      onSubmit={onSubmit(({ name = '', days = '' }) => create.send({ name, days: Number(days) }))}
    >
      <FormGuard write={create} part="token" held={heldState(chosen, z.array(permission), setChosen)} />
      <Refusal failure={create.failure} />
      <TextField
        label={t`Name`}
        hint={t`The program that uses it.`}
        name="name"
        maxLength={80}
        required
        error={create.failure?.fields.name}
      />
      <TextField
        label={t`Days until it expires`}
        name="days"
        type="number"
        min={1}
        max={366}
        defaultValue="90"
        required
        error={create.failure?.fields.days}
      />
      <PermissionChoice chosen={chosen} onChange={setChosen} error={create.failure?.fields.scopes} />
      <div className={form.buttons}>
        <Button type="submit" loading={create.isPending}>
          <Trans>Create token</Trans>
        </Button>
      </div>
    </form>
  )
}

function Revoke({ id, name }: { id: OperatorTokenId; name: string }) {
  const { t } = useLingui()
  const api = useApi()
  const revoke = useWrite(() => api.staff.revokeToken({ id }), {
    done: t`Token revoked`,
    changes,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Revoke the token ${name}?`,
    text: <Trans>Programs that use it are refused at once.</Trans>,
    action: t`Revoke`,
    onConfirm: () => revoke.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" onClick={confirm.ask}>
        <Trans>Revoke</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}

/** The tokens of programs, with their scopes. */
export function Tokens() {
  const { t, i18n } = useLingui()
  const { date, dateTime } = useFormat()
  const may = useMay()
  const tokens = useQuery(tokensQuery(useApi()))
  return (
    <Page title={t`Tokens`}>
      <Section title={<Trans>Tokens of programs</Trans>}>
        <Loaded query={tokens}>
          {({ items }) =>
            items.length === 0 ? (
              <p>
                <Trans>No program has a token.</Trans>
              </p>
            ) : (
              <Rows
                items={items.map(({ id, name, scopes, status, expiresAt, lastUsedAt }) => ({
                  key: id,
                  title: (
                    <>
                      <bdi>{name}</bdi> <StatusBadge status={statuses[status]} />
                    </>
                  ),
                  detail: [
                    scopes.map((scope) => i18n._(permissionLabels[scope])).join(', '),
                    expiresAt ? t`expires on ${date(expiresAt)}` : t`never expires`,
                    lastUsedAt ? t`last used ${dateTime(lastUsedAt)}` : t`never used`,
                  ].join(' · '),
                  end: (
                    <>
                      <HistoryLink subject={`operator:${name}`} name={name} />
                      {status === 'LIVE' && may('staff:write') && <Revoke id={id} name={name} />}
                    </>
                  ),
                }))}
              />
            )
          }
        </Loaded>
      </Section>
      {may('staff:write') && (
        <Section title={<Trans>New token</Trans>}>
          <CreateForm />
        </Section>
      )}
    </Page>
  )
}
