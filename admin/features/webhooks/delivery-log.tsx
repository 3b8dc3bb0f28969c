import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookDelivery, WebhookEndpointView } from '#contract/admin/webhooks.ts'
import { webhookDeliveryStatus } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useFormat } from '../../platform/format'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, Filters } from '../../ui/filters'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { StatusBadge, statusChoices } from '../../ui/status'
import { ReplayDialog } from './endpoint-dialogs'
import { deliveryStatuses, eventLabel, failureLabels } from './webhook-labels'
import { deliveriesCountQuery, deliveriesQuery, useWebhooksApi } from './webhooks.queries'

const route = getRouteApi('/webhooks/$id')

/** What the endpoint has answered. */
function Result({ delivery: { responseStatus, error } }: { delivery: WebhookDelivery }) {
  const { i18n } = useLingui()
  if (responseStatus !== null) return responseStatus
  return error ? i18n._(failureLabels[error]) : '–'
}

/** The deliveries of the endpoint, latest first. */
export function DeliveryLog({ endpoint }: { endpoint: WebhookEndpointView }) {
  const { t, i18n } = useLingui()
  const { dateTime, number } = useFormat()
  const mayWrite = useMay()('webhooks:write')
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const [isReplaying, setReplaying] = useState(false)
  const { id } = endpoint
  const params = { id }
  const api = useWebhooksApi()
  const deliveries = useQuery({
    ...deliveriesQuery(api, id, search),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Filters>
        <ChoiceField
          label={t`Status`}
          value={search.status}
          choices={statusChoices(i18n, webhookDeliveryStatus.options, deliveryStatuses)}
          onChange={(status) => change({ status })}
        />
        {mayWrite && endpoint.disabledAt === null && (
          <Button icon="retry" onClick={() => setReplaying(true)}>
            <Trans>Replay failed</Trans>
          </Button>
        )}
        <ExportLink list="webhook-deliveries" filters={{ id, status: search.status }} />
      </Filters>
      <Loaded query={deliveries}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Deliveries`}
            items={items}
            keyOf={(delivery) => delivery.id}
            empty={
              search.status ? (
                <Trans>No delivery has this status.</Trans>
              ) : (
                <Trans>Nothing was sent yet. Send a test event to see what arrives.</Trans>
              )
            }
            columns={[
              {
                key: 'event',
                header: t`Event`,
                cell: ({ id: deliveryId, type }) => {
                  const label = eventLabel(type)
                  return (
                    <Link to="/webhooks/$id/deliveries/$deliveryId" params={{ id, deliveryId }}>
                      {label ? i18n._(label) : <bdi>{type}</bdi>}
                    </Link>
                  )
                },
              },
              {
                key: 'status',
                header: t`Status`,
                cell: ({ status }) => <StatusBadge status={deliveryStatuses[status]} />,
              },
              { key: 'result', header: t`Response`, cell: (delivery) => <Result delivery={delivery} /> },
              {
                key: 'attempts',
                header: t`Attempts`,
                isExtra: true,
                cell: ({ attempts, dueAt }) =>
                  dueAt !== null && attempts > 0 ? t`${number(attempts)}, next ${dateTime(dueAt)}` : number(attempts),
              },
              { key: 'date', header: t`Date`, cell: ({ createdAt }) => dateTime(createdAt) },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: deliveriesCountQuery(api, id, search) }}
                first={
                  search.cursor && <Link to="/webhooks/$id" params={params} search={{ ...search, cursor: undefined }} />
                }
                next={
                  nextCursor && <Link to="/webhooks/$id" params={params} search={{ ...search, cursor: nextCursor }} />
                }
              />
            }
          />
        )}
      </Loaded>
      {isReplaying && <ReplayDialog id={id} onClose={() => setReplaying(false)} />}
    </>
  )
}
