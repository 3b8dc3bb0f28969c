/** 128 random bits, for one answer. */
export const createNonce = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** What a document's policy depends on. */
export interface DocumentPolicy {
  nonce: string
  /** Where a form without script may be led, besides the store: the pages payments are made on. */
  formOrigins: readonly string[]
}

/**
 * The content security policy of a document. Scripts and style elements run by nonce alone; `style` attributes are
 * allowed, since positioned parts (menus, dialogs) set them.
 */
function contentSecurityPolicy({ nonce, formOrigins }: DocumentPolicy): string {
  const dev = import.meta.env.DEV
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' ${dev ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    `style-src-elem 'self' ${dev ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob: https:`,
    `font-src 'self' data:`,
    `media-src 'self' blob:`,
    `worker-src 'self' blob:`,
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    `manifest-src 'self'`,
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ['form-action', `'self'`, ...formOrigins].join(' '),
  ].join('; ')
}

/** Headers of every answer, and of documents the policy besides. */
export function secure(headers: Headers, { https, ...policy }: DocumentPolicy & { https: boolean }): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  headers.set('cross-origin-opener-policy', 'same-origin')
  if (https) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
  if (!headers.get('content-type')?.includes('text/html')) return
  headers.set('content-security-policy', contentSecurityPolicy(policy))
  headers.set('x-frame-options', 'DENY')
  headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()')
}
