import { InvalidInputError, verify, WebhookVerificationError } from '@portone/server-sdk/webhook'
import type { PaymentId } from '#contract/ids.ts'
import type { OtherEvent, ProviderEvent, WebhookRefusal } from '../port.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads one of PortOne's messages; its own library checks signature and age, by the machine's time. */
export const readPortOneEvent = async (
  secret: string,
  storeId: string,
  headers: Headers,
  body: string,
): Promise<ProviderEvent | OtherEvent | WebhookRefusal> => {
  try {
    const event = await verify(secret, body, Object.fromEntries(headers))
    if (!('data' in event) || !('paymentId' in event.data) || event.data.storeId !== storeId) return { code: 'IGNORED' }
    const { paymentId } = event.data
    // Payments that others of the same shop have made bear names of their own.
    if (!uuid.test(paymentId)) return { code: 'IGNORED' }
    return { id: headers.get('webhook-id') ?? '', reference: paymentId as PaymentId, type: event.type }
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    if (!(error instanceof WebhookVerificationError)) return { code: 'BODY_INVALID' }
    const late = error.reason === 'TIMESTAMP_TOO_OLD' || error.reason === 'TIMESTAMP_TOO_NEW'
    return { code: late ? 'SIGNATURE_TOO_OLD' : 'SIGNATURE_INVALID' }
  }
}
