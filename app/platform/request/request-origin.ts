import { urlOf } from '#contract/request-url.ts'

/**
 * Whether a page of this origin sent the request, by Sec-Fetch-Site, or by Origin or Referer in
 * older browsers.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin !== null) return origin === urlOf(request).origin
  const referrer = request.headers.get('referer')
  if (referrer === null) return false
  return URL.canParse(referrer) && new URL(referrer).origin === urlOf(request).origin
}

/**
 * Destinations that a page loads by itself. An image, a style or a prefetch must never change a
 * session.
 */
const passiveDestinations = new Set([
  'image',
  'style',
  'script',
  'font',
  'audio',
  'video',
  'track',
  'iframe',
  'frame',
  'embed',
  'object',
  'manifest',
])

/** Whether the browser loads this by itself, without a click or a call of our scripts. */
export function isPassive(request: Request): boolean {
  const purpose = `${request.headers.get('sec-purpose') ?? ''} ${request.headers.get('purpose') ?? ''}`
  return (
    /prefetch|prerender|preview/i.test(purpose) || passiveDestinations.has(request.headers.get('sec-fetch-dest') ?? '')
  )
}
