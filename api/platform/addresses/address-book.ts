import * as z from 'zod/mini'
import type { AddressMatch } from '#contract/identity.ts'

/** Searches postal addresses by road and number, lot, building or postcode. */
export interface AddressBook {
  /** Returns at most `max` matches, best first. */
  search: (words: string, max: number) => Promise<AddressMatch[]>
}

const service = 'https://business.juso.go.kr/addrlink/addrLinkApi.do'
const timeoutMilliseconds = 5_000
const maxConcurrent = 100

const answer = z.object({
  results: z.object({
    common: z.object({ errorCode: z.string(), errorMessage: z.string() }),
    juso: z.nullish(
      z.array(
        z.object({ zipNo: z.string(), roadAddrPart1: z.string(), jibunAddr: z.string(), bdNm: z.optional(z.string()) }),
      ),
    ),
  }),
})

/**
 * Error codes for a query that the service cannot search: too short, too broad, or with invalid
 * characters.
 */
const queryErrors = new Set(['E0005', 'E0006', 'E0008', 'E0009', 'E0010', 'E0011', 'E0012', 'E0013', 'E0015'])

/**
 * The national address service of Korea.
 *
 * @param options `key` is the API key that the service has issued to the operator.
 * @returns an address book whose `search` throws where the service fails
 */
export const createNationalAddressBook = ({ key, url = service }: { key: string; url?: string }): AddressBook => ({
  search: async (words, max) => {
    const query = new URLSearchParams({
      confmKey: key,
      keyword: words,
      resultType: 'json',
      currentPage: '1',
      countPerPage: String(Math.min(max, maxConcurrent)),
    })
    const response = await fetch(url, { method: 'POST', body: query, signal: AbortSignal.timeout(timeoutMilliseconds) })
    if (!response.ok) throw new Error(`The address service answered ${response.status}`)
    const { results } = answer.parse(await response.json())
    const { errorCode, errorMessage } = results.common
    if (queryErrors.has(errorCode)) return []
    if (errorCode !== '0') throw new Error(`The address service refused: ${errorCode} ${errorMessage}`)
    return (results.juso ?? []).map(({ zipNo, roadAddrPart1, jibunAddr, bdNm }) => ({
      postcode: zipNo,
      road: roadAddrPart1.trim(),
      lot: jibunAddr || null,
      building: bdNm || null,
    }))
  },
})
