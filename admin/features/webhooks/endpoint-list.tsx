import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WebhookEndpoint } from '#contract/admin/webhooks.ts'
import type { WebhookEndpointId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { EndpointSecret, NewEndpointDialog } from './endpoint-dialogs'
import { endpointStatus, eventLabels } from './webhook-labels'
import { endpointsQuery, useWebhooksApi } from './webhooks.queries'

function EndpointTable({ items }: { items: readonly WebhookEndpoint[] }) {
  const { t, i18n } = useLingui()
  const { date } = useFormat()
  return (
    <DataList
      label={t`Webhooks`}
      items={items}
      keyOf={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'url',
          header: t`Endpoint`,
          cell: ({ id, url, description }) => (
            <Link to="/webhooks/$id" params={{ id }}>
              <bdi>{description || url}</bdi>
            </Link>
          ),
        },
        { key: 'status', header: t`Status`, cell: (endpoint) => <StatusBadge status={endpointStatus(endpoint)} /> },
        {
          key: 'events',
          header: t`Events`,
          isText: true,
          isExtra: true,
          cell: ({ eventTypes }) => eventTypes.map((type) => i18n._(eventLabels[type])).join(', '),
        },
        { key: 'address', isText: true, header: t`Address`, isExtra: true, cell: ({ url }) => <bdi>{url}</bdi> },
        { key: 'created', header: t`Created`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
      ]}
    />
  )
}

/** The programs that the store tells what happens in it. */
export function EndpointList() {
  const { t } = useLingui()
  const mayWrite = useMay()('webhooks:write')
  const navigate = useNavigate()
  const endpoints = useQuery(endpointsQuery(useWebhooksApi()))
  const [isAdding, setAdding] = useState(false)
  const [created, setCreated] = useState<{ secret: string; id: WebhookEndpointId }>()
  const isFull = endpoints.data !== undefined && endpoints.data.items.length >= endpoints.data.limit
  const add = mayWrite && (
    <Button variant="primary" icon="plus" disabled={isFull} onClick={() => setAdding(true)}>
      <Trans>Add endpoint</Trans>
    </Button>
  )
  const hasSome = endpoints.data !== undefined && endpoints.data.items.length > 0
  return (
    <Page title={t`Webhooks`} actions={hasSome && add}>
      <Loaded query={endpoints}>
        {({ items }) =>
          items.length > 0 ? (
            <EndpointTable items={items} />
          ) : (
            <Card>
              <EmptyState icon="globe" title={<Trans>No endpoints yet</Trans>} actions={add}>
                <Trans>
                  A webhook tells a program of yours at once what happens in the store: an order is paid, a member
                  joins, a comment waits. Bookkeeping, mailing lists and chat rooms can use it.
                </Trans>
              </EmptyState>
            </Card>
          )
        }
      </Loaded>
      {isAdding && (
        <NewEndpointDialog
          onClose={() => setAdding(false)}
          onCreated={({ secret, endpoint }) => {
            setAdding(false)
            setCreated({ secret, id: endpoint.id })
          }}
        />
      )}
      {created && (
        <EndpointSecret
          secret={created.secret}
          onClose={() => void navigate({ to: '/webhooks/$id', params: { id: created.id } })}
        />
      )}
    </Page>
  )
}
