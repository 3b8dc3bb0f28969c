import { ORPCError, ValidationError } from '@orpc/server'
import type * as z from 'zod/mini'
import type { Actor, FailureDetail as Detail } from '#api/platform/context.ts'
import { databaseErrorCode, databaseRetrySeconds, isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { messagesOf, problemMessages } from '#api/platform/i18n/messages.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { type Problem, type ProblemCode, problemStatus } from '#contract/problem.ts'
import { validationMessage } from '#contract/validation-messages.ts'

/** A sentence about the field is more useful than the general message. */
const messageOf = (code: ProblemCode, { errors }: Detail, language: Locale) =>
  (code === 'CONFLICT' && Object.values(errors ?? {})[0]?.[0]) || problemMessages(language)[code]

/** A failure that is sent to the client. */
export class ApiError extends ORPCError<ProblemCode, Detail> {
  override readonly name = 'ApiError'
  constructor(code: ProblemCode, { errors, data, retryAfterSeconds }: Detail = {}) {
    const detail: Detail = {
      ...(errors && { errors }),
      ...(data !== undefined && { data }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }
    super(code, { status: problemStatus[code], message: messageOf(code, detail, 'en'), data: detail })
  }
}

interface Viewer {
  actor: Actor
  previewAt: Date | null
}

/** Whether staff only look at the store: as a member, or at another time. */
export const isReadOnly = ({ actor, previewAt }: Viewer): boolean =>
  previewAt !== null || (actor.kind === 'USER' && actor.viewing)

/** Whether a caller sees what everybody sees: a guest without an id and without a preview link. */
export const isAnonymous = ({
  actor,
  preview,
  previewed,
}: {
  actor: Actor
  preview: boolean
  previewed: string | null
}): boolean => actor.kind === 'GUEST' && actor.guestId === null && !preview && previewed === null

/**
 * Refuses writes of staff who only look at the store.
 *
 * @throws ApiError READ_ONLY
 */
export const assertMayWrite = (viewer: Viewer) => {
  if (isReadOnly(viewer)) throw new ApiError('READ_ONLY')
}

/** The id and the languages of a failed request. The message is in English if it names none. */
interface ProblemRequest {
  requestId: string
  acceptLanguage?: string | null | undefined
}

/** Reads the languages of a failed request. */
export const problemRequest = ({ headers }: Pick<Request, 'headers'>, requestId: string): ProblemRequest => ({
  requestId,
  acceptLanguage: headers.get('accept-language'),
})

/** Creates the error payload, with its message in the preferred language of the caller. */
export const problemBody = (
  code: ProblemCode,
  { requestId, acceptLanguage = null }: ProblemRequest,
  { errors = {}, data }: Detail,
): Problem => ({
  code,
  message: messageOf(code, { errors }, negotiateLanguage(acceptLanguage, locale.options, 'en')),
  errors,
  requestId,
  ...(data !== undefined && { data }),
})

/** Creates a response with the error payload, for failures before a procedure is reached. */
export const problemResponse = (
  code: ProblemCode,
  request: ProblemRequest,
  detail: Detail = {},
  headers: Record<string, string> = {},
) =>
  Response.json(problemBody(code, request, detail), {
    status: problemStatus[code],
    headers: {
      'cache-control': 'no-store',
      ...(problemStatus[code] === 401 && { 'www-authenticate': 'Bearer' }),
      ...(detail.retryAfterSeconds !== undefined && { 'retry-after': String(detail.retryAfterSeconds) }),
      ...headers,
    },
  })

interface WireError {
  code: string
  data?: Detail
}

/**
 * Errors are created from `ApiError`, or by oRPC itself: both have a code, and ours have the
 * failure as data.
 */
const isWireError = (body: unknown): body is WireError =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemStatus, code)

/** Why a call failed. */
export interface Failed {
  code: ProblemCode
  detail?: Detail | undefined
}

/** Returns why a procedure failed, of oRPC's error. Omits the details of unexpected errors. */
export const failedOf = (body: unknown): Failed =>
  isWireError(body) && isProblemCode(body.code) && body.code !== 'SERVER_ERROR'
    ? { code: body.code, detail: body.data }
    : { code: 'SERVER_ERROR' }

/** Converts an error response of oRPC to the error payload. */
export const asProblem = async (response: Response, request: ProblemRequest) => {
  const { code, detail } = failedOf(await response.json().catch(() => null))
  return problemResponse(code, request, detail)
}

type Issue = z.core.$ZodIssue

/** All schemas of the contract use Zod. */
const isZodIssue = (issue: object): issue is Issue => 'code' in issue

/**
 * Limits the number of reported fields, so that a large invalid body does not get a large answer.
 */
const maxFields = 50

/**
 * Converts the issues of a schema to sentences by field (`items.0.optionId`), in the language of
 * the reader.
 */
const errorsByField = (issues: readonly Issue[], language: Locale) => {
  const errors: Record<string, string[]> = {}
  for (const issue of issues.slice(0, maxFields)) {
    const sentence = validationMessage(issue, language)
    const field = issue.path.map(String).join('.')
    const sentences = errors[field] ?? []
    if (!sentences.includes(sentence)) errors[field] = [...sentences, sentence]
  }
  return errors
}

/** The SQLSTATE that the database raises for a write of a deleted member. */
const memberDeleted = 'MQ401'

/**
 * Returns the failure that a violated foreign key means: NOT_FOUND where another request has
 * deleted what a row refers to since it was read, CONFLICT where one refers to what is deleted.
 * Null for other errors.
 */
export const brokenReference = (error: unknown): 'NOT_FOUND' | 'CONFLICT' | null => {
  if (databaseErrorCode(error) !== foreignKeyViolation) return null
  return isStillReferenced(error) ? 'CONFLICT' : 'NOT_FOUND'
}

const foreignKeyViolation = '23503'

/**
 * Whether a row could not be deleted. The database gives both cases the same code, and its message
 * is in the language of the server, so the statement tells.
 */
const isStillReferenced = (error: unknown): boolean =>
  error instanceof Error &&
  ('query' in error && typeof error.query === 'string'
    ? /\bdelete from\b/i.test(error.query)
    : isStillReferenced(error.cause))

/**
 * Converts an error thrown in a procedure. An invalid input becomes 422 with a sentence per field.
 * A deleted member becomes 401, and any other deleted row 404. An answer that violates the contract
 * is our own bug and stays an unexpected error.
 */
export const withOwnMessages = (error: unknown, language: Locale): unknown => {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError)
    return new ApiError('VALIDATION_FAILED', {
      errors: errorsByField(error.cause.issues.filter(isZodIssue), language),
    })
  if (error instanceof StorageUnavailable)
    return new ApiError('UNAVAILABLE', { retryAfterSeconds: error.retryAfterSeconds })
  if (isDatabaseUnavailable(error)) return new ApiError('UNAVAILABLE', { retryAfterSeconds: databaseRetrySeconds })
  const reference = brokenReference(error)
  if (reference) return new ApiError(reference)
  return databaseErrorCode(error) === memberDeleted ? new ApiError('SESSION_EXPIRED') : error
}

