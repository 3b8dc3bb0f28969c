/** Null and the empty string count as missing; zero and false do not. */
export const isPresent = <T>(value: T | null | undefined | ''): value is T =>
  value !== null && value !== undefined && value !== ''

const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const topLevel = String.raw`(?:[\p{L}][\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,58}[a-z0-9])`
const host = String.raw`(?:www\.)?(?:${label}\.)+${topLevel}`
const hostPattern = new RegExp(`^${host}$`, 'iu')
const domain = new RegExp(String.raw`^https?://${host}(?::\d{1,5})?(?:[/?#]\S*)?$`, 'iu')

/**
 * The specification's domain check: http or https, an optional www, a host whose top-level domain
 * has at least two letters, and an optional path. Every field with the URL of another site uses it.
 */
export const isDomain = (value: string): boolean => domain.test(value) && URL.canParse(value)

/**
 * The same check for a host without scheme, port and path. `localhost` is allowed for development.
 */
export const isHost = (value: string): boolean =>
  value.length <= 253 && (hostPattern.test(value) || value === 'localhost')

/** Loopback origins for development. They are not domains, and other machines cannot reach them. */
const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * The origin of a site: a domain without path, query or final slash, or a loopback origin for
 * development.
 */
export const isOrigin = (value: string): boolean =>
  (isDomain(value) && /^https?:\/\/[^/?#]+$/i.test(value)) || (localOrigin.test(value) && URL.canParse(value))

/**
 * A path of the storefront: one leading slash and no `.` or `..` segments, so that no browser reads
 * it as another host.
 */
export const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i

const slug = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*`

/** The longest slug of a category. */
const maxSlugLength = 80

const slugPattern = new RegExp(`^${slug}$`, 'u')

/**
 * Whether the text is a slug: lower-case letters of any script and digits, separated by single
 * hyphens.
 */
export const isSlug = (value: string): boolean => value.length <= maxSlugLength && slugPattern.test(value)

/** Slugs from the root, separated by slashes: `films/landscape`. */
export const slugPath = new RegExp(`^${slug}(?:/${slug}){0,19}$`, 'u')

/** Returns the slug for a name, or `fallback` where the name has no letter or digit. */
export const slugOf = (name: string, fallback: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxSlugLength - 10)
    .replace(/^-+|-+$/g, '') || fallback

/** The share of a video from which it counts as finished. */
export const finishedShare = 0.9
