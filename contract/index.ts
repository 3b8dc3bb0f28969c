import { accountCalls } from './calls/accounts.ts'
import { cardCalls } from './calls/cards.ts'
import { catalogCalls } from './calls/catalog.ts'
import { commerceCalls } from './calls/commerce.ts'
import { contentCalls } from './calls/content.ts'
import { engagementCalls } from './calls/engagement.ts'
import { figuresCalls } from './calls/figures.ts'
import { inquiryCalls } from './calls/inquiries.ts'
import { installationCalls } from './calls/installation.ts'
import { joiningCalls } from './calls/joining.ts'
import { operatorCalls } from './calls/operators.ts'
import { planCalls } from './calls/plans.ts'
import { playbackCalls } from './calls/playback.ts'
import { tenancyCalls } from './calls/tenancy.ts'
import { videoCalls } from './calls/videos.ts'

/** The customer-scoped API: every call stands below /api/v1/customers/{customerCode}. */
export const contract = {
  tenancy: tenancyCalls,
  accounts: accountCalls,
  catalog: catalogCalls,
  engagement: engagementCalls,
  content: contentCalls,
  commerce: commerceCalls,
  playback: playbackCalls,
  joining: joiningCalls,
  plans: planCalls,
  cards: cardCalls,
  inquiries: inquiryCalls,
  operators: operatorCalls,
  videos: videoCalls,
  figures: figuresCalls,
}
export type Contract = typeof contract

/** The few calls that belong to no tenant, below /api/v1. */
export const installation = installationCalls

export const apiBase = '/api/v1'
export const customerBase = (code: string) => `${apiBase}/customers/${encodeURIComponent(code)}` as const

/** Header words both sides use. */
export const headers = {
  /** A guest's own token: cart, history and positions before login. Minted by the API, kept by the storefront in a cookie. */
  guestToken: 'x-guest-token',
  /** Proves that an account has signed in on this device before. Minted by the API at a sign-in, kept by the storefront in a cookie. */
  deviceToken: 'x-device-token',
  /** Shows a store before it is opened, with its drafts: the token of a preview link. */
  previewToken: 'x-preview-token',
  /** The host a storefront was asked at: the contract status says whose it is. */
  storeHost: 'x-store-host',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
} as const
