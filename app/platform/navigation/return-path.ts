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