/** Whether PostgreSQL can store the text: no NUL character and no lone surrogate. */
const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

/** Replaces characters of a field name that cannot be written in the answer. */
const storableFieldName = (field: string) => field.toWellFormed().replaceAll('\u0000', '\uFFFD').slice(0, 100)

/** The maximum nesting of an input. No procedure needs more. */
const maxDepth = 32

/** Collects fields, keys and file names that cannot be stored, up to the reported number. */
const collectUnstorable = (value: unknown, field: string, fields: Set<string>, depth = 0) => {
  if (fields.size >= maxFields) return
  if (typeof value === 'string' && !isStorable(value)) fields.add(storableFieldName(field))
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw new ApiError('BAD_REQUEST')
  if (value instanceof File && !isStorable(value.name)) fields.add(storableFieldName(field))
  for (const [key, inner] of Object.entries(value)) {
    const name = field ? `${field}.${key}` : key
    if (!isStorable(key)) fields.add(storableFieldName(name))
    collectUnstorable(inner, name, fields, depth + 1)
  }
}

/**
 * Rejects text that PostgreSQL cannot store, and nesting that would exhaust the stack, before a
 * procedure reads the input.
 *
 * @throws ApiError VALIDATION_FAILED with the fields, or BAD_REQUEST
 */
export const refuseUnstorable = (input: unknown, language: Locale) => {
  const fields = new Set<string>()
  collectUnstorable(input, '', fields)
  if (fields.size === 0) return
  const i18n = messagesOf(language)
  const sentence = i18n._('Contains a character that cannot be stored. Remove it.')
  throw new ApiError('VALIDATION_FAILED', {
    errors: Object.fromEntries([...fields].map((field) => [field, [sentence]])),
  })
}
