import { setTimeout as sleep } from 'node:timers/promises'

/** How long a storage may take to begin its answer; an upload's own bytes count as part of the wait. */
const answerWithin = { reading: 5_000, writing: 120_000 }

/** Tries of one request, and the pause before the second; each further pause is four times as long. */
const attempts = 3
const pauseMilliseconds = 150

const mayPass = new Set([408, 429, 500, 502, 503, 504])

/** Until the headers are there; the body may then take as long as its reader. */
const once = async (url: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
  const waiting = new AbortController()
  const within = writes(init) ? answerWithin.writing : answerWithin.reading
  const timer = setTimeout(() => waiting.abort(new Error(`No answer within ${within / 1000} s`)), within)
  // Lengths and ETags are those of the bytes as they lie there.
  const headers = { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' }
  try {
    return await fetch(url, { ...init, headers, signal: waiting.signal })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A `fetch` for requests that may be sent again: waits for so long, and tries again what may pass by itself. While the storage is known
 * to be away a reader is told so after one try.
 */
export const createPatientFetch =
  (isAway: () => boolean): typeof fetch =>
  async (url, init) => {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === attempts || (isAway() && !writes(init))
      try {
        const response = await once(url, init)
        if (last || !mayPass.has(response.status)) return response
        await response.body?.cancel()
      } catch (error) {
        if (last) throw error
      }
      await sleep(pauseMilliseconds * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

const writes = (init: RequestInit | undefined) => init?.method === 'PUT' || init?.method === 'POST'
