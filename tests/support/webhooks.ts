import { signatureHeader, signWebhook } from '#api/modules/billing/providers/provider.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { customerBase } from '#contract/index.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export interface WebhookWish {
  id?: string
  type?: string
  reference: string
  /** When it was signed. */
  at?: Date
  secret?: string
  body?: string
}

/** Sends what the sandbox would send, or something that only looks like it. */
export const sendWebhook = (api: TestApi, tenant: Tenant, wish: WebhookWish) => {
  const { id = `evt_${crypto.randomUUID()}`, type = 'payment.paid', reference } = wish
  const body = wish.body ?? JSON.stringify({ id, type, reference })
  const secret = wish.secret ?? secretFor(api.deps.secret, 'sandbox webhooks')
  return api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/webhooks/sandbox`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signWebhook(secret, body, wish.at ?? api.clock.now()),
      },
      body,
    }),
  )
}
