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

const address = /^(?:(?:https?:)?\/\/)?([^\s/:@?#]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i

/**
 * Returns the host of an address that was pasted in place of a host, and any other text as it is.
 */
export const hostIn = (text: string): string => address.exec(text.trim())?.[1] ?? text.trim()
