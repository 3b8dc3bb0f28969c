import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ManagedStore, StoreInvited } from '#contract/admin/stores.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { StatusBadge } from '../../ui/status'
import { storeLanguages } from '../../ui/store-languages'
import { useRoleName } from '../staff/role-labels'
import { InvitationDialog } from './new-store'
import { DomainsDialog, OwnerDialog, SuspendDialog } from './store-dialogs'
import { CommandsOnlyNotice } from './store-list'
import { storeStatusOf } from './store-states'
import { managedStoreQuery, storeChanges, useStoresApi } from './stores.queries'

const route = getRouteApi('/stores/$code')

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
      badge={<StatusBadge status={storeStatusOf(store)} />}
      actions={
        canWrite &&
        (isOffline ? (
          <>
            {state === 'CLOSED' && (
              <Button onClick={() => setOpened('SUSPEND')}>
                <Trans>End the contract</Trans>
              </Button>
            )}
            <Button variant="primary" loading={resume.isPending} onClick={() => resume.send(undefined)}>
              <Trans>Bring back</Trans>
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpened('SUSPEND')}>
            <Trans>Take offline</Trans>
          </Button>
        ))
      }
    >
      <WriteRefusal failure={resume.failure} queryKey={['stores']} onLoaded={resume.reset} />
      {!store.canWrite && <CommandsOnlyNotice />}
      {state === 'COMING_SOON' && (
        <Notice>
          {store.neverOpened ? (
            <Trans>The store is not open yet. Its owner opens it in its console.</Trans>
          ) : (
            <Trans>The store is closed to visitors. Its owner opens it in its console.</Trans>
          )}
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
                <Button size="s" icon="external" render={<a href={`${origin}/admin`} />}>
                  <Trans>Open console</Trans>
                </Button>
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
