import Stripe from 'stripe'
import { paymentId } from '#contract/ids.ts'
import type { OtherEvent, ProviderEvent, WebhookRefusal } from '../port.ts'

const tolerance = 300

interface Carrier {
  metadata?: Record<string, string> | null
  client_reference_id?: string | null
}

/** Reads one of Stripe's messages; its own library checks signature and age. */
export const readStripeEvent = async (
  stripe: Stripe,
  secret: string,
  headers: Headers,
  body: string,
  now: Date,
): Promise<ProviderEvent | OtherEvent | WebhookRefusal> => {
  const signature = headers.get('stripe-signature')
  if (!signature) return { code: 'SIGNATURE_INVALID' }
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime())
    const { metadata, client_reference_id: named } = event.data.object as Carrier
    // Payments that others with the same account have made bear names of their own.
    const reference = paymentId.safeParse(metadata?.reference ?? named)
    return reference.success ? { id: event.id, reference: reference.data, type: event.type } : { code: 'IGNORED' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return { code: 'BODY_INVALID' }
    return { code: /timestamp/i.test(error.message) ? 'SIGNATURE_TOO_OLD' : 'SIGNATURE_INVALID' }
  }
}
