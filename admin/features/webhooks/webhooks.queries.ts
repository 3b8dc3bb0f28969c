import { queryOptions } from '@tanstack/react-query'
import type { WebhookDelivery } from '#contract/admin/webhooks.ts'
import type { WebhookDeliveryId, WebhookEndpointId } from '#contract/ids.ts'
import { webhookProcedures } from '#contract/procedures/webhooks.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { useClient } from '../../platform/client'
import { countQuery } from '../../platform/list-count'
import { pollEvery } from '../../platform/live-changes'
import type { WebhookSearch } from './webhooks.search'

const procedures = { webhooks: webhookProcedures }

/** The client of these pages alone: the others need none of it. */
export const useWebhooksApi = () => useClient(procedures).webhooks

export type WebhooksApi = ReturnType<typeof useWebhooksApi>

/** What a write of endpoints changes in the console. */
export const webhookChanges = [['webhooks']] as const

/** Milliseconds between looks at deliveries that are about to be sent. */
const soon = 1_500
/** Milliseconds between looks at the state of an endpoint. */
const stateEvery = 10_000
/** Milliseconds after a delivery was due, within which its attempt is expected. */
const expectedWithin = 60_000

/** A delivery is sent at once, so that its result can be waited for. */
const isUnderWay = ({ status, dueAt }: WebhookDelivery) =>
  status === 'QUEUED' && dueAt !== null && Math.abs(Date.parse(dueAt) - Date.now()) < expectedWithin

export const endpointsQuery = (api: WebhooksApi) =>
  queryOptions({ queryKey: ['webhooks', 'list'], queryFn: () => api.list() })

export const endpointQuery = (api: WebhooksApi, id: WebhookEndpointId) =>
  queryOptions({
    queryKey: ['webhooks', 'endpoint', id],
    queryFn: () => api.get({ id }),
    // Its answers disable it.
    refetchInterval: () => pollEvery(stateEvery),
  })

export const deliveriesQuery = (api: WebhooksApi, id: WebhookEndpointId, search: WebhookSearch) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, search],
    queryFn: () => api.deliveries({ id, size: 25, ...withoutUndefined(search) }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? pollEvery(soon) : false),
  })

export const deliveriesCountQuery = (api: WebhooksApi, id: WebhookEndpointId, search: WebhookSearch) =>
  countQuery(['webhooks', 'deliveries', id], { id, ...withoutUndefined(search) }, (filters) =>
    api.countDeliveries(filters),
  )

export const deliveryQuery = (api: WebhooksApi, path: { id: WebhookEndpointId; deliveryId: WebhookDeliveryId }) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', path],
    queryFn: () => api.delivery(path),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? pollEvery(soon) : false),
  })
