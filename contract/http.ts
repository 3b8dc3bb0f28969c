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
