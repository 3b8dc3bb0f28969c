import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ManagedStore, StoreInvited } from '#contract/admin/stores.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { EmailField, TextArea, TextField } from '~/ui/text-field'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { StatusBadge } from '../../ui/status'
import { storeLanguages } from '../../ui/store-languages'
import { useRoleName } from '../staff/role-labels'
import { InvitationDialog } from './new-store'
import { ReadOnlyNotice } from './store-list'
import { storeStateLabels } from './store-states'
import { managedStoreQuery, storeChanges, useStoresApi } from './stores.queries'

const route = getRouteApi('/stores/$code')

interface StoreDialogProps {
  store: ManagedStore
  onClose: () => void
}

/** Takes the store offline after its code was typed. */
function SuspendDialog({ store, onClose }: StoreDialogProps) {
  const { t } = useLingui()
  const api = useStoresApi()
  const [{ code, version }] = useState(store)
  const [typed, setTyped] = useState('')
  const suspend = useWrite(
    ({ reason, note }: { reason: string; note: string }) =>
      api.suspend(
        { code, confirmation: typed, reason: reason === 'CONTRACT_ENDED' ? reason : 'PAUSED', note },
        { context: { ifMatch: version } },
      ),
    { done: t`The store is offline`, changes: storeChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Take the store offline?</Trans>}
      action={<Trans>Take offline</Trans>}
      variant="danger"
      isPending={suspend.isPending}
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
            <Trans>Nobody can buy or watch until you bring it back. Nothing is deleted.</Trans>
          </p>
          <Select
            label={t`Why`}
            name="reason"
            options={[
              { value: 'PAUSED', label: t`For a while: visitors read that it will be back` },
              { value: 'CONTRACT_ENDED', label: t`Contract ended: its staff cannot sign in either` },
            ]}
          />
          <TextArea
            label={t`Note`}
            hint={t`For the store’s history. Its staff can read it.`}
            name="note"
            maxLength={500}
            rows={2}
          />
          <TextField
            label={t`Type ${code} to confirm`}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
            autoCapitalize="none"
            dir="ltr"
            required
            error={suspend.failure?.fields.confirmation}
          />
        </form>
      )}
    </FormDialog>
  )
}

