import { isModestJson } from '#contract/request-body.ts'

/**
 * Whether a server function's input can be read, as far as one sees from outside: it is JSON, and of the shape the wire has. The
 * framework reports what it cannot read with a whole stack, and anyone can send it that. A form is read by its own parser, and the
 * request must be one whose `json()` can be read again.
 */
export async function isReadableServerFnCall(request: Request): Promise<boolean> {
  try {
    if (request.method === 'GET') {
      const payload = new URL(request.url).searchParams.get('payload')
      return !payload || (isModestJson(payload) && isWritten(JSON.parse(payload)))
    }
    if (!request.headers.get('content-type')?.includes('application/json')) return true
    // Parsed once: the framework is handed the same value.
    return isWritten(await request.json())
  } catch {
    return false
  }
}

/** A value is written as a node that names its kind by a number. */
const isWritten = (value: unknown): boolean => {
  const node = typeof value === 'object' && value !== null && 't' in value ? value.t : undefined
  return typeof node === 'object' && node !== null && 't' in node && typeof node.t === 'number'
}
