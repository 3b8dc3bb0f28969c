import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import type { FaultLog } from '#api/platform/log/log.ts'
import type { StorageFaults } from './copy-media.ts'
import { StorageUnavailable } from './storage.ts'

/** The minimum time between two requests to an unavailable storage. Milliseconds. */
const retryInterval = 1_000

/**
 * Limits requests to an unavailable storage to one at a time. The other requests wait for its
 * result, so that a slow or overloaded storage does not get one request per viewer.
 */
const createCircuitBreaker = (faults: FaultLog) => {
  let cause: unknown = null
  let open = false
  let failedAt = 0
  let probing: Promise<void> | null = null

  const onSuccess = () => {
    open = false
    faults.onSuccess()
  }
  const onFailure = (error: unknown) => {
    open = true
    cause = error
    failedAt = performance.now()
    faults.onFailure(error)
  }

  return {
    isOpen: () => open,
    onSuccess,
    onFailure,
    /**
     * Runs a request, which reports its result by `onSuccess` or `onFailure`.
     *
     * @throws StorageUnavailable if the storage is known to be unavailable
     */
    run: async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
      if (open && probing) await probing
      if (!open) return request()
      if (probing || performance.now() - failedAt < retryInterval) throw new StorageUnavailable(cause)
      const answer = request()
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
 * The time limits for the first byte of a response, in milliseconds. A player retries after eight
 * seconds and must get an answer before. Listing and assembling take longer. For an upload the time
 * includes sending the bytes.
 */
const firstByteMilliseconds = { file: 3_000, list: 20_000, assembly: 60_000, upload: 8_000 }
/** The slowest upload speed to wait for, in bytes per millisecond. */
const minUploadSpeed = 100

/** The attempts of one request. Each pause is four times as long as the one before. */
const attempts = { reading: 3, writing: 4 }
const pauseMilliseconds = 150
/** A request is not retried after this many timeouts. */
const maxTimeouts = 2

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

const methodOf = (init: RequestInit | undefined) => init?.method ?? 'GET'
const writes = (init: RequestInit | undefined) => methodOf(init) === 'PUT' || methodOf(init) === 'POST'
const isList = (url: RequestInfo | URL) => /[?&](?:list-type|uploads)\b/.test(String(url))

const waitFor = (url: RequestInfo | URL, init: RequestInit | undefined) => {
  if (methodOf(init) === 'POST') return firstByteMilliseconds.assembly
  if (methodOf(init) === 'PUT') return firstByteMilliseconds.upload + sizeOf(init?.body) / minUploadSpeed
  return isList(url) ? firstByteMilliseconds.list : firstByteMilliseconds.file
}

const sizeOf = (body: unknown) =>
  typeof body === 'string'
    ? body.length
    : typeof body === 'object' && body !== null && 'byteLength' in body
      ? Number(body.byteLength)
      : 0

/** Waits for the headers, and for the whole body of all responses except a file's content. */
const once = async (url: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
  const waiting = new AbortController()
  const within = waitFor(url, init)
  const timer = setTimeout(() => waiting.abort(new Error(`No answer within ${within / 1000} s`)), within)
  // Lengths and ETags must be those of the stored bytes.
  const headers = { ...Object.fromEntries(new Headers(init?.headers)), 'accept-encoding': 'identity' }
  try {
    const response = await fetch(url, { ...init, headers, signal: waiting.signal })
    const isFile = methodOf(init) === 'GET' && response.ok && !isList(url)
    if (isFile || !response.body) return response
    return new Response(await response.arrayBuffer(), response)
  } catch (error) {
    throw waiting.signal.aborted ? new RequestTimeout(waiting.signal.reason) : error
  } finally {
    clearTimeout(timer)
  }
}

/** The storage sent no answer within the time limit. */
class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout'
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/**
 * Returns a `fetch` for requests that are safe to repeat. It has a time limit and retries temporary
 * failures. While the storage is known to be unavailable, a read fails after one attempt.
 */
const createRetryingFetch =
  (isOpen: () => boolean): typeof fetch =>
  async (url, init) => {
    const max = writes(init) ? attempts.writing : attempts.reading
    for (let attempt = 1, timeouts = 0; ; attempt++) {
      const last = attempt === max || (isOpen() && !writes(init))
      try {
        const response = await once(url, init)
        if (last || !retryableStatuses.has(response.status)) return response
      } catch (error) {
        if (error instanceof RequestTimeout) timeouts++
        if (last || timeouts === maxTimeouts) throw error
      }
      await sleep(pauseMilliseconds * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

/** The location and the account of an S3-compatible storage. */
export interface S3Place {
  /** The origin, `https://s3.example.com`. The bucket is the first segment of the path. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** A prefix of every key, such as `shop/media`, or empty. */
  prefix: string
}

export interface Head {
  bytes: number
  modifiedAt: Date
  etag: string
}

export type S3Client = ReturnType<typeof createS3Client>

/**
 * Creates the client. Returns `null` for missing objects and throws `StorageUnavailable` for
 * temporary failures.
 */
export const createS3Client = (place: S3Place, faults: StorageFaults) => {
  const breaker = createCircuitBreaker(faults.reading)
  const fetchWithRetries = createRetryingFetch(breaker.isOpen)
  // The client does not expose the headers of a HEAD response, so they are captured on receipt.
  const headersListener = new AsyncLocalStorage<(headers: Headers) => void>()
  const s3 = new S3mini({
    endpoint: `${place.endpoint}/${place.bucket}`,
    region: place.region,
    accessKeyId: place.accessKey,
    secretAccessKey: place.secretKey,
    fetch: async (url, init) => {
      const response = await fetchWithRetries(url, init)
      headersListener.getStore()?.(response.headers)
      return response
    },
  })

  /** Runs a read. While reads fail, one reader at a time tries again. */
  const read = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> =>
    breaker.run(() => reportFaults(work, breaker))
  /** Runs a write, also while reads fail: a full storage still serves its files. */
  const write = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => reportFaults(work, faults.writing)

  return {
    s3,
    read,
    write,
    head: (name: string): Promise<Head | null> =>
      read(async () => {
        let headers = new Headers()
        const exists = await headersListener.run(
          (received) => {
            headers = received
          },
          () => s3.objectExists(name),
        )
        return exists ? readHead(headers) : null
      }),
  }
}

const reportFaults = async <Answer>(work: () => Promise<Answer>, faults: FaultLog): Promise<Answer | null> => {
  try {
    const answer = await work()
    faults.onSuccess()
    return answer
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 412 || statusOf(error) === 416) {
      faults.onSuccess()
      return null
    }
    faults.onFailure(error)
    throw new StorageUnavailable(error)
  }
}

/** Returns the HTTP status of an error of the storage; undefined for any other error. */
export const statusOf = (error: unknown) => (error instanceof S3ServiceError ? error.status : undefined)

const readHead = (headers: Headers): Head => {
  const bytes = Number(headers.get('content-length') ?? Number.NaN)
  const etag = headers.get('etag')
  if (!Number.isSafeInteger(bytes) || !etag)
    throw new Error('The storage answered without the length or the ETag of a file.')
  return { bytes, etag, modifiedAt: new Date(headers.get('last-modified') ?? 0) }
}