/** Sets the hosts at which visitors find the store. */
function DomainsDialog({ store, onClose }: StoreDialogProps) {
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
      isPending={save.isPending}
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
            hint={t`One a line. They count at once, without a proof in the DNS.`}
            name="hosts"
            defaultValue={hosts.join('\n')}
            rows={Math.min(8, hosts.length + 2)}
            spellCheck={false}
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
function OwnerDialog({
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
      isPending={invite.isPending}
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

/** Who manages the store. */
function People({ store, canInvite }: { store: ManagedStore; canInvite: boolean }) {
  const { t } = useLingui()
  const { date } = useFormat()
  const roleName = useRoleName()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<StoreInvited>()
  const { people, invitations } = store
  return (
    <Section
      title={<Trans>People</Trans>}
      actions={
        canInvite && (
          <Button size="s" onClick={() => setInviting(true)}>
            <Trans>Invite an owner</Trans>
          </Button>
        )
      }
    >
      {people.length + invitations.length === 0 && (
        <p>
          <Trans>Nobody manages this store yet.</Trans>
        </p>
      )}
      <Rows
        items={[
          ...people.map((person) => ({
            key: person.id,
            title: <bdi>{person.name}</bdi>,
            detail: [
              person.email,
              person.lastSeenAt ? t`last seen ${date(person.lastSeenAt)}` : t`never signed in`,
            ].join(' · '),
            end: roleName(person),
          })),
          ...invitations.map((invitation) => ({
            key: invitation.id,
            title: <bdi>{invitation.email}</bdi>,
            detail: t`Invited, until ${date(invitation.expiresAt)}`,
            end: (
              <Badge>
                <Trans>Invited</Trans>
              </Badge>
            ),
          })),
        ]}
      />
      {isInviting && (
        <OwnerDialog
          store={store}
          onClose={() => setInviting(false)}
          onInvited={(answer) => {
            setInviting(false)
            setInvited(answer)
          }}
        />
      )}
      {invited && <InvitationDialog invited={invited} onClose={() => setInvited(undefined)} />}
    </Section>
  )
}

function Facts({ store }: { store: ManagedStore }) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const { code, locale, currency, timeZone, createdAt } = store
  return (
    <Section title={<Trans>Store</Trans>}>
      <DescriptionList
        rows={[
          { key: 'code', term: t`Code`, value: <bdi dir="ltr">{code}</bdi> },
          { key: 'language', term: t`Language`, value: storeLanguages[locale] },
          { key: 'currency', term: t`Currency`, value: currency },
          { key: 'zone', term: t`Time zone`, value: timeZone.replaceAll('_', ' ') },
          { key: 'created', term: t`Created`, value: dateTime(createdAt) },
        ]}
      />
    </Section>
  )
}

function Store({ store }: { store: ManagedStore }) {
  const { t } = useLingui()
  const api = useStoresApi()
  const isAllowed = useMay()('stores:write')
  const canWrite = isAllowed && store.canWrite
  const [opened, setOpened] = useState<'SUSPEND' | 'DOMAINS'>()
  const { code, name, state, origins, version, history } = store
  const isOffline = state === 'CLOSED' || state === 'ENDED'
  const resume = useWrite(() => api.resume({ code }, { context: { ifMatch: version } }), {
    done: t`The store is back`,
    changes: storeChanges,
  })
  const close = () => setOpened(undefined)
  return (
    <Page
      title={name}
      badge={<StatusBadge status={storeStateLabels[state]} />}
      actions={
        canWrite &&
        (isOffline ? (
          <Button variant="primary" loading={resume.isPending} onClick={() => resume.send(undefined)}>
            <Trans>Bring back</Trans>
          </Button>
        ) : (
          <Button onClick={() => setOpened('SUSPEND')}>
            <Trans>Take offline</Trans>
          </Button>
        ))
      }
    >
      <WriteRefusal failure={resume.failure} queryKey={['stores']} onLoaded={resume.reset} />
      {!store.canWrite && <ReadOnlyNotice />}
      {state === 'COMING_SOON' && (
        <Notice>
          <Trans>Visitors see a coming-soon page. The owner opens the store in its console.</Trans>
        </Notice>
      )}
      {state === 'ENDED' && (
        <Notice tone="warning">
          <Trans>Neither visitors nor its staff can use the store.</Trans>
        </Notice>
      )}
      <Columns
        aside={
          <>
            <Facts store={store} />
            <History entries={history} />
          </>
        }
      >
        <Section
          title={<Trans>Domains</Trans>}
          actions={
            canWrite && (
              <Button size="s" onClick={() => setOpened('DOMAINS')}>
                <Trans>Change domains</Trans>
              </Button>
            )
          }
        >
          <Rows
            items={origins.map((origin) => ({
              key: origin,
              title: <a href={origin}>{origin}</a>,
              end: (
                <a href={`${origin}/admin`}>
                  <Trans>Its console</Trans>
                </a>
              ),
            }))}
          />
        </Section>
        <People store={store} canInvite={isAllowed} />
      </Columns>
      {opened === 'SUSPEND' && <SuspendDialog store={store} onClose={close} />}
      {opened === 'DOMAINS' && <DomainsDialog store={store} onClose={close} />}
    </Page>
  )
}

/** A store of the installation: its state, domains and people. */
export function ManagedStorePage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const store = useQuery(managedStoreQuery(useStoresApi(), code))
  return (
    <LoadedPage title={t`Store`} query={store}>
      {(data) => <Store store={data} />}
    </LoadedPage>
  )
}
