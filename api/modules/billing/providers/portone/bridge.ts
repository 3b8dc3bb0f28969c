import type { Customer } from '@portone/server-sdk/common'
import { InvalidInputError, verify, WebhookVerificationError } from '@portone/server-sdk/webhook'
import type { Buyer, OtherEvent, ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import type { CustomerId, PaymentId } from '#contract/ids.ts'

/** The path of the pages on which PortOne's window is opened. */
export const bridgeBase = '/pay/portone'

/** What a page asks of PortOne's script in the browser, and where the browser goes then. */
export interface BridgeRequest {
  kind: 'PAYMENT' | 'CARD'
  customerId: CustomerId
  reference: string
  locale: string
  title: string
  /** Of the store, absolute. */
  returnUrl: string
  scriptUrl: string
  /** Of a gateway that brings scripts of its own. */
  gatewayOrigins: readonly string[]
  /** The argument of `requestPayment` or `requestIssueBillingKey`. */
  request: Record<string, unknown>
}

/** The address of a page: what it asks is in it, encrypted, so that nobody changes an amount on the way. */
export const bridgePath = (secret: string, request: BridgeRequest) =>
  `${bridgeBase}/${encrypt(secret, JSON.stringify(request))}`

/** Null for an address that was not made here. */
export const readBridge = (secret: string, encrypted: string): BridgeRequest | null => {
  try {
    return JSON.parse(decrypt(secret, encrypted)) as BridgeRequest
  } catch {
    return null
  }
}

/** Korean numbers as Korea writes them; others as they are. */
const phoneNumber = (phone: string | null) => (phone === null ? {} : { phoneNumber: phone.replace(/^\+82/, '0') })

/** A buyer as PortOne's script knows them. */
export const inBrowser = ({ name, email, phone }: Buyer) => ({ fullName: name, email, ...phoneNumber(phone) })

/** A buyer as its API knows them. */
export const inApi = ({ name, email, phone }: Buyer) => ({ name: { full: name }, email, ...phoneNumber(phone) })

/** Whose card a billing key is: its gateway wants to hear it again with each charge. */
export const again = ({ id, name, email, phoneNumber: phone }: Customer) => ({
  ...(id ? { id } : {}),
  ...(name ? { name: { full: name } } : {}),
  ...(email ? { email } : {}),
  ...(phone ? { phoneNumber: phone } : {}),
})

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
