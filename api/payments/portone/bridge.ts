import { seal, unseal } from '#api/seal.ts'
import type { CustomerId } from '#contract/ids.ts'

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

/** The address of a page: what it asks is in it, sealed, so that nobody changes an amount on the way. */
export const bridgePath = (secret: string, request: BridgeRequest) =>
  `${bridgeBase}/${seal(secret, JSON.stringify(request))}`

/** Null for an address that was not made here. */
export const readBridge = (secret: string, sealed: string): BridgeRequest | null => {
  try {
    return JSON.parse(unseal(secret, sealed)) as BridgeRequest
  } catch {
    return null
  }
}
