import { accountProcedures } from './procedures/accounts.ts'
import { analyticsProcedures } from './procedures/analytics.ts'
import { cardProcedures } from './procedures/cards.ts'
import { catalogProcedures } from './procedures/catalog.ts'
import { checkoutProcedures } from './procedures/checkout.ts'
import { contentProcedures } from './procedures/content.ts'
import { engagementProcedures } from './procedures/engagement.ts'
import { inquiryProcedures } from './procedures/inquiries.ts'
import { installationProcedures } from './procedures/installation.ts'
import { joiningProcedures } from './procedures/joining.ts'
import { operatorProcedures } from './procedures/operators.ts'
import { planProcedures } from './procedures/plans.ts'
import { playbackProcedures } from './procedures/playback.ts'
import { tenancyProcedures } from './procedures/tenancy.ts'
import { videoProcedures } from './procedures/videos.ts'

/** The customer-scoped API: every procedure is below /api/v1/customers/{customerCode}. */
export const contract = {
  tenancy: tenancyProcedures,
  accounts: accountProcedures,
  catalog: catalogProcedures,
  engagement: engagementProcedures,
  content: contentProcedures,
  checkout: checkoutProcedures,
  playback: playbackProcedures,
  joining: joiningProcedures,
  plans: planProcedures,
  cards: cardProcedures,
  inquiries: inquiryProcedures,
  operators: operatorProcedures,
  videos: videoProcedures,
  analytics: analyticsProcedures,
}
export type Contract = typeof contract

/** The few procedures that belong to no tenant, below /api/v1. */
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
