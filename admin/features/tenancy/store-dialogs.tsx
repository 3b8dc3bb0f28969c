import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ManagedStore, StoreInvited } from '#contract/admin/stores.ts'
import { hostIn } from '#contract/web-addresses.ts'
import { Select } from '~/ui/select'
import { EmailField } from '~/ui/text-field'
import { useWrite } from '../../platform/use-write'
import { CodeConfirmation } from '../../ui/code-confirmation'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { TextArea } from '../../ui/text-field'
import { storeChanges, useStoresApi } from './stores.queries'

interface StoreDialogProps {
  store: ManagedStore
  onClose: () => void
}

/**
 * Takes the store offline after its code was typed. The contract of a store that is offline for a
 * while can still end.
 */
export function SuspendDialog({ store, onClose }: StoreDialogProps) {
  const { t } = useLingui()
  const api = useStoresApi()
  const [{ code, version, state }] = useState(store)
  const isOffline = state === 'CLOSED'
  const [typed, setTyped] = useState('')
  const suspend = useWrite(
    ({ reason, note }: { reason: string; note: string }) =>
      api.suspend(
        {
          code,
          confirmation: typed,
          reason: isOffline || reason === 'CONTRACT_ENDED' ? 'CONTRACT_ENDED' : 'PAUSED',
          note,
        },
        { context: { ifMatch: version } },
      ),
    { done: t`The store is offline`, changes: storeChanges, onClose },
  )
  return (
    <FormDialog
      title={isOffline ? <Trans>End the contract of the store?</Trans> : <Trans>Take the store offline?</Trans>}
      action={isOffline ? <Trans>End the contract</Trans> : <Trans>Take offline</Trans>}
      variant="danger"
      writes={[suspend]}
      isDisabled={typed !== code}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ reason = '', note = '' }) => suspend.send({ reason, note }))}
        >
          <WriteRefusal failure={suspend.failure} queryKey={['stores']} onLoaded={onClose} />
          <p>
            {isOffline ? (
              <Trans>Its staff cannot sign in until you bring it back. Nothing is deleted.</Trans>
            ) : (
              <Trans>Nobody can buy or watch until you bring it back. Nothing is deleted.</Trans>
            )}
          </p>
          {!isOffline && (
            <Select
              label={t`Why`}
              hint={t`For a while: visitors read that it will be back. Contract ended: its staff cannot sign in either.`}
              name="reason"
              options={[
                { value: 'PAUSED', label: t`For a while` },
                { value: 'CONTRACT_ENDED', label: t`Contract ended` },
              ]}
            />
          )}
          <TextArea
            label={t`Note`}
            hint={t`For the store’s history. Its staff can read it.`}
            name="note"
            maxLength={500}
            rows={2}
          />
          <CodeConfirmation code={code} typed={typed} onType={setTyped} error={suspend.failure?.fields.confirmation} />
        </form>
      )}
    </FormDialog>
  )
}

/** Sets the hosts at which visitors find the store. */
export function DomainsDialog({ store, onClose }: StoreDialogProps) {
  const { t } = useLingui()
  const api = useStoresApi()
  const [{ code, version, hosts }] = useState(store)
  const save = useWrite(
    (texts: readonly string[]) => api.setHosts({ code, hosts: [...texts] }, { context: { ifMatch: version } }),
    { done: t`Domains saved`, changes: storeChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Domains of the store</Trans>}
      action={<Trans>Save</Trans>}
      writes={[save]}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ hosts: text = '' }) => save.send(text.split(/[\s,]+/).filter((host) => host !== '')))}
        >
          <WriteRefusal failure={save.failure} queryKey={['stores']} onLoaded={onClose} />
          <TextArea
            label={t`Domains`}
            hint={t`One per line. They take effect immediately, without a check of the DNS.`}
            name="hosts"
            defaultValue={hosts.join('\n')}
            rows={Math.min(8, hosts.length + 2)}
            spellCheck={false}
            // The hosts of addresses that were pasted.
            onBlur={({ target }) => {
              target.value = target.value.split('\n').map(hostIn).join('\n')
            }}
            required
            dir="ltr"
            error={save.failure?.fields.hosts}
          />
        </form>
      )}
    </FormDialog>
  )
}

/** Invites a further owner. */
export function OwnerDialog({
  store: { code },
  onClose,
  onInvited,
}: StoreDialogProps & { onInvited: (invited: StoreInvited) => void }) {
  const { t } = useLingui()
  const api = useStoresApi()
  const invite = useWrite((email: string) => api.inviteOwner({ code, email }), {
    changes: storeChanges,
    onDone: onInvited,
  })
  return (
    <FormDialog
      title={<Trans>Invite an owner</Trans>}
      action={<Trans>Invite</Trans>}
      writes={[invite]}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(({ email = '' }) => invite.send(email))}>
          <Refusal failure={invite.failure} />
          <p>
            <Trans>For a store whose owners have lost their access. They are not removed.</Trans>
          </p>
          <EmailField label={t`Email`} autoComplete="off" required error={invite.failure?.fields.email} />
        </form>
      )}
    </FormDialog>
  )
}
