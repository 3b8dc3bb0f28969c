export const apiBase = '/api/v1'
export const customerBase = (code: string) => `${apiBase}/customers/${encodeURIComponent(code)}` as const

/** The paths below `customerBase` as a pattern, for logs. */
export const customerPattern = `${apiBase}/customers/{code}`

/** Pages that the API answers itself, outside `apiBase`. */
export const apiPages = {
  sandbox: '/sandbox',
  portone: '/pay/portone',
  mailbox: '/mailbox',
  invitation: '/admin/invitation',
  setUp: '/admin/set-up',
} as const

/** The operators' console, on the host of each store. */
export const consolePath = '/admin'

/** Files, by signed URLs, of previews, and of pictures. The API's process serves them too. */
const filePaths = ['/m/', '/p/', '/media/']

const isBelow = (base: string, path: string) => path === base || path.startsWith(`${base}/`)

/** Whether the API answers a path, not the storefront. */
export const isApiPath = (path: string) =>
  isBelow(apiBase, path) || Object.values(apiPages).some((base) => isBelow(base, path))

/**
 * Whether a storefront in another process proxies a path to the API's process, which also serves
 * the console.
 */
export const isProxied = (path: string) =>
  isApiPath(path) || isBelow(consolePath, path) || filePaths.some((base) => path.startsWith(base))

/** Whether a caller's request id may be logged and sent back. */
export const isRequestId = (text: string | null | undefined): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(text)

/**
 * Creates an idempotency key: 128 random bits. A form creates it once and sends it with each retry.
 * `crypto.randomUUID` needs a secure context, which a store on a local network lacks.
 */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

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
  /** Shows a store before it is opened, or a product in any state: the token of a preview link. */
  previewToken: 'x-preview-token',
  /** The host of the storefront. The contract status names its tenant. */
  storeHost: 'x-store-host',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  /** The version of an object that the caller has read. */
  ifMatch: 'if-match',
  /**
   * Sent by the console with each write. Other origins cannot send it, so the cookie of a staff
   * session counts only with it.
   */
  console: 'x-console',
} as const
