import { csvFile, listCount } from '../admin/lists.ts'
import {
  webhookChange,
  webhookCreate,
  webhookCreated,
  webhookDelivery,
  webhookDeliveryExport,
  webhookDeliveryPage,
  webhookDeliveryPath,
  webhookDeliveryQuery,
  webhookDeliveryView,
  webhookEndpoints,
  webhookEndpointView,
  webhookPath,
  webhookReplay,
  webhookReplayed,
  webhookSecret,
} from '../admin/webhooks.ts'
import { countProcedure, procedure } from './procedure.ts'

const read = { tag: 'Admin: webhooks', permission: 'webhooks:read' } as const
const write = { ...read, permission: 'webhooks:write' } as const

/** Webhooks that the store sends to programs of its operators. */
export const webhookProcedures = {
  list: procedure('operator', 'GET', '/admin/webhooks', { ...read, summary: 'List webhook endpoints' }).output(
    webhookEndpoints,
  ),
  create: procedure('operator', 'POST', '/admin/webhooks', {
    ...write,
    summary: 'Create a webhook endpoint',
    description: 'The secret is returned once. The address must begin with https:// and lead to a public address.',
    status: 201,
  })
    .input(webhookCreate)
    .output(webhookCreated),
  get: procedure('operator', 'GET', '/admin/webhooks/{id}', { ...read, summary: 'Retrieve a webhook endpoint' })
    .input(webhookPath)
    .output(webhookEndpointView),
  change: procedure('operator', 'PATCH', '/admin/webhooks/{id}', {
    ...write,
    summary: 'Change, disable or enable a webhook endpoint',
    versioned: true,
    description: 'Disabling fails its queued deliveries, which can be replayed later.',
  })
    .input(webhookChange)
    .output(webhookEndpointView),
  delete: procedure('operator', 'DELETE', '/admin/webhooks/{id}', {
    ...write,
    summary: 'Delete a webhook endpoint with its log',
    versioned: true,
    status: 204,
  }).input(webhookPath),
  rotateSecret: procedure('operator', 'POST', '/admin/webhooks/{id}/secret', {
    ...write,
    summary: 'Replace the secret of a webhook endpoint',
    versioned: true,
    description: 'The new secret is returned once. For 24 hours, requests are signed with the former one as well.',
  })
    .input(webhookPath)
    .output(webhookSecret),
  test: procedure('operator', 'POST', '/admin/webhooks/{id}/test', {
    ...write,
    summary: 'Send a test event to a webhook endpoint',
    description: 'It has the type `webhook.test`. Answers CONFLICT for a disabled endpoint.',
    status: 201,
  })
    .input(webhookPath)
    .output(webhookDelivery),
  deliveries: procedure('operator', 'GET', '/admin/webhooks/{id}/deliveries', {
    ...read,
    summary: 'List the deliveries of a webhook endpoint',
    description: 'Returns the latest first. The log has the last 30 days.',
  })
    .input(webhookDeliveryQuery)
    .output(webhookDeliveryPage),
  countDeliveries: countProcedure('webhook-deliveries', 'webhooks:read').input(webhookDeliveryExport).output(listCount),
  exportDeliveries: procedure('operator', 'GET', '/admin/webhook-deliveries.csv', {
    ...read,
    summary: 'Export the deliveries of a webhook endpoint as CSV',
    description:
      'Returns all deliveries that fit the filters, without the bodies of their requests, as a stream. The audit log names the export.',
  })
    .input(webhookDeliveryExport)
    .output(csvFile),
  delivery: procedure('operator', 'GET', '/admin/webhooks/{id}/deliveries/{deliveryId}', {
    ...read,
    summary: 'Retrieve a delivery with its request and its attempts',
  })
    .input(webhookDeliveryPath)
    .output(webhookDeliveryView),
  replay: procedure('operator', 'POST', '/admin/webhooks/{id}/deliveries/{deliveryId}/replay', {
    ...write,
    summary: 'Send a delivery again',
    description:
      'The request has the same `webhook-id` and the same body. Answers CONFLICT for a queued delivery and for a disabled endpoint.',
  })
    .input(webhookDeliveryPath)
    .output(webhookDelivery),
  replayFailed: procedure('operator', 'POST', '/admin/webhooks/{id}/replay', {
    ...write,
    summary: 'Send all failed deliveries since a time again',
    description: 'Queues at most 10,000, the oldest first. Answers CONFLICT for a disabled endpoint.',
  })
    .input(webhookReplay)
    .output(webhookReplayed),
}
