import { randomUUID } from 'node:crypto'
import { Server } from '@tus/server'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { freeDiskSpace } from '#api/modules/media/disk-space.ts'
import { createUploadLocks, readFinished, UploadStore, uploadFolder } from '#api/modules/media/uploads.ts'
import { queueFinishedUploads, type VideoFileDeps, videoIntakeDeps } from '#api/modules/media/video-files.ts'
import { formatSize } from '#api/modules/media/video-sources.ts'
import { checkVideoOptions, findTarget, readChapters } from '#api/modules/media/videos.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import {
  type Ctx,
  type Customer,
  type DetachedCtx,
  type EventHandlers,
  type Failure,
  isFailure,
  type Operator,
} from '#api/platform/context.ts'
import { databaseRetrySeconds, isDatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { ApiError, problemRequest, problemResponse, refuseUnstorable } from '#api/platform/http/problems.ts'
import { assertPermission, operatorName } from '#api/platform/http/procedures.ts'
import { type Connection, callerLocale, originOf } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { customerBase } from '#contract/http.ts'
import {
  lessonId as lessonIds,
  productCode,
  type UploadId,
  uploadId as uploadIds,
  type VideoJobId,
} from '#contract/ids.ts'
import type { VideoOrder } from '#contract/media.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { urlOf } from '#contract/request-url.ts'
import { type CallerDeps, resolveOperator } from './actor.ts'

type Metadata = Record<string, string | null | undefined>
type VideoTargetInput = Pick<
  VideoOrder,
  'product' | 'lesson' | 'lessonId' | 'language' | 'previewSeconds' | 'previewStartSeconds' | 'poster' | 'chapters'
>

const refuse = (errors: Record<string, string[]>) => new ApiError('VALIDATION_FAILED', { errors })

const numberOf = (i18n: I18n, metadata: Metadata, field: string) => {
  const value = metadata[field]
  if (value === undefined || value === null || value === '') return undefined
  const number = Number(value)
  if (!Number.isFinite(number)) throw refuse({ [field]: [i18n._('Enter a number.')] })
  return number
}

/**
 * Returns the video that an upload's metadata requests; null if it names neither a product nor the
 * library (`library true`).
 *
 * @throws where the metadata is invalid
 */
const readVideoTarget = (metadata: Metadata, i18n: I18n): VideoTargetInput | null => {
  const { product, language, chapters: chapterText } = metadata
  if (!product && metadata.library !== 'true') return null
  refuseUnstorable(metadata, i18n.locale)
  const code = productCode.safeParse(product)
  if (product && !code.success) throw refuse({ product: [i18n._('Enter a product code, for example K100.')] })
  const lessonId = metadata.lessonId ? lessonIds.safeParse(metadata.lessonId) : null
  if (lessonId && !lessonId.success) throw refuse({ lessonId: [i18n._('Enter the id of a lesson.')] })
  const chapters = chapterText ? readChapters(chapterText, i18n) : []
  if (isFailure(chapters)) throw new ApiError(chapters.failure, chapters)
  const numbers = ['lesson', 'previewSeconds', 'previewStartSeconds', 'poster']
  const [lesson, previewSeconds, previewStartSeconds, poster] = numbers.map((field) => numberOf(i18n, metadata, field))
  const target = {
    chapters,
    ...(code.data !== undefined && { product: code.data }),
    ...(lesson !== undefined && { lesson }),
    ...(lessonId && { lessonId: lessonId.data }),
    ...(language && { language }),
    ...(previewSeconds !== undefined && { previewSeconds }),
    ...(previewStartSeconds !== undefined && { previewStartSeconds }),
    ...(poster !== undefined && { poster }),
  }
  const errors = checkVideoOptions({ ...target, captions: [], audio: [] }, i18n)
  if (errors) throw refuse(errors)
  return target
}

/** Parses the `Upload-Metadata` header: names and base64 of UTF-8, separated by commas. */
const readMetadata = (header: string | null): Metadata => {
  const pairs = (header ?? '').split(',').map((pair) => pair.trim().split(' '))
  return Object.fromEntries(
    pairs.filter(([name]) => name).map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}

/** What uploads need of the process. */
export interface UploadDeps extends CallerDeps, VideoFileDeps {
  log: Logger
  /** A direct connection, which holds the locks of uploads. */
  jobsDatabaseUrl: string
  events: EventHandlers
  publicUrl: string | null
  trustedProxies: ReadonlySet<string>
  video: { largestUpload: number }
}

/** The context of an upload, in which no member acts. */
const uploadCtx = (deps: UploadDeps, { request, customer, requestId }: UploadRequest): DetachedCtx => {
  const shared: Omit<Ctx, 'db'> = {
    customer,
    locale: callerLocale({ headers: request.headers, customer }),
    actor: { kind: 'GUEST', guestId: null },
    clock: deps.clock,
    log: deps.log.child({ requestId, customer: customer.code }),
    requestId,
    events: deps.events,
  }
  return { ...shared, inTransaction: (work) => withTenant(deps.pool, customer.id, (db) => work({ ...shared, db })) }
}

/**
 * Checks before the first byte that the target of an upload exists.
 *
 * @throws ApiError VALIDATION_FAILED
 */
const checkUpload = async ({ inTransaction, locale }: DetachedCtx, request: Request) => {
  const metadata = readMetadata(request.headers.get('upload-metadata'))
  const { product, ...place } = readVideoTarget(metadata, messagesOf(locale)) ?? {}
  if (product === undefined) return
  const uploadTarget: object | Failure = await inTransaction((ctx) => findTarget(ctx, { ...place, product }))
  if (isFailure(uploadTarget)) throw new ApiError('VALIDATION_FAILED', { errors: uploadTarget.errors ?? {} })
}

/** The last part of an upload's address. */
const uploadIn = (address: string) => /\/uploads\/([^/]+)$/.exec(address)?.[1]

const methods = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']
/** The `Retry-After` where the disk is full or the database is unavailable. Seconds. */
const retryAfterSeconds = 60
/** The response header with the id of the video job. */
const jobHeader = 'x-video-job'

interface UploadRequest {
  request: Request
  customer: Customer
  operator: Operator
  requestId: string
}

/** Error codes by status for refusals of the library. The tus protocol defines the status. */
const codes: Record<number, ProblemCode> = {
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  412: 'BAD_REQUEST',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  423: 'CONFLICT',
  503: 'UNAVAILABLE',
}

/**
 * Handles resumable uploads (tus 1.0). Each tenant has its own folder and server, so that upload
 * ids are valid for one tenant only. The last byte of an upload that names a product or the library
 * creates a job. Any other upload waits for `POST /videos/jobs`.
 */
export const createUploads = (deps: UploadDeps) => {
  const servers = new LRUCache<string, Server>({ max: 1000 })
  const locksOf = createUploadLocks(deps)
  const finishing = new Map<string, Promise<VideoJobId | null>>()

  const serverOf = ({ id, code }: Customer) => {
    const existing = servers.get(id)
    if (existing) return existing
    const server = new Server({
      path: `${customerBase(code)}/uploads`,
      relativeLocation: true,
      allowedOrigins: [],
      maxSize: deps.video.largestUpload,
      namingFunction: () => randomUUID(),
      locker: locksOf(id),
      datastore: new UploadStore({ dataFolder: deps.dataFolder, freeSpace: (but) => freeDiskSpace(deps, but) }, id),
    })
    servers.set(id, server)
    return server
  }

  /**
   * Creates a job for a complete upload that names its product or the library. Returns the job's
   * id, or null if there is nothing to create.
   */
  const finish = async (request: UploadRequest, id: UploadId): Promise<VideoJobId | null> => {
    const key = `${request.customer.id}/${id}`
    const running = finishing.get(key) ?? finishOnce(request, id).finally(() => finishing.delete(key))
    finishing.set(key, running)
    return running
  }
  const finishOnce = async (request: UploadRequest, id: UploadId) => {
    const { customer, operator } = request
    const ctx = uploadCtx(deps, request)
    const upload = await serverOf(customer)
      .datastore.getUpload(id)
      .catch(() => null)
    const target =
      upload && upload.offset === upload.size ? readVideoTarget(upload.metadata ?? {}, messagesOf(ctx.locale)) : null
    if (!target) return null
    const order = { ...target, upload: id }
    const queued = await queueFinishedUploads(videoIntakeDeps(ctx, deps), operatorName({ operator }), order)
    if (isFailure(queued)) throw new ApiError(queued.failure, queued)
    return queued.id
  }

  const answer = async (upload: UploadRequest): Promise<Response> => {
    const { request, customer, requestId } = upload
    const target = uploadIn(urlOf(request).pathname)
    const { data: id } = uploadIds.safeParse(target)
    if (target !== undefined && !id) return problemResponse('NOT_FOUND', problemRequest(request, requestId))
    if (request.method !== 'OPTIONS' && request.headers.get('tus-resumable') !== tusVersion)
      return otherVersion(request, requestId)
    const done = id ? await readFinished(uploadFolder(deps.dataFolder, customer.id), id) : null
    if (done && request.method === 'HEAD')
      return new Response(null, {
        headers: {
          'tus-resumable': '1.0.0',
          'cache-control': 'no-store',
          [jobHeader]: done.job,
          'upload-offset': String(done.bytes),
          'upload-length': String(done.bytes),
        },
      })
    if (request.method === 'POST' && !id) await checkUpload(uploadCtx(deps, upload), request)
    const response = await serverOf(customer).handleWeb(request)
    response.headers.set('cache-control', 'no-store')
    if (response.status >= 400) return refusal(response, upload, deps.video.largestUpload)
    const uploadId = id ?? uploadIds.safeParse(uploadIn(response.headers.get('location') ?? '')).data
    // A client that missed the answer to its last part sends HEAD to learn the result.
    const job = uploadId && request.method !== 'DELETE' ? await finish(upload, uploadId) : null
    if (job) response.headers.set(jobHeader, job)
    return response
  }

  return async (request: Request, code: string, requestId: string, connection: Connection): Promise<Response> => {
    const caller = problemRequest(request, requestId)
    try {
      if (!methods.includes(request.method))
        return problemResponse('METHOD_NOT_ALLOWED', caller, {}, { allow: methods.join(', ') })
      const customer = await resolveCustomer(deps, code)
      if (!customer) return problemResponse('NOT_FOUND', caller)
      const origin = originOf(request, deps.publicUrl, connection, deps.trustedProxies)
      const operator = await resolveOperator(deps, customer, { request, origin })
      assertPermission(operator, 'videos:write')
      if (!customer.useCustomer) throw new ApiError('CONTRACT_EXPIRED')
      return await answer({ request, customer, operator, requestId })
    } catch (error) {
      if (error instanceof ApiError) return problemResponse(error.code, caller, error.data)
      if (isDatabaseUnavailable(error))
        return problemResponse('UNAVAILABLE', caller, { retryAfterSeconds: databaseRetrySeconds })
      deps.log.error({ err: error, requestId, customer: code }, 'An upload failed')
      return problemResponse('SERVER_ERROR', caller)
    }
  }
}

const tusVersion = '1.0.0'

/** Answers a client that sends another version of the protocol, or none. */
const otherVersion = (request: Request, requestId: string): Response => {
  const errors = { 'tus-resumable': [`Send the header Tus-Resumable: ${tusVersion}.`] }
  const problem = problemResponse('BAD_REQUEST', problemRequest(request, requestId), { errors })
  const headers = new Headers(problem.headers)
  headers.set('tus-resumable', tusVersion)
  headers.set('tus-version', tusVersion)
  return new Response(problem.body, { status: 412, headers })
}

/**
 * Converts a refusal of the library to the error payload. Replaces unclear messages with our own.
 */
const refusal = async (response: Response, upload: UploadRequest, largest: number): Promise<Response> => {
  const { request, customer, requestId } = upload
  const i18n = messagesOf(callerLocale({ headers: request.headers, customer }))
  const messages: Record<number, string> = {
    409: i18n._('The offset does not match the received bytes. Send HEAD and continue at its Upload-Offset.'),
    501: i18n._('This protocol extension is not supported. Send OPTIONS for the supported ones (Tus-Extension).'),
    413: i18n._('The file must not be larger than {size}.', { size: formatSize(largest) }),
  }
  const message = messages[response.status] ?? (await response.text()).trim()
  // The library reports an unsupported extension as 501. It is the client's fault, because the
  // server lists its extensions.
  const status = response.status === 501 ? 400 : response.status
  const problem = problemResponse(codes[status] ?? 'SERVER_ERROR', problemRequest(request, requestId), {
    ...(message && { errors: { upload: [message] } }),
    ...(response.status === 503 && { retryAfterSeconds }),
  })
  const headers = new Headers(problem.headers)
  headers.set('tus-resumable', tusVersion)
  return new Response(problem.body, { status, headers })
}
