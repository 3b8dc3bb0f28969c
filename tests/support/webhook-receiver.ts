import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createWebhookSender } from '#api/modules/webhooks/webhooks.jobs.ts'
import type { WebhookEventType } from '#contract/admin/webhooks.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

type Answer = (response: ServerResponse, received: ReceivedWebhook) => void

const accept: Answer = (response) => void response.writeHead(200).end('thanks')

/** Answers with a status and a body. */
export const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body)

/** A program that receives webhooks on this machine. Closed after the file's last test. */
export const openWebhookReceiver = async () => {
  const received: ReceivedWebhook[] = []
  let answer: Answer = accept
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    answer(response, one)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** How it answers from now on; without an answer it accepts everything. */
    answers: (next: Answer = accept) => {
      answer = next
    },
  }
}

/** Signs as https://www.standardwebhooks.com describes it, apart from the code of the product. */
export const standardSignature = (secret: string, { headers, body }: ReceivedWebhook): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** Creates an endpoint as its owner, with what tests do to it. */
export const createEndpoint = async (
  tenant: Tenant,
  url: string,
  eventTypes: WebhookEventType[] = ['member.joined'],
) => {
  const staff = await tenant.createStaff()
  const { id, secret, version } = await staff.client.webhooks.create({ url, eventTypes })
  const deliveries = async () => (await staff.client.webhooks.deliveries({ id })).items
  return { id, secret, version, staff, deliveries, webhooks: staff.client.webhooks }
}

/** Sends what is due of a store as one worker does, or several at once. */
export const sendWebhooks = async (api: TestApi, tenant: Pick<Tenant, 'code'>, workers = 1) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  if (!customer) throw new Error(`There is no tenant ${tenant.code}`)
  const senders = Array.from({ length: workers }, () => createWebhookSender(api.deps))
  await Promise.all(senders.map((sender) => sender.deliverDue(customer)))
  await Promise.all(senders.map((sender) => sender[Symbol.asyncDispose]()))
}
