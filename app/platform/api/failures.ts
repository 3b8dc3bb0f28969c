import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ProblemCode } from '#contract/problem.ts'
import { showToast } from '~/platform/toasts/toasts'
import type { Problem } from './problem'
import { validationErrors } from './validation-errors'

export const serverErrorMessage = msg`A server error has occurred.`
export const undefinedErrorMessage = msg`An undefined error occurred.`

const unreachableMessage = msg`We can’t reach the store. Check your connection and try again.`
const busyMessage = msg`The store is very busy right now. Try again in a moment.`

const paymentDisabledMessage = msg`This store doesn’t sell individual titles.`
const forbiddenMessage = msg`You don’t have permission to do this.`
/** For staff, who see the store as a member or at another time. */
export const readOnlyMessage = msg`This isn’t available while you only look at the store.`

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

/** Codes of failures that the storefront itself finds, without an answer of the API. */
type LocalCode = 'CONSENT_MISSING' | 'UNREACHABLE' | 'STOPPED'
type ShownCode = ProblemCode | LocalCode

/** Messages by the code of a problem. Codes without one have a general message. */
type MessageByCode = Readonly<Partial<Record<ShownCode, MessageDescriptor>>>

/** Returns the message of a code, which may come from a newer API or from an address. */
const messageOf = (messages: MessageByCode, code: string): MessageDescriptor | undefined =>
  Object.entries(messages).find(([known]) => known === code)?.[1]

/** Toasts by problem code, in the page's language. The API's own messages are English. */
const messageByCode: MessageByCode = {
  LOGIN_FAILED: msg`Incorrect email or password.`,
  SESSION_EXPIRED: msg`Your session has expired. Sign in again.`,
  NOT_ENTITLED: msg`You don’t have access to this title, or your access has ended.`,
  JOIN_DISABLED: msg`This store isn’t accepting new members right now.`,
  COMMENTS_CLOSED: msg`Comments are closed for this title.`,
  PAYMENT_DISABLED: paymentDisabledMessage,
  READ_ONLY: readOnlyMessage,
}
const messageByStatus: Readonly<Record<number, MessageDescriptor>> = {
  400: msg`We couldn’t process this request.`,
  401: msg`Sign in to continue.`,
  403: forbiddenMessage,
}

/** Advice for temporary failures, by status: 0 where no server was reached. */
export const detailByStatus: Readonly<Record<number, MessageDescriptor>> = {
  0: unreachableMessage,
  503: busyMessage,
  504: unreachableMessage,
}

/** Messages that are the same beside every form. */
const commonRefusals: MessageByCode = {
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
  BUYER_DETAILS_MISSING: msg`Our payment provider needs your name and phone number. Add them to your profile, then try again.`,
  DEPOSIT_OPEN: msg`Another order for this title is awaiting your transfer. Pay for or cancel that order first.`,
  IDEMPOTENCY_IN_FLIGHT: msg`Your request is already being processed. Wait a moment.`,
  READ_ONLY: readOnlyMessage,
  PAYMENT_DISABLED: paymentDisabledMessage,
}

/** Refusals of a call that the server never answered, or whose provider did not answer. */
const unreachableCodes: readonly string[] = [
  'UNREACHABLE',
  'TIMEOUT',
  'PROVIDER_UNAVAILABLE',
] satisfies readonly ShownCode[]

interface RefusalTexts {
  /** Messages by problem code, which win over the common ones. */
  byCode?: MessageByCode
  /** The message where the server or the payment provider cannot be reached. */
  unreachable?: MessageDescriptor
  /** The message of all other codes. */
  otherwise: MessageDescriptor
}

/** Returns the function that finds the message beside a form, by the problem's code. */
export const refusalMessages =
  ({ byCode = {}, unreachable, otherwise }: RefusalTexts) =>
  (code: string): MessageDescriptor =>
    messageOf(byCode, code) ??
    messageOf(commonRefusals, code) ??
    (unreachableCodes.includes(code) ? (unreachable ?? otherwise) : otherwise)

/** Shows a failure as the table says. A `silent` toast is not announced: the form says the same. */
export function reportFailure(problem: Problem, { silent = false } = {}): void {
  const consequence = consequenceOf(problem.status)
  if (consequence.show === 'field errors') validationErrors.store(problem.errors)
  else if (consequence.show === 'message')
    showToast({ severity: 'error', summary: consequence.message, detail: detailByStatus[problem.status], silent })
  else {
    const summary = messageOf(messageByCode, problem.code) ?? messageByStatus[problem.status] ?? undefinedErrorMessage
    showToast({ severity: 'error', summary, code: problem.code, silent })
  }
}
