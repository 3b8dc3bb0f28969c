import { PaymentClient } from '@portone/server-sdk/payment'
import { ProviderUnavailable } from '../port.ts'

const patience = 10

export interface ClientOptions {
  apiSecret: string
  storeId: string
  /** PortOne's own by default; tests name a local server that speaks its protocol. */
  apiUrl?: string | undefined
  /** How long an answer is waited for; 10 where it is not said. */
  timeoutSeconds?: string | undefined
}

/** Why PortOne refuses, in its own words; null for anything but a refusal. */
export const refusalOf = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('data' in error)) return null
  const { type } = error.data as { type?: unknown }
  return typeof type === 'string' ? type : null
}

/** Refusals that say nothing about a payment: our account does not work there. */
const ofTheAccount = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

const asking = <Answer>(work: () => Promise<Answer>, milliseconds: number): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnavailable('PortOne did not answer in time')), milliseconds)
  })
  return Promise.race([work(), tooLate]).finally(() => clearTimeout(timer))
}

/**
 * PortOne's client, and `speaking`: outside of its words nothing may be concluded (a time-out, a line that broke, an unknown answer).
 * Its own refusals are thrown as they are.
 */
export const createClient = ({ apiSecret, storeId, apiUrl, timeoutSeconds }: ClientOptions) => {
  const client = PaymentClient({ secret: apiSecret, storeId, ...(apiUrl ? { baseUrl: apiUrl } : {}) })
  const milliseconds = Number(timeoutSeconds ?? patience) * 1000
  const speaking = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await asking(work, milliseconds)
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      const refusal = refusalOf(error)
      if (refusal !== null && !ofTheAccount.has(refusal)) throw error
      throw new ProviderUnavailable('PortOne did not answer', { cause: error })
    }
  }
  return { client, speaking }
}
export type Client = ReturnType<typeof createClient>

/** The answer, or null where PortOne refuses for this reason. */
export const unless = async <Answer>(refusal: string, answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (error) {
    if (refusalOf(error) === refusal) return null
    throw error
  }
}
