import { isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { asError, asSentence, OperatorError } from '#api/platform/log/log.ts'

/**
 * What a check found. WRONG: something does not work, or will not for visitors. ADVISED: a
 * recommendation.
 */
export interface Finding {
  subject: string
  state: 'OK' | 'ADVISED' | 'WRONG'
  /** A fact, or a sentence that says what to do. */
  text: string
}

export const ok = (subject: string, text: string): Finding => ({ subject, state: 'OK', text })
export const advised = (subject: string, text: string): Finding => ({ subject, state: 'ADVISED', text })
export const wrong = (subject: string, text: string): Finding => ({ subject, state: 'WRONG', text })

/** Runs a check and returns its value, or null with the finding about what it threw. */
export const attempt = async <Value>(
  subject: string,
  check: () => Promise<Value>,
): Promise<{ value: Value; failure: null } | { value: null; failure: Finding }> => {
  try {
    return { value: await check(), failure: null }
  } catch (error) {
    const { name, message } = asError(error)
    const isKnown = error instanceof OperatorError || isDatabaseUnavailable(error)
    return { value: null, failure: wrong(subject, isKnown ? asSentence(message) : `${name}: ${message}`) }
  }
}

/** Runs a check. What it throws is a finding too, so that one failure hides no other. */
export const examine = async (subject: string, check: () => Promise<readonly Finding[]>): Promise<Finding[]> => {
  const { value, failure } = await attempt(subject, check)
  return failure ? [failure] : [...value]
}
