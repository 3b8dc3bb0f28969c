import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ORPCError } from '@orpc/client'
import type { Problem } from '#contract/problem.ts'

export interface Failure {
  /** Zero if the API did not answer. */
  status: number
  code: string
  /** The API’s own message, in the language of the console; empty if it did not answer. */
  message: string
  /** The first error of each field. */
  fields: Readonly<Record<string, string | undefined>>
  data: unknown
}

/** Whether a body is the API's error payload, and not that of a proxy. */
export const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'message' in body &&
  typeof body.message === 'string' &&
  'errors' in body &&
  typeof body.errors === 'object' &&
  body.errors !== null

const unreachable: Failure = { status: 0, code: 'UNREACHABLE', message: '', fields: {}, data: undefined }

/** The browser gave no passkey: the person refused, or has none of this host. */
export class PasskeyNotUsed extends Error {
  override name = 'PasskeyNotUsed'
}

/** Describes an error that the API's client or a passkey has thrown. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof PasskeyNotUsed) return { ...unreachable, code: 'PASSKEY_NOT_USED' }
  if (!(error instanceof ORPCError)) return unreachable
  if (!isProblem(error.data)) return { ...unreachable, status: error.status, code: String(error.code) }
  const { code, message, errors, data } = error.data
  const fields = Object.fromEntries(Object.entries(errors).map(([path, texts]) => [path, texts[0]]))
  return { status: error.status, code, message, fields, data }
}

const signedOutCodes = ['UNAUTHORIZED', 'SESSION_EXPIRED']

/** Whether the API says that nobody is signed in. */
export const isSignedOut = (error: unknown): boolean => signedOutCodes.includes(failureOf(error).code)

const noAnswer = msg`The store does not answer. Check your connection and try again.`
const serverError = msg`The store could not do this because of an error of its own. Try again later.`
const passkeyNotUsed = msg`No passkey was used. Try again, or use your password.`

/** Returns the message of a failure for the person. It does not name the fields with errors. */
export const failureText = (i18n: I18n, { code, message, status }: Failure): string => {
  if (message) return message
  if (code === 'PASSKEY_NOT_USED') return i18n._(passkeyNotUsed)
  return i18n._(status === 500 ? serverError : noAnswer)
}

/** Returns the message of a failure that is shown without a form: the first error of a field. */
export const failureTextAlone = (i18n: I18n, failure: Failure): string =>
  Object.values(failure.fields).find(Boolean) ?? failureText(i18n, failure)
