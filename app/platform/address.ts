/** Characters of one search parameter. Longer values are dropped. */
const longestValue = 2_000
const maxParams = 100

/** Parsed search parameters as text: one value, or a list where a name is repeated. */
export type RawSearch = Record<string, string | string[]>

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL cannot store this character
const unstorable = /\u0000/g

/**
 * Removes NUL and lone surrogates, which no database stores, and cuts the text to `longest`
 * characters.
 */
export const cleanText = (text: string, longest = longestValue): string =>
  text
    .replace(unstorable, '')
    .slice(0, longest)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')

/**
 * Parses the search of a URL. Values stay text (`q=2` is "2"); the route's schema converts them.
 */
export function parseSearch(search: string): RawSearch {
  // Without a prototype, `__proto__` is an ordinary name.
  const read: RawSearch = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(search)) {
    if (value.length > longestValue || ++count > maxParams) continue
    const text = cleanText(value)
    const existing = read[name]
    if (existing === undefined) read[name] = text
    else if (Array.isArray(existing)) existing.push(text)
    else read[name] = [existing, text]
  }
  return read
}

/**
 * Serializes the search of a URL as a form would: a list repeats its name (`kind=PAY&kind=VOD`).
 */
export function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) written.append(name, String(item))
    }
  }
  return written.size > 0 ? plainSlashes(`?${written}`) : ''
}

/**
 * Unescapes the slashes in a URL's search: `category=films/landscape`. RFC 3986, 3.4 allows them.
 */
export function plainSlashes(href: string): string {
  const at = href.indexOf('?')
  return at < 0 ? href : href.slice(0, at) + href.slice(at).replaceAll('%2F', '/')
}

/**
 * Escapes the `%` of percent encodings that cannot be decoded or contain NUL, so that the path can
 * be decoded.
 */
export const repairPath = (pathname: string): string =>
  pathname.replace(/(?:%[\da-f]{2})+|%/gi, (encoded) => {
    const escaped = encoded.replaceAll('%', '%25')
    try {
      return decodeURIComponent(encoded).includes('\0') ? escaped : encoded
    } catch {
      return escaped
    }
  })

/** Any origin: it only shows whether a path stays on it. */
const anyOrigin = 'https://store.invalid'

/**
 * Validates a path to return to after a sign-in. Undefined unless it stays on this store: no
 * `//evil`, `/\evil`, their encoded forms or control characters.
 */
export function safeReturnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_000 || !value.startsWith('/')) return undefined
  let plain = value
  // Checks each layer of repeated percent encoding.
  for (let layer = 0; layer < 4; layer++) {
    if (leavesOrigin(plain)) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(plain)
    } catch {
      break
    }
    if (decoded === plain) break
    plain = decoded
  }
  const url = new URL(value, anyOrigin)
  if (url.origin !== anyOrigin || url.pathname === '/login' || url.pathname.startsWith('/api/')) return undefined
  const path = url.pathname + url.search + url.hash
  // Resolving `.` and `..` may leave two leading slashes.
  return leavesOrigin(path) ? undefined : path
}

/** Whether a browser could resolve the path to another origin. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const leavesOrigin = (path: string) => /^[/\\]{2}|^\/[\s\u0000-\u001f]*[/\\]|[\u0000-\u001f\\]/.test(path)
