import type { Customer } from '@portone/server-sdk/common'
import { InvalidInputError, verify, WebhookVerificationError } from '@portone/server-sdk/webhook'
import type { Buyer, OtherEvent, ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import { apiPages } from '#contract/http.ts'
import { type CustomerId, paymentId } from '#contract/ids.ts'

/** The path of the pages that open PortOne's window. */
export const bridgeBase = apiPages.portone

/** A request of a page to PortOne's script, and the URL to which the browser is then redirected. */
export interface BridgeRequest {
  kind: 'PAYMENT' | 'CARD'
  customerId: CustomerId
  reference: string
  locale: string
  title: string
  /** An absolute address of the store. */
  returnUrl: string
  scriptUrl: string
  /** Origins of scripts that the gateway loads. */
  gatewayOrigins: readonly string[]
  /** The argument of `requestPayment` or `requestIssueBillingKey`. */
  request: Record<string, unknown>
}

/**
 * Returns the address of a page. The request is encrypted in it, so that nobody can change the
 * amount.
 */
export const bridgePath = (secret: string, request: BridgeRequest) =>
  `${bridgeBase}/${encrypt(secret, JSON.stringify(request))}`

/** Returns the request in an address, or null if this store did not create it. */
export const readBridge = (secret: string, encrypted: string): BridgeRequest | null => {
  try {
    // What the store's secret decrypts, the store has encrypted as a request.
    return JSON.parse(decrypt(secret, encrypted)) as BridgeRequest
  } catch {
    return null
  }
}

/** Korean numbers in national format, others unchanged. */
const phoneNumber = (phone: string | null) => (phone === null ? {} : { phoneNumber: phone.replace(/^\+82/, '0') })

/** A buyer in the format of PortOne's script. */
export const inBrowser = ({ name, email, phone }: Buyer) => ({ fullName: name, email, ...phoneNumber(phone) })

/** A buyer in the format of PortOne's API. */
export const inApi = ({ name, email, phone }: Buyer) => ({ name: { full: name }, email, ...phoneNumber(phone) })

/** The owner of a billing key. The gateway requires it with each charge. */
export const toCustomerInput = ({ id, name, email, phoneNumber: phone }: Customer) => ({
  ...(id ? { id } : {}),
  ...(name ? { name: { full: name } } : {}),
  ...(email ? { email } : {}),
  ...(phone ? { phoneNumber: phone } : {}),
})

/**
 * Reads a PortOne webhook. PortOne's library verifies the signature and the age by the system time.
 */
export const readPortOneEvent = async (
  secret: string,
  storeId: string,
  headers: Headers,
  body: string,
): Promise<ProviderEvent | OtherEvent | WebhookRefusal> => {
  try {
    const event = await verify(secret, body, Object.fromEntries(headers))
    if (!('data' in event) || !('paymentId' in event.data) || event.data.storeId !== storeId) return { code: 'IGNORED' }
    // Other payments of the same PortOne store have ids of a different format.
    const { data: reference } = paymentId.safeParse(event.data.paymentId)
    if (!reference) return { code: 'IGNORED' }
    return { id: headers.get('webhook-id') ?? '', reference, type: event.type }
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    if (!(error instanceof WebhookVerificationError)) return { code: 'BODY_INVALID' }
    const late = error.reason === 'TIMESTAMP_TOO_OLD' || error.reason === 'TIMESTAMP_TOO_NEW'
    return { code: late ? 'SIGNATURE_TOO_OLD' : 'SIGNATURE_INVALID' }
  }
}
