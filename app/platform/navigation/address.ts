import { notFound } from '@tanstack/react-router'
import { problemOf } from '~/platform/api/problem'

/** Of one search parameter, in characters. A longer one cannot be a value of any page and is dropped. */
const longestValue = 2_000
const mostParams = 100

/** The search of an address as text: one value, or a list where a name is repeated. */
export type RawSearch = Record<string, string | string[]>

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL cannot store this character
const unstorable = /\u0000/g

/** Text without what no database stores: NUL and halves of surrogate pairs. At most `longest` characters are kept. */
export const cleanText = (text: string, longest = longestValue): string =>
  text
    .replace(unstorable, '')
    .slice(0, longest)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')

/**
 * Reads the search of an address. Values stay text (`q=2` asks for "2", not for a number); a schema of the route gives them their
 * types.
 */
export function parseSearch(search: string): RawSearch {
  // Without a prototype, `__proto__` is a name like any other.
  const read: RawSearch = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(search)) {
    if (value.length > longestValue || ++count > mostParams) continue
    const text = cleanText(value)
    const known = read[name]
    if (known === undefined) read[name] = text
    else if (Array.isArray(known)) known.push(text)
    else read[name] = [known, text]
  }
  return read
}

/** Writes the search of an address, as a plain form would send it: a list repeats its name (`kind=PAY&kind=VOD`). */
export function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) written.append(name, String(item))
    }
  }
  return written.size > 0 ? plainSlashes(`?${written}`) : ''
}

/** An address with the slashes of its search as they are: `category=films/landscape`. A query may hold them (RFC 3986, 3.4). */
export function plainSlashes(href: string): string {
  const at = href.indexOf('?')
  return at < 0 ? href : href.slice(0, at) + href.slice(at).replaceAll('%2F', '/')
}

/** A path whose percent encodings are all text: in those that cannot be decoded or hold NUL, `%` stands for itself (`%25`). */
export const repairPath = (pathname: string): string =>
  pathname.replace(/(?:%[\da-f]{2})+|%/gi, (encoded) => {
    const escaped = encoded.replaceAll('%', '%25')
    try {
      return decodeURIComponent(encoded).includes('\0') ? escaped : encoded
    } catch {
      return escaped
    }
  })

/** With these the API says that a path names nothing: there is no such thing (404), or it could not read the name (400, 422). */
export const notFoundStatuses = [400, 404, 422] as const

/** What the path of a page names. @throws `notFound()` where it names nothing. */
export async function orNotFound<Answer>(load: Promise<Answer>): Promise<Answer> {
  try {
    return await load
  } catch (error) {
    const status = problemOf(error)?.status
    throw notFoundStatuses.some((missing) => missing === status) ? notFound() : error
  }
}

/** Any origin will do: it only shows whether a path stays on it. */
const here = 'https://store.invalid'

/**
 * A path one may be sent back to after signing in: on this store, and never an address in disguise (`//evil`, `/\evil`,
 * their encoded forms, control characters). Undefined for anything else.
 */
export function safeReturnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_000 || !value.startsWith('/')) return undefined
  let plain = value
  // Encoded once, twice or three times: each layer must be as harmless as the one above it.
  for (let layer = 0; layer < 4; layer++) {
    if (leads(plain)) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(plain)
    } catch {
      break
    }
    if (decoded === plain) break
    plain = decoded
  }
  const url = new URL(value, here)
  if (url.origin !== here || url.pathname === '/login' || url.pathname.startsWith('/api/')) return undefined
  const path = url.pathname + url.search + url.hash
  // Tidying away `.` and `..` may have left two slashes in front.
  return leads(path) ? undefined : path
}

/** Whether a browser could read the path as another address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const leads = (path: string) => /^[/\\]{2}|^\/[\s\u0000-\u001f]*[/\\]|[\u0000-\u001f\\]/.test(path)
