import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookEndpointView } from '#contract/admin/webhooks.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { StatusBadge } from '../../ui/status'
import { DeliveryLog } from './delivery-log'
import { EditEndpointDialog, EndpointSecret } from './endpoint-dialogs'
import { endpointStatus, eventLabels } from './webhook-labels'
import { endpointQuery, useWebhooksApi, webhookChanges } from './webhooks.queries'

const route = getRouteApi('/webhooks/$id')

/** Why nothing is sent to the endpoint, or what is wrong with it. */
function State({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { dateTime } = useFormat()
  const { disabledAt, disabledReason, failingSince } = endpoint
  if (disabledAt !== null)
    return (
      <Notice tone={disabledReason === 'STAFF' ? 'info' : 'warning'}>
        {disabledReason === 'GONE' && (
          <p>
            <Trans>The endpoint answered that it no longer exists (status 410).</Trans>
          </p>
        )}
        {disabledReason === 'FAILING' && (
          <p>
            <Trans>Every delivery to the endpoint has failed for 5 days.</Trans>
          </p>
        )}
        <p>
          <Trans>Nothing has been sent or recorded for it since {dateTime(disabledAt)}.</Trans>
        </p>
      </Notice>
    )
  if (failingSince === null) return null
  return (
    <Notice tone="warning">
      <Trans>Every delivery has failed since {dateTime(failingSince)}. After 5 days the endpoint is disabled.</Trans>
    </Notice>
  )
}

function Facts({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { t, i18n } = useLingui()
  const { dateTime } = useFormat()
  const { url, eventTypes, createdAt, previousSecretUntil } = endpoint
  return (
    <Section title={<Trans>Endpoint</Trans>}>
      <DescriptionList
        rows={[
          { key: 'url', term: t`Address`, value: <bdi dir="ltr">{url}</bdi> },
          { key: 'events', term: t`Events`, value: eventTypes.map((type) => i18n._(eventLabels[type])).join(', ') },
          { key: 'created', term: t`Created`, value: dateTime(createdAt) },
          ...(previousSecretUntil
            ? [{ key: 'secret', term: t`Former secret valid until`, value: dateTime(previousSecretUntil) }]
            : []),
        ]}
      />
    </Section>
  )
}

/** What is seldom done: a new secret, a pause, the end. */
function Management({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { t } = useLingui()
  const api = useWebhooksApi()
  const navigate = useNavigate()
  const { id, url, version, disabledAt } = endpoint
  const context = { ifMatch: version }
  const isEnabled = disabledAt === null
  const [secret, setSecret] = useState<string>()
  const rotate = useWrite(() => api.rotateSecret({ id }, { context }), {
    changes: webhookChanges,
    onDone: (rotated) => setSecret(rotated.secret),
  })
  const toggle = useWrite(() => api.change({ id, enabled: !isEnabled }, { context }), {
    done: isEnabled ? t`Endpoint disabled` : t`Endpoint enabled`,
    changes: webhookChanges,
  })
  const remove = useWrite(() => api.delete({ id }, { context }), {
    done: t`Endpoint deleted`,
    changes: [['webhooks', 'list']],
    onDone: () => void navigate({ to: '/webhooks' }),
  })
  const confirmRotation = useConfirm({
    title: t`Replace the signing secret?`,
    text: (
      <Trans>For 24 hours, requests are signed with both secrets. Give the new one to your program until then.</Trans>
    ),
    action: t`Replace secret`,
    onConfirm: () => rotate.sendAsync(undefined),
  })
  const confirmRemoval = useConfirm({
    title: t`Delete the endpoint?`,
    text: <Trans>Its log is deleted with it. Nothing more is sent to it.</Trans>,
    action: t`Delete`,
    word: new URL(url).host,
    onConfirm: () => remove.sendAsync(undefined),
  })
  const writes = [rotate, toggle, remove]
  const failed = writes.find(({ failure }) => failure !== undefined)
  // The version that an action sends is not the newest while another is on its way.
  const isBusy = writes.some(({ isPending }) => isPending)
  return (
    <Section title={<Trans>Manage</Trans>}>
      <WriteRefusal failure={failed?.failure} queryKey={['webhooks']} onLoaded={() => failed?.reset()} />
      <div className={form.buttons}>
        <Button loading={toggle.isPending} onClick={() => toggle.send(undefined)}>
          {isEnabled ? <Trans>Disable</Trans> : <Trans>Enable</Trans>}
        </Button>
        <Button disabled={isBusy} onClick={confirmRotation.ask}>
          <Trans>Replace secret</Trans>
        </Button>
        <Button variant="danger" disabled={isBusy} onClick={confirmRemoval.ask}>
          <Trans>Delete</Trans>
        </Button>
      </div>
      {confirmRotation.dialog}
      {confirmRemoval.dialog}
      {/* Once the question is closed: a dialog above it would close with it. */}
      {secret && !confirmRotation.dialog && <EndpointSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </Section>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { t } = useLingui()
  const api = useWebhooksApi()
  const mayWrite = useMay()('webhooks:write')
  const [isEditing, setEditing] = useState(false)
  const { id, url, description, disabledAt } = endpoint
  const sendTest = useWrite(() => api.test({ id }), {
    done: t`Test event queued`,
    changes: [['webhooks', 'deliveries', id]],
    notifiesFailure: true,
  })
  return (
    <Page
      title={description || url}
      badge={<StatusBadge status={endpointStatus(endpoint)} />}
      actions={
        mayWrite && (
          <>
            {disabledAt === null && (
              <Button loading={sendTest.isPending} onClick={() => sendTest.send(undefined)}>
                <Trans>Send test event</Trans>
              </Button>
            )}
            <Button onClick={() => setEditing(true)}>
              <Trans>Edit</Trans>
            </Button>
          </>
        )
      }
    >
      <State endpoint={endpoint} />
      <Columns
        aside={
          <>
            <Facts endpoint={endpoint} />
            {mayWrite && <Management endpoint={endpoint} />}
            <History entries={endpoint.history} />
          </>
        }
      >
        <DeliveryLog endpoint={endpoint} />
      </Columns>
      {isEditing && <EditEndpointDialog endpoint={endpoint} onClose={() => setEditing(false)} />}
    </Page>
  )
}

/** An endpoint with what was sent to it. */
export function EndpointPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const endpoint = useQuery(endpointQuery(useWebhooksApi(), id))
  return (
    <LoadedPage title={t`Webhook endpoint`} query={endpoint}>
      {(data) => <Endpoint endpoint={data} />}
    </LoadedPage>
  )
}
