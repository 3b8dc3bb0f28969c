/**
 * Whether a request was sent by a page of this very origin. Browsers say so themselves
 * (Sec-Fetch-*); older ones at least name the origin of a post.
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

/** Destinations a page loads by itself: an image, a style or a prefetch must never change a session. */
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

/** Whether a browser loads this on its own account rather than because a person or our script asked for it. */
export function isPassive(request: Request): boolean {
  const purpose = `${request.headers.get('sec-purpose') ?? ''} ${request.headers.get('purpose') ?? ''}`
  return (
    /prefetch|prerender|preview/i.test(purpose) || passiveDestinations.has(request.headers.get('sec-fetch-dest') ?? '')
  )
}

/** Longer than any field of a form; what is refused is shown again in its form, and must be drawable. */
const longestField = 20_000

/** The fields of a form post; undefined where the body is none that a form sends, or a field is longer than any form's. */
export async function readForm(request: Request): Promise<FormData | undefined> {
  const form = await request.formData().catch(() => undefined)
  if (!form) return undefined
  for (const value of form.values()) if (typeof value === 'string' && value.length > longestField) return undefined
  return form
}
