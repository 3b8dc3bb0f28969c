import { analyticsProcedures } from './procedures/analytics.ts'
import { billingProcedures } from './procedures/billing.ts'
import { catalogProcedures } from './procedures/catalog.ts'
import { contentProcedures } from './procedures/content.ts'
import { engagementProcedures } from './procedures/engagement.ts'
import { identityProcedures } from './procedures/identity.ts'
import { mediaProcedures } from './procedures/media.ts'
import { orderProcedures } from './procedures/orders.ts'
import { playbackProcedures } from './procedures/playback.ts'
import { subscriptionProcedures } from './procedures/subscriptions.ts'
import { supportProcedures } from './procedures/support.ts'
import { installationProcedures, tenancyProcedures } from './procedures/tenancy.ts'

/** The customer-scoped API: every procedure is below /api/v1/customers/{customerCode}. */
export const contract = {
  tenancy: tenancyProcedures,
  identity: identityProcedures,
  catalog: catalogProcedures,
  content: contentProcedures,
  engagement: engagementProcedures,
  orders: orderProcedures,
  billing: billingProcedures,
  subscriptions: subscriptionProcedures,
  support: supportProcedures,
  media: mediaProcedures,
  playback: playbackProcedures,
  analytics: analyticsProcedures,
}
export type Contract = typeof contract

/** The procedures that are not scoped to a tenant, below /api/v1. */
export const installation = installationProcedures

export const apiBase = '/api/v1'
export const customerBase = (code: string) => `${apiBase}/customers/${encodeURIComponent(code)}` as const

/** Header names that both sides use. */
export const headers = {
  /**
   * A guest's token for cart, history and positions. Issued by the API, stored by the storefront in
   * a cookie.
   */
  guestToken: 'x-guest-token',
  /**
   * Proves an earlier sign-in on this device. Issued by the API at sign-in, stored by the
   * storefront in a cookie.
   */
  deviceToken: 'x-device-token',
  /** Shows a store before it is opened, with its drafts: the token of a preview link. */
  previewToken: 'x-preview-token',
  /** The host of the storefront. The contract status names its tenant. */
  storeHost: 'x-store-host',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
} as const
