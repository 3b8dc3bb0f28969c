import { signatureHeader, signWebhook } from '#api/modules/billing/providers/provider.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { customerBase } from '#contract/http.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export interface WebhookInput {
  id?: string
  type?: string
  reference: string
  /** The time of the signature. */
  at?: Date
  secret?: string
  body?: string
}

/** Sends a webhook as the sandbox does, or an altered one. */
export const sendWebhook = (api: TestApi, tenant: Tenant, input: WebhookInput) => {
  const { id = `evt_${crypto.randomUUID()}`, type = 'payment.paid', reference } = input
  const body = input.body ?? JSON.stringify({ id, type, reference })
  const secret = input.secret ?? secretFor(api.deps.secret, 'sandbox webhooks')
  return api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/webhooks/sandbox`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signWebhook(secret, body, input.at ?? api.clock.now()),
      },
      body,
    }),
  )
}
