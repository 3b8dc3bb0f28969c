/** An error for a log. Contains no input. */
export interface SafeError {
  type: string
  message: string
  stack: string
  [fact: string]: unknown
}

/** Properties of database, network and API errors that never contain a value. */
const safeFields = [
  'code',
  'status',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'errno',
  'syscall',
  'address',
  'port',
]
const maxCauses = 4

/** The `code` of an error of Node or of a driver, such as `ENOENT`; undefined for all others. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** PostgreSQL's data exceptions quote the invalid value. */
const isDataException = (code: string | undefined) => code !== undefined && /^22[0-9A-Z]{3}$/.test(code)

const safeMessage = (error: Error): string => {
  if (error instanceof SyntaxError) return 'Text that cannot be parsed.'
  if (isDataException(errorCode(error))) return 'PostgreSQL data exception.'
  // Drizzle appends the parameters of a failed query to its text.
  return error.message.split('\nparams:', 1)[0] ?? ''
}

/**
 * Converts an error for a log. Parsers quote their input, database errors contain parameters and
 * rows, and validation errors contain values. Only properties known to be harmless are kept, also
 * of the causes.
 */
export const safeError = (error: unknown, depth = 0): SafeError => {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'A value that is not an error was thrown.', stack: '' }
  const facts = new Map<string, unknown>(Object.entries(error))
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const shown: SafeError = { type: error.name, message: safeMessage(error), stack: stack.join('\n') }
  for (const fact of safeFields) {
    const value = facts.get(fact)
    if (typeof value === 'string' || typeof value === 'number') shown[fact] = value
  }
  if (error.cause !== undefined && depth < maxCauses) shown.cause = safeError(error.cause, depth + 1)
  if (error instanceof AggregateError && depth < maxCauses)
    shown.errors = error.errors.slice(0, 5).map((cause) => safeError(cause, depth + 1))
  return shown
}
