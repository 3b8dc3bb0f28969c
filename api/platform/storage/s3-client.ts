import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import type { FaultLog, StorageFaults } from './copy-media.ts'
import { StorageUnavailable } from './storage.ts'

/** While a storage is away it is not asked more often than this. */
const askAgainMilliseconds = 1_000

/**
 * Who may ask a storage that is away: one at a time. The others wait for what that one hears, so that a storage that hangs or is
 * overrun has one request to answer and not one of every viewer.
 */
export const createAbsence = (faults: FaultLog) => {
  let cause: unknown = null
  let away = false
  let askedAt = 0
  let probing: Promise<void> | null = null

  const answered = () => {
    away = false
    faults.back()
  }
  const failed = (error: unknown) => {
    away = true
    cause = error
    askedAt = Date.now()
    faults.away(error)
  }

  return {
    isAway: () => away,
    answered,
    failed,
    /** Runs `ask`, which tells by `answered` or `failed` what came of it. Throws `StorageUnavailable` where it is not its turn. */
    inTurn: async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      if (away && probing) await probing
      if (!away) return ask()
      if (probing || Date.now() - askedAt < askAgainMilliseconds) throw new StorageUnavailable(cause)
      const answer = ask()
      probing = answer.then(
        () => undefined,
        () => undefined,
      )
      try {
        return await answer
      } finally {
        probing = null
      }
    },
  }
}

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
  typeof body === 'string'
    ? body.length
    : typeof body === 'object' && body !== null && 'byteLength' in body
      ? Number(body.byteLength)
      : 0

/** Until the headers are there, and of everything but a file's own bytes the whole answer. */
const once = async (url: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
  const waiting = new AbortController()
  const within = waitFor(url, init)
  const timer = setTimeout(() => waiting.abort(new Error(`No answer within ${within / 1000} s`)), within)
  // Lengths and ETags are those of the bytes as they lie there.
  const headers = { ...Object.fromEntries(new Headers(init?.headers)), 'accept-encoding': 'identity' }
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
export const createRetryingFetch =
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

/** Where an S3-compatible storage is, and the account it is asked with. */
export interface S3Place {
  /** The origin, `https://s3.example.com`: the bucket follows as the first name of the path. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** Names before every key, `shop/media`, or nothing. */
  prefix: string
}

export interface Head {
  bytes: number
  modifiedAt: Date
  etag: string
}

export type S3Client = ReturnType<typeof createS3Client>

/** The client, with faults in the storage's words: `null` for what is not there, `StorageUnavailable` for what may pass. */
export const createS3Client = (place: S3Place, faults: StorageFaults) => {
  const absence = createAbsence(faults.reading)
  const patientFetch = createRetryingFetch(absence.isAway)
  // The client keeps the headers of a HEAD request to itself; whoever asks for them reads them on their way in.
  const passing = new AsyncLocalStorage<(headers: Headers) => void>()
  const s3 = new S3mini({
    endpoint: `${place.endpoint}/${place.bucket}`,
    region: place.region,
    accessKeyId: place.accessKey,
    secretAccessKey: place.secretKey,
    fetch: async (url, init) => {
      const response = await patientFetch(url, init)
      passing.getStore()?.(response.headers)
      return response
    },
  })

  /** Asks for something; what a storage refuses to one reader is asked for by one reader at a time. */
  const asked = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> =>
    absence.inTurn(() => reportFaults(work, { back: absence.answered, away: absence.failed }))
  /** Writes something, whether or not readers are answered: a storage that is full still sends what it has. */
  const stored = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => reportFaults(work, faults.writing)

  return {
    s3,
    asked,
    stored,
    head: (name: string): Promise<Head | null> =>
      asked(async () => {
        let headers = new Headers()
        const found = await passing.run(
          (seen) => {
            headers = seen
          },
          () => s3.objectExists(name),
        )
        return found ? readHead(headers) : null
      }),
  }
}

const reportFaults = async <Answer>(
  work: () => Promise<Answer>,
  observer: { back: () => void; away: (error: unknown) => void },
): Promise<Answer | null> => {
  try {
    const answer = await work()
    observer.back()
    return answer
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 412 || statusOf(error) === 416) {
      observer.back()
      return null
    }
    observer.away(error)
    throw new StorageUnavailable(error)
  }
}

export const statusOf = (error: unknown) => (error instanceof S3ServiceError ? error.status : undefined)

const readHead = (headers: Headers): Head => {
  const bytes = Number(headers.get('content-length') ?? Number.NaN)
  const etag = headers.get('etag')
  if (!Number.isSafeInteger(bytes) || !etag) throw new Error('The storage told no length or no ETag of a file.')
  return { bytes, etag, modifiedAt: new Date(headers.get('last-modified') ?? 0) }
}
