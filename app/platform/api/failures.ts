import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { validationErrors } from '~/platform/forms/validation-errors'
import { showToast } from '~/platform/toasts/toasts'
import type { Problem } from './problem'

export const serverErrorMessage = msg`A server error has occurred.`
export const undefinedErrorMessage = msg`An undefined error occurred.`

const busyMessage = msg`The store is very busy right now. Try again in a moment.`

type Consequence = { show: 'code' } | { show: 'message'; message: MessageDescriptor } | { show: 'field errors' }

const defaultConsequence: Consequence = { show: 'message', message: undefinedErrorMessage }

/** How a failed call is shown, by HTTP status. */
export const failureCatalogue: Readonly<Record<number, Consequence>> = {
  400: { show: 'code' },
  401: { show: 'code' },
  403: { show: 'code' },
  422: { show: 'field errors' },
  500: { show: 'message', message: serverErrorMessage },
}

/** Returns the table's row for a status, or the default. */
export const consequenceOf = (status: number): Consequence => failureCatalogue[status] ?? defaultConsequence

/** Messages by problem code, in the page's language. The API's own messages are English. */
const messageByCode: Readonly<Record<string, MessageDescriptor>> = {
  LOGIN_FAILED: msg`Incorrect email or password.`,
  SESSION_EXPIRED: msg`Your session has expired. Sign in again.`,
  NOT_ENTITLED: msg`You don’t have access to this title, or your access has ended.`,
  JOIN_DISABLED: msg`This store isn’t accepting new members right now.`,
  COMMENTS_CLOSED: msg`Comments are closed for this title.`,
  PAYMENT_DISABLED: msg`This store doesn’t sell individual titles.`,
}
const messageByStatus: Readonly<Record<number, MessageDescriptor>> = {
  400: msg`We couldn’t process this request.`,
  401: msg`Sign in to continue.`,
  403: msg`You don’t have permission to do this.`,
}

/** Advice for temporary failures, by status. */
export const detailByStatus: Readonly<Record<number, MessageDescriptor>> = { 503: busyMessage }

/** Shows a failure as the table says. A `silent` toast is not announced: the form says the same. */
export function reportFailure(problem: Problem, { silent = false } = {}): void {
  const consequence = consequenceOf(problem.status)
  if (consequence.show === 'field errors') validationErrors.store(problem.errors)
  else if (consequence.show === 'message')
    showToast({ severity: 'error', summary: consequence.message, detail: detailByStatus[problem.status], silent })
  else {
    const summary = messageByCode[problem.code] ?? messageByStatus[problem.status] ?? undefinedErrorMessage
    showToast({ severity: 'error', summary, code: problem.code, silent })
  }
}
