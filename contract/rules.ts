/** Null and the empty string count as missing; zero and false do not. */
export const isPresent = <T>(value: T | null | undefined | ''): value is T =>
  value !== null && value !== undefined && value !== ''

const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const topLevel = String.raw`(?:[\p{L}][\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,58}[a-z0-9])`
const host = String.raw`(?:www\.)?(?:${label}\.)+${topLevel}`
const hostPattern = new RegExp(`^${host}$`, 'iu')
const domain = new RegExp(String.raw`^https?://${host}(?::\d{1,5})?(?:[/?#]\S*)?$`, 'iu')

/**
 * The specification's domain check: http or https, an optional www, a host whose top-level part has at least two letters, an optional
 * path. Every field that takes an address of another site is checked by it.
 */
export const isDomain = (value: string): boolean => domain.test(value) && URL.canParse(value)

/** A host by the same rule, without scheme, port and path; `localhost` alone is allowed beside it, for development. */
export const isHost = (value: string): boolean =>
  value.length <= 253 && (hostPattern.test(value) || value === 'localhost')

/** The addresses of one's own machine, on which stores are developed and tried: no domain, and reachable by nobody else. */
const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** The origin of a site: a domain without path, query or final slash; for development also that of one's own machine. */
export const isOrigin = (value: string): boolean =>
  (isDomain(value) && /^https?:\/\/[^/?#]+$/i.test(value)) || (localOrigin.test(value) && URL.canParse(value))

/** An address of the storefront: one slash in front, and no `.` or `..` to tidy away, so that no browser reads it as another host. */
export const storefrontPath = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\\]*$/i

const slug = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*`

/** The longest slug of a category. */
const maxSlugLength = 80

const slugPattern = new RegExp(`^${slug}$`, 'u')

/** A part of an address: lower-case letters of any script, digits, and single hyphens between them. */
export const isSlug = (value: string): boolean => value.length <= maxSlugLength && slugPattern.test(value)

/** Slugs from the root down, with slashes between them: `films/landscape`. */
export const slugPath = new RegExp(`^${slug}(?:/${slug}){0,19}$`, 'u')

/** The slug that a name suggests; `fallback` where the name has no letter or digit. */
export const slugOf = (name: string, fallback: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxSlugLength - 10)
    .replace(/^-+|-+$/g, '') || fallback
