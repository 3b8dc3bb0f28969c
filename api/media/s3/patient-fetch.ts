import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How long a storage may take to begin its answer, in milliseconds. A player asks again after eight seconds of silence and should have
 * been told by then. What is listed or put together takes a storage longer; an upload's bytes are sent within the wait.
 */
const answerWithin = { file: 3_000, list: 20_000, assembly: 60_000, upload: 8_000 }
/** The slowest line an upload is waited for, in bytes a millisecond. */
const slowestLine = 100

/** Tries of one request, and the pause before the second; each further pause is four times as long. */
const attempts = { reading: 3, writing: 4 }
const pauseMilliseconds = 150
/** A storage that said nothing at all so often is not asked again. */
const silencesAtMost = 2

const mayPass = new Set([408, 429, 500, 502, 503, 504])

const methodOf = (init: RequestInit | undefined) => init?.method ?? 'GET'
const writes = (init: RequestInit | undefined) => methodOf(init) === 'PUT' || methodOf(init) === 'POST'
const isList = (url: RequestInfo | URL) => /[?&](?:list-type|uploads)\b/.test(String(url))

const waitFor = (url: RequestInfo | URL, init: RequestInit | undefined) => {
  if (methodOf(init) === 'POST') return answerWithin.assembly
  if (methodOf(init) === 'PUT') return answerWithin.upload + sizeOf(init?.body) / slowestLine
  return isList(url) ? answerWithin.list : answerWithin.file
}

const sizeOf = (body: unknown) =>
  typeof body === 'string' ? body.length : ((body as { byteLength?: number } | null | undefined)?.byteLength ?? 0)

/** Until the headers are there, and of everything but a file's own bytes the whole answer. */
const once = async (url: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
  const waiting = new AbortController()
  const within = waitFor(url, init)
  const timer = setTimeout(() => waiting.abort(new Error(`No answer within ${within / 1000} s`)), within)
  // Lengths and ETags are those of the bytes as they lie there.
  const headers = { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' }
  try {
    const response = await fetch(url, { ...init, headers, signal: waiting.signal })
    const isFile = methodOf(init) === 'GET' && response.ok && !isList(url)
    if (isFile || !response.body) return response
    return new Response(await response.arrayBuffer(), response)
  } catch (error) {
    throw waiting.signal.aborted ? new Silence(waiting.signal.reason) : error
  } finally {
    clearTimeout(timer)
  }
}

class Silence extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/**
 * A `fetch` for requests that may be sent again: waits for so long, and tries again what may pass by itself. While the storage is known
 * to be away a reader is told so after one try.
 */
export const createPatientFetch =
  (isAway: () => boolean): typeof fetch =>
  async (url, init) => {
    const most = writes(init) ? attempts.writing : attempts.reading
    for (let attempt = 1, silences = 0; ; attempt++) {
      const last = attempt === most || (isAway() && !writes(init))
      try {
        const response = await once(url, init)
        if (last || !mayPass.has(response.status)) return response
      } catch (error) {
        if (error instanceof Silence) silences++
        if (last || silences === silencesAtMost) throw error
      }
      await sleep(pauseMilliseconds * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }
