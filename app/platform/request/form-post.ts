/**
 * Whether a page of this origin sent the request, by Sec-Fetch-Site, or by Origin or Referer in
 * older browsers.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin !== null) return origin === new URL(request.url).origin
  const referrer = request.headers.get('referer')
  if (referrer === null) return false
  return URL.canParse(referrer) && new URL(referrer).origin === new URL(request.url).origin
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

/** More than any field needs. A refused form is rendered again with its values. */
const longestField = 20_000

/** The fields of a form post; undefined for another body, or for a field that is too long. */
export async function readForm(request: Request): Promise<FormData | undefined> {
  const form = await request.formData().catch(() => undefined)
  if (!form) return undefined
  for (const value of form.values()) if (typeof value === 'string' && value.length > longestField) return undefined
  return form
}
