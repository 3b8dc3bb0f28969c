import { ORPCError, ValidationError } from '@orpc/server'
import type * as z from 'zod/mini'
import { databaseErrorCode, databaseRetrySeconds, isDatabaseUnavailable } from '#api/db/with-tenant.ts'
import { StorageAway } from '#api/media/storage.ts'
import type { Locale } from '#contract/enumerations.ts'
import { validationMessage } from '#contract/validation-messages.ts'
import { CallError } from './problem.ts'

type Issue = z.core.$ZodIssue

/** More faults than anyone reads are not told: a body of a thousand wrong values gets no answer of a thousand sentences. */
const mostFields = 50

/** Issues of a schema as sentences by field (`items.0.optionId`), in the reader's language. */
export const errorsByField = (issues: readonly Issue[], language: Locale) => {
  const errors: Record<string, string[]> = {}
  for (const issue of issues.slice(0, mostFields)) {
    const sentence = validationMessage(issue, language)
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
export const inOurWords = (error: unknown, language: Locale): unknown => {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError)
    return new CallError('VALIDATION_FAILED', {
      errors: errorsByField(error.cause.issues as unknown as Issue[], language),
    })
  if (error instanceof StorageAway) return new CallError('UNAVAILABLE', { retryAfterSeconds: error.retryAfterSeconds })
  if (isDatabaseUnavailable(error)) return new CallError('UNAVAILABLE', { retryAfterSeconds: databaseRetrySeconds })
  return databaseErrorCode(error) === memberGone ? new CallError('SESSION_EXPIRED') : error
}

/** Whether PostgreSQL can hold a text as it is: neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

/** A field's name with what cannot be stored replaced, so that the answer can be written. */
const nameable = (field: string) => field.toWellFormed().replaceAll('\u0000', '\uFFFD').slice(0, 100)

/** No call's input is nested as deeply. */
const deepest = 32

/** Collects the fields, keys and file names that cannot be stored; enough of them to be shown. */
const collectUnstorable = (value: unknown, field: string, found: Set<string>, depth = 0) => {
  if (found.size >= mostFields) return
  if (typeof value === 'string' && !isStorable(value)) found.add(nameable(field))
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest) throw new CallError('BAD_REQUEST')
  if (value instanceof File && !isStorable(value.name)) found.add(nameable(field))
  for (const [key, inner] of Object.entries(value)) {
    const name = field ? `${field}.${key}` : key
    if (!isStorable(key)) found.add(nameable(name))
    collectUnstorable(inner, name, found, depth + 1)
  }
}

const unstorable: Record<Locale, string> = {
  en: 'Contains a character that cannot be stored. Remove it.',
  ko: '저장할 수 없는 문자가 있어요. 삭제해 주세요.',
  ja: '保存できない文字が含まれています。削除してください。',
  ar: 'يحتوي على رمز لا يمكن حفظه. احذفه.',
}

/**
 * Refuses text that PostgreSQL cannot hold, and nesting that would exhaust the stack of whoever walks it, before any call sees them.
 *
 * @throws CallError VALIDATION_FAILED with the fields, or BAD_REQUEST
 */
export const refuseUnstorable = (input: unknown, language: Locale) => {
  const fields = new Set<string>()
  collectUnstorable(input, '', fields)
  if (fields.size === 0) return
  const sentence = unstorable[language]
  throw new CallError('VALIDATION_FAILED', {
    errors: Object.fromEntries([...fields].map((field) => [field, [sentence]])),
  })
}
