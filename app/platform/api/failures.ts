import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { validationErrors } from '~/platform/forms/validation-errors'
import { showToast } from '~/platform/toasts/toasts'
import type { Problem } from './problem'

export const serverErrorMessage = msg`A server error has occurred.`
export const undefinedErrorMessage = msg`An undefined error occurred.`

const busyMessage = msg`The store is very busy right now. Try again in a moment.`

type Consequence = { show: 'code' } | { show: 'message'; message: MessageDescriptor } | { show: 'field errors' }

const otherwise: Consequence = { show: 'message', message: undefinedErrorMessage }

/** What a failed call means for the person in front of it, by status. */
export const failureCatalogue: Readonly<Record<number, Consequence>> = {
  400: { show: 'code' },
  401: { show: 'code' },
  403: { show: 'code' },
  422: { show: 'field errors' },
  500: { show: 'message', message: serverErrorMessage },
}

/** The consequence of a status: the table's row, or the one for all others. */
export const consequenceOf = (status: number): Consequence => failureCatalogue[status] ?? otherwise

/** What a code means, for those that a person meets; in the page's language, which the API's own words are not. */
const sentences: Readonly<Record<string, MessageDescriptor>> = {
  LOGIN_FAILED: msg`Incorrect email or password.`,
  SESSION_EXPIRED: msg`Your session has expired. Sign in again.`,
  NOT_ENTITLED: msg`You don’t have access to this title, or your access has ended.`,
  JOIN_DISABLED: msg`This store isn’t accepting new members right now.`,
  COMMENTS_CLOSED: msg`Comments are closed for this title.`,
  PAYMENT_DISABLED: msg`This store doesn’t sell individual titles.`,
}
const sentenceOfStatus: Readonly<Record<number, MessageDescriptor>> = {
  400: msg`We couldn’t process this request.`,
  401: msg`Sign in to continue.`,
  403: msg`You don’t have permission to do this.`,
}

/** What to do about a failure that will pass by itself. */
export const detailOfStatus: Readonly<Record<number, MessageDescriptor>> = { 503: busyMessage }

/** Does what the catalogue says; `silent` where the caller says the same at its form. */
export function reportFailure(problem: Problem, { silent = false } = {}): void {
  const consequence = consequenceOf(problem.status)
  if (consequence.show === 'field errors') validationErrors.store(problem.errors)
  else if (consequence.show === 'message')
    showToast({ severity: 'error', summary: consequence.message, detail: detailOfStatus[problem.status], silent })
  else {
    const summary = sentences[problem.code] ?? sentenceOfStatus[problem.status] ?? undefinedErrorMessage
    showToast({ severity: 'error', summary, code: problem.code, silent })
  }
}
