import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WebhookAttempt, WebhookDeliveryView } from '#contract/admin/webhooks.ts'
import type { WebhookEndpointId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { LoadedPage, Page, Section } from '../../ui/page'
import { StatusBadge } from '../../ui/status'
import { deliveryStatuses, eventLabel, failureLabels } from './webhook-labels'
import styles from './webhooks.module.css'
import { deliveryQuery, useWebhooksApi, webhookChanges } from './webhooks.queries'

const route = getRouteApi('/webhooks/$id/deliveries/$deliveryId')

/** A text as it was sent or received. */
function Sent({ title, children }: { title: ReactNode; children: string }) {
  return (
    <div>
      <p className={styles.when}>{title}</p>
      <pre className={styles.text} dir="ltr">
        {children}
      </pre>
    </div>
  )
}

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { t, i18n } = useLingui()
  const { dateTime, number } = useFormat()
  const { at, durationMilliseconds, url, requestHeaders, error, responseStatus, responseBody } = attempt
  const time = dateTime(at)
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`)
  return (
    <li className={styles.attempt}>
      <div className={styles.head}>
        <StatusBadge status={error ? deliveryStatuses.FAILED : deliveryStatuses.DELIVERED} />
        <strong>{responseStatus ?? (error && i18n._(failureLabels[error]))}</strong>
        <span className={styles.when}>{t`${time} · ${number(durationMilliseconds)} ms`}</span>
      </div>
      <Sent title={<Trans>Request</Trans>}>{[`POST ${url}`, ...headers].join('\n')}</Sent>
      {responseBody !== '' && <Sent title={<Trans>Response</Trans>}>{responseBody}</Sent>}
    </li>
  )
}

function Delivery({ id, delivery }: { id: WebhookEndpointId; delivery: WebhookDeliveryView }) {
  const { t, i18n } = useLingui()
  const { dateTime } = useFormat()
  const api = useWebhooksApi()
  const mayWrite = useMay()('webhooks:write')
  const { id: deliveryId, eventId, type, status, createdAt, dueAt, body, tries } = delivery
  const label = eventLabel(type)
  const replay = useWrite(() => api.replay({ id, deliveryId }), {
    done: t`Delivery queued again`,
    changes: webhookChanges,
    notifiesFailure: true,
  })
  return (
    <Page
      title={label ? i18n._(label) : type}
      badge={<StatusBadge status={deliveryStatuses[status]} />}
      actions={
        <>
          <Button render={<Link to="/webhooks/$id" params={{ id }} />}>
            <Trans>All deliveries</Trans>
          </Button>
          {mayWrite && status !== 'QUEUED' && (
            <Button icon="retry" loading={replay.isPending} onClick={() => replay.send(undefined)}>
              <Trans>Replay</Trans>
            </Button>
          )}
        </>
      }
    >
      <Section title={<Trans>Event</Trans>}>
        <DescriptionList
          rows={[
            { key: 'type', term: t`Type`, value: <code>{type}</code> },
            { key: 'id', term: t`Id`, value: <code>{eventId}</code> },
            { key: 'created', term: t`Date`, value: dateTime(createdAt) },
            ...(dueAt ? [{ key: 'due', term: t`Next attempt`, value: dateTime(dueAt) }] : []),
          ]}
        />
        <Sent title={<Trans>Body of the request</Trans>}>{indented(body)}</Sent>
      </Section>
      <Section title={<Trans>Attempts</Trans>}>
        {tries.length === 0 ? (
          <p>
            <Trans>Nothing was sent yet.</Trans>
          </p>
        ) : (
          <ol className={styles.attempts}>
            {tries.map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} />
            ))}
          </ol>
        )}
      </Section>
    </Page>
  )
}

/** A delivery with its requests and responses. */
export function DeliveryPage() {
  const { t } = useLingui()
  const path = route.useParams()
  const delivery = useQuery(deliveryQuery(useWebhooksApi(), path))
  return (
    <LoadedPage title={t`Delivery`} query={delivery}>
      {(data) => <Delivery id={path.id} delivery={data} />}
    </LoadedPage>
  )
}
