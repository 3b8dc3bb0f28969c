import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { type ConsoleApi, useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { meKey } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { FormButtons, onSubmit, PasswordField } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { addPasskey, hasPasskeys, PasskeyRefusal } from './passkey'
import { RecoveryCodes } from './second-factor-setup'

const passkeysKey = ['passkeys'] as const
const passkeysQuery = (api: ConsoleApi) => queryOptions({ queryKey: passkeysKey, queryFn: () => api.staff.passkeys() })
const changes = [passkeysKey, meKey]

type PasskeyId = Awaited<ReturnType<ConsoleApi['staff']['passkeys']>>['items'][number]['id']

function NewPasskey({ onDone, onBack }: { onDone: (codes: string[]) => void; onBack: () => void }) {
  const { t } = useLingui()
  const api = useApi()
  const add = useWrite((input: { name: string; password: string }) => addPasskey(api, input), {
    done: t`Passkey added`,
    changes,
    onDone: ({ codes }) => onDone(codes),
  })
  return (
    <form className={form.form} onSubmit={onSubmit(({ name = '', password = '' }) => add.send({ name, password }))}>
      <PasskeyRefusal failure={add.failure} />
      <TextField
        label={t`Name`}
        hint={t`So that you recognize it, for example “Phone”.`}
        name="name"
        error={add.failure?.fields.name}
        maxLength={60}
        required
      />
      <PasswordField error={add.failure?.fields.password} />
      <FormButtons isPending={add.isPending} onBack={onBack}>
        <Trans>Add</Trans>
      </FormButtons>
    </form>
  )
}

function Removal({ id, name, onBack }: { id: PasskeyId; name: string; onBack: () => void }) {
  const { t } = useLingui()
  const api = useApi()
  const remove = useWrite(api.staff.removePasskey, { done: t`Passkey removed`, changes, onClose: onBack })
  return (
    <form className={form.form} onSubmit={onSubmit(({ password = '' }) => remove.send({ id, password }))}>
      <PasskeyRefusal failure={remove.failure} />
      <p>
        <Trans>“{name}” will no longer sign you in. Delete it on your device as well.</Trans>
      </p>
      <PasswordField error={remove.failure?.fields.password} />
      <FormButtons isPending={remove.isPending} onBack={onBack}>
        <Trans>Remove</Trans>
      </FormButtons>
    </form>
  )
}

type State = 'LIST' | 'ADD' | { removed: { id: PasskeyId; name: string } } | { codes: readonly string[] }

/** The passkeys with which the person signs in at this store. */
export function Passkeys() {
  const api = useApi()
  const { dateTime } = useFormat()
  const passkeys = useQuery(passkeysQuery(api))
  const [state, setState] = useState<State>('LIST')
  const showList = () => setState('LIST')
  return (
    <Section
      title={<Trans>Passkeys</Trans>}
      actions={
        state === 'LIST' &&
        hasPasskeys() && (
          <Button size="s" onClick={() => setState('ADD')}>
            <Trans>Add a passkey</Trans>
          </Button>
        )
      }
    >
      <p>
        <Trans>
          Sign in with your fingerprint, face or device PIN. It replaces the password and the code of the app.
        </Trans>
      </p>
      {!hasPasskeys() && (
        <Notice>
          <Trans>This browser has no passkeys, or the console is not opened over https.</Trans>
        </Notice>
      )}
      {state === 'ADD' && (
        <NewPasskey onDone={(codes) => setState(codes.length > 0 ? { codes } : 'LIST')} onBack={showList} />
      )}
      {typeof state === 'object' && 'codes' in state && (
        <RecoveryCodes codes={state.codes} onSaved={showList}>
          <Trans>The passkey is added. Save these recovery codes: they are shown only now.</Trans>
        </RecoveryCodes>
      )}
      {typeof state === 'object' && 'removed' in state && <Removal {...state.removed} onBack={showList} />}
      {state === 'LIST' && (
        <Loaded query={passkeys}>
          {({ items }) => (
            <RemovableRows
              items={items.map(({ id, name, host, createdAt, lastUsedAt }) => ({
                key: id,
                title: name,
                detail: lastUsedAt ? (
                  <Trans>
                    {host} · last used {dateTime(lastUsedAt)}
                  </Trans>
                ) : (
                  <Trans>
                    {host} · added {dateTime(createdAt)}
                  </Trans>
                ),
                end: (
                  <Button size="s" variant="outline" onClick={() => setState({ removed: { id, name } })}>
                    <Trans>Remove</Trans>
                  </Button>
                ),
              }))}
            />
          )}
        </Loaded>
      )}
    </Section>
  )
}
