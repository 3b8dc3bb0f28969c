import { type Failure, isFailure } from '#api/platform/context.ts'
import { problemMessages } from '#api/platform/i18n/messages.ts'
import type { ProblemCode } from '#contract/problem.ts'

/** What the operator can do about a failure, where the message of the API does not say it. */
const remedies: Partial<Record<ProblemCode, string>> = {
  NOT_FOUND: 'The store does not have what the command names. List it first, then copy its code or id.',
  FORBIDDEN: 'This person has more rights than the command may give or take.',
  CONFLICT: 'This is not possible in its present state, or it was done already. Show it, then decide again.',
  LAST_OWNER: 'This person is the only owner. Give another person the role OWNER first.',
  CANCEL_NOT_POSSIBLE:
    'Nothing can be refunded here now: it was not paid, it was refunded already, or no request is waiting. ' +
    'Show it with: npm run cli -- order --help',
  REFUND_AGAINST_RULE:
    'The refund rule of the store does not refund all of these items. Name those that it refunds with --title.',
  COMMENTS_CLOSED: 'Comments are closed for this product. Open them in its settings first.',
  SITE_DISABLED: 'This store is closed. Open it first: npm run cli -- customer open --help',
  PROVIDER_UNAVAILABLE: 'The payment provider does not answer. Run the command again later.',
  RATE_LIMITED: 'This was done too often in a short time. Run the command again later.',
  SERVER_ERROR: 'A server error has occurred. Check the installation: npm run cli -- doctor',
}

/** The reason of a payment provider that refused, null for other failures. */
const providerReason = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : null

/** Returns an answer whose field errors name the options of the command: `--to: Enter …`. */
export const withOptionNames = <Answer>(answer: Answer): Answer => {
  if (!isFailure(answer) || !answer.errors) return answer
  const errors = Object.entries(answer.errors).map(([field, sentences]) => [
    field,
    sentences.map((sentence) => `--${field}: ${sentence}`),
  ])
  return { ...answer, errors: Object.fromEntries(errors) }
}

/**
 * Returns the sentence of an expected failure for the operator of a command. `missing` is that of
 * NOT_FOUND.
 */
export const failureSentence = ({ failure: code, errors, data }: Failure, missing?: string): string => {
  const sentences = Object.values(errors ?? {}).flat()
  if (sentences.length > 0) return sentences.join(' ')
  if (code === 'NOT_FOUND' && missing !== undefined) return missing
  const reason = code === 'CONFLICT' ? providerReason(data) : null
  return reason === null ? (remedies[code] ?? problemMessages('en')[code]) : `The payment provider refused: ${reason}`
}
