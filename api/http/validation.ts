import { ORPCError, ValidationError } from '@orpc/server'
import { ar, en, ja, ko } from 'zod/locales'
import type * as z from 'zod/mini'
import { databaseErrorCode } from '#api/db/with-tenant.ts'
import { StorageAway } from '#api/media/storage.ts'
import { CallError } from './problem.ts'

type Issue = z.core.$ZodIssue

const sayings = { en: en(), ko: ko(), ja: ja(), ar: ar() }
type Language = keyof typeof sayings

/** The first language of Accept-Language we have sentences in. */
export const languageOf = (acceptLanguage: string | null): Language => {
  const wanted = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return wanted.find((language): language is Language => language in sayings) ?? 'en'
}

/** Issues of a schema as sentences by field (`items.0.optionId`), in the reader's language. */
export const errorsByField = (issues: readonly Issue[], acceptLanguage: string | null) => {
  const { localeError } = sayings[languageOf(acceptLanguage)]
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const said = localeError(issue as z.core.$ZodRawIssue)
    const sentence = (typeof said === 'string' ? said : said?.message) ?? issue.message
    const field = issue.path.map(String).join('.')
    const sentences = errors[field] ?? []
    if (!sentences.includes(sentence)) errors[field] = [...sentences, sentence]
  }
  return errors
}

/** What the database says to a write of a member who has left meanwhile. */
const memberGone = 'MQ401'

/**
 * What is thrown in a call, in the project's words: a field that is not right is 422 with its sentence, and who has left has no session.
 * An answer that does not fit the contract is our own mistake and stays a surprise.
 */
export const inOurWords = (error: unknown, acceptLanguage: string | null): unknown => {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError)
    return new CallError('VALIDATION_FAILED', {
      errors: errorsByField(error.cause.issues as unknown as Issue[], acceptLanguage),
    })
  if (error instanceof StorageAway) return new CallError('UNAVAILABLE', { retryAfterSeconds: error.retryAfterSeconds })
  return databaseErrorCode(error) === memberGone ? new CallError('SESSION_EXPIRED') : error
}

const nul = '\u0000'

/** No call's input is nested as deeply. */
const deepest = 32

const fieldsWithNul = (value: unknown, field: string, depth = 0): string[] => {
  if (typeof value === 'string') return value.includes(nul) ? [field] : []
  if (typeof value !== 'object' || value === null) return []
  if (depth > deepest) throw new CallError('BAD_REQUEST')
  return Object.entries(value).flatMap(([key, inner]) =>
    fieldsWithNul(inner, field ? `${field}.${key}` : key, depth + 1),
  )
}

/**
 * The one character a PostgreSQL text cannot hold, and nesting that would exhaust the stack of whoever walks it: refused at the edge,
 * so that no call has to think of them.
 */
export const refuseNul = (input: unknown) => {
  const fields = fieldsWithNul(input, '')
  if (fields.length === 0) return
  const errors = Object.fromEntries(fields.map((field) => [field, ['Must not contain the NUL character.']]))
  throw new CallError('VALIDATION_FAILED', { errors })
}
