import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreStatus } from '#contract/admin/store.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { PreviewSection } from '../../ui/preview-section'
import { Rows } from '../../ui/rows'
import { StatusBadge } from '../../ui/status'
import { CloseStore, MaintenanceSection } from './close-store'
import { LaunchSteps } from './launch-steps'
import { storeStatusQuery } from './store.queries'
import { storeStatusOf } from './store-states'

/** Opens a store that only its own machine can reach, without what it cannot have there. */
function TryStore({ status: { canTry } }: { status: StoreStatus }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('store:write')
  const open = useWrite(() => api.admin.store.open({ isTry: true }), {
    done: t`The store is open`,
    changes: [['store-status']],
  })
  return (
    <Section title={<Trans>Try it on this machine</Trans>}>
      <p>
        <Trans>
          Only this machine can reach the store. You can open it here for a try, without a domain, a payment provider
          and a mail server. It closes again when its first domain is verified.
        </Trans>
      </p>
      <Refusal failure={open.failure} />
      {!canTry ? (
        <p>
          <Trans>The other steps come first.</Trans>
        </p>
      ) : isAllowed ? (
        <div className={form.buttons}>
          <Button loading={open.isPending} onClick={() => open.send(undefined)}>
            <Trans>Open it for a try</Trans>
          </Button>
        </div>
      ) : (
        <p>
          <Trans>Only the owner can open it.</Trans>
        </p>
      )}
    </Section>
  )
}

function Preview() {
  const api = useAdminApi()
  return (
    <PreviewSection create={(at) => api.admin.store.createPreview({ at })} changes={[['store-status']]}>
      <Trans>
        Anyone with the link sees the store, drafts included, or as visitors will see it on a day: products, prices,
        banners, notices and pages.
      </Trans>
    </PreviewSection>
  )
}

function StoreDetail({ status, title }: { status: StoreStatus; title: string }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('store:write')
  const [isClosing, setClosing] = useState(false)
  const { state, tryState, items, origins, history, maintenance } = status
  const isReady = items.every((item) => item.state === 'ADVISED')
  const open = useWrite(() => api.admin.store.open(), { done: t`The store is open`, changes: [['store-status']] })
  const isClosed = state === 'COMING_SOON'
  const isLocal = items.some(({ code, state }) => code === 'LOCAL_HOSTS' && state === 'MISSING')
  return (
    <Page
      title={title}
      badge={<StatusBadge status={storeStatusOf({ state, neverOpened: maintenance === null })} />}
      actions={
        isAllowed &&
        (isClosed ? (
          <Button variant="primary" disabled={!isReady} loading={open.isPending} onClick={() => open.send(undefined)}>
            <Trans>Open the store</Trans>
          </Button>
        ) : (
          state === 'OPEN' && (
            <Button onClick={() => setClosing(true)}>
              <Trans>Close the store</Trans>
            </Button>
          )
        ))
      }
    >
      <Refusal failure={open.failure} />
      {tryState === 'RUNNING' && (
        <Notice>
          <Trans>
            The store is open for a try: only this machine can reach it. It closes when its first domain is verified,
            and then opens once nothing below is missing.
          </Trans>
        </Notice>
      )}
      {isClosed && tryState === 'ENDED' && !isLocal && (
        <Notice tone="warning">
          <Trans>The try has ended, because visitors can reach the store at its domain now.</Trans>
        </Notice>
      )}
      {isClosed && (
        <Notice>
          {!isReady ? (
            <Trans>The store is closed to visitors. It can open once nothing below is missing.</Trans>
          ) : isAllowed ? (
            <Trans>The store is closed to visitors. Everything is ready: open it when you are.</Trans>
          ) : (
            <Trans>The store is closed to visitors. Everything is ready for the owner to open it.</Trans>
          )}
        </Notice>
      )}
      {state === 'CLOSED' && (
        <Notice tone="warning">
          <Trans>The administrator of the installation has taken the store offline.</Trans>
        </Notice>
      )}
      <Columns
        aside={
          <>
            {maintenance && <MaintenanceSection value={maintenance} isAllowed={isAllowed} />}
            <Preview />
            <Section
              title={<Trans>Domains</Trans>}
              actions={
                <Button size="s" render={<Link to="/store/domains" />}>
                  <Trans>Manage domains</Trans>
                </Button>
              }
            >
              <Rows items={origins.map((origin) => ({ key: origin, title: <a href={origin}>{origin}</a> }))} />
            </Section>
            <Section
              title={<Trans>Payments</Trans>}
              actions={
                <Button size="s" render={<Link to="/store/payments" />}>
                  <Trans>Payment provider</Trans>
                </Button>
              }
            >
              <p>
                <Trans>The provider that takes the payments of members.</Trans>
              </p>
            </Section>
            <Section
              title={<Trans>Emails</Trans>}
              actions={
                <Button size="s" render={<Link to="/store/mail-server" />}>
                  <Trans>Mail server</Trans>
                </Button>
              }
            >
              <p>
                <Trans>The server that sends the emails of the store.</Trans>
              </p>
            </Section>
            <History entries={history} />
          </>
        }
      >
        <Section
          title={isClosed && maintenance === null ? <Trans>Before you open</Trans> : <Trans>Launch checklist</Trans>}
        >
          <LaunchSteps items={items} />
        </Section>
        {isClosed && isLocal && <TryStore status={status} />}
      </Columns>
      {isClosing && <CloseStore onClose={() => setClosing(false)} />}
    </Page>
  )
}

/** Whether visitors see the store, and what it lacks. */
export function StorePage({ isHome = false }: { isHome?: boolean }) {
  const { t } = useLingui()
  const status = useQuery(storeStatusQuery(useAdminApi()))
  const title = isHome ? t`Home` : t`Store`
  return (
    <LoadedPage title={title} query={status}>
      {(data) => <StoreDetail status={data} title={title} />}
    </LoadedPage>
  )
}
