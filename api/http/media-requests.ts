import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { sessionToken } from '#api/modules/identity/sessions.ts'
import { createVariants, type WaitLimits } from '#api/modules/media/picture-variants.ts'
import { drmOfAsset, isOpenAsset, type MediaRequestRow } from '#api/modules/playback/media-rights.queries.ts'
import { mediaRight } from '#api/modules/playback/plays.ts'
import { recordLeakOnce } from '#api/modules/playback/protection.ts'
import { createMediaHandler, type MediaRight } from '#api/modules/playback/serve-media.ts'
import { resolveStaffToken, staffCookie, staffToken } from '#api/modules/staff/staff-sessions.ts'
import { readPreviewToken } from '#api/modules/tenancy/stores.ts'
import type { Clock } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { problemBody } from '#api/platform/http/problems.ts'
import { addressOf, isTrusted, requestIdOf } from '#api/platform/http/request-facts.ts'
import { type LimitKinds, minuteSeconds, networkOf } from '#api/platform/limits/rate-limits.ts'
import { licenceFolder, type MediaGrant, openMedia } from '#api/platform/storage/media-urls.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { locale } from '#contract/enumerations.ts'
import { type ProblemCode, problemStatus } from '#contract/problem.ts'
import { pathOf } from '#contract/request-url.ts'
import { bearerOf } from './actor.ts'

/**
 * Returns the limit of resized pictures, by network. Beyond it visitors get the original pictures.
 */
export const createMediaLimits = ({ inProcess }: LimitKinds) => ({ variants: inProcess(300, minuteSeconds) })
type MediaLimits = ReturnType<typeof createMediaLimits>

/** What serving media needs of the process. */
export interface MediaRequestDeps {
  pool: pg.Pool
  clock: Clock
  log: Logger
  secret: string
  storage: MediaStorage
  limits: MediaLimits
  /** The internal location of the proxy that serves media. */
  mediaAccel: string | null
  trustedProxies: ReadonlySet<string>
  /** Whether staff need a second factor for some rights. */
  needsSecondFactor: boolean
}

const minute = 60_000
/**
 * The maximum number of foreign addresses recorded per play and minute. The log line notes that
 * there were more.
 */
const writtenPerMinute = 20

/**
 * Logs shared media URLs, at most once per play and minute, and records them for the store's
 * operators.
 */
const createLeakWatch = ({ pool, clock, log }: Pick<MediaRequestDeps, 'pool' | 'clock' | 'log'>) => {
  const addressesByKey = new LRUCache<string, Set<string>>({ max: 10_000 })
  return async (grant: MediaGrant, request: MediaRequestRow, address: string) => {
    const key = `${Math.floor(clock.now().getTime() / minute)}.${grant.playId ?? grant.asset}`
    const addresses = addressesByKey.get(key) ?? new Set<string>()
    if (addresses.has(address) || addresses.size >= writtenPerMinute) return
    const first = addresses.size === 0
    addressesByKey.set(key, addresses.add(address))
    const leak = await withTenant(pool, grant.customerId, (db) =>
      recordLeakOnce({ db, clock }, grant, request, address),
    )
    if (!first && !leak.closed) return
    const { customerId, memberId, productId, playId, asset } = grant
    log.warn(
      {
        event: 'media.leak',
        customer: request.customerCode,
        customerId,
        memberId,
        productId,
        playId,
        asset,
        address,
        playAddress: request.play?.address ?? null,
        requestedBy: request.memberId,
        ...leak,
      },
      leak.addresses === 0
        ? 'A stream was requested from its own network without the member’s session'
        : 'A URL of one member was requested by somebody else',
    )
  }
}

const address = new RegExp(`^/m/([^/]+)/(video/[A-Za-z0-9_-]+)/${licenceFolder}/([a-z0-9.]{3,60})(/certificate)?$`)
/**
 * Maximum sizes in bytes. A player's request and a licence take a few kilobytes. A certificate may
 * include its chain.
 */
const largest = { request: 64 * 1024, answer: 256 * 1024 }
/** The time limit for the complete answer of the licence server. Milliseconds. */
const timeout = 8_000
const messages: Partial<Record<ProblemCode, string>> = {
  PAYLOAD_TOO_LARGE: 'A licence request must not be larger than 64 KB.',
  PROVIDER_UNAVAILABLE: 'The licence server does not answer.',
}

/**
 * Proxies a player's licence requests to the licence server of its video. Checks access first, as
 * for every file, and sends the play to the licence server in `x-marquee-play`. The handler returns
 * false for other URLs.
 */
const createLicenceHandler =
  (
    deps: Pick<MediaRequestDeps, 'pool' | 'clock' | 'log'>,
    {
      secret,
      rightNow,
    }: { secret: string; rightNow: (grant: MediaGrant, request: IncomingMessage) => Promise<MediaRight> },
  ) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [, token, asset, keySystem, certificate] = address.exec(request.url ?? '') ?? []
    if (!token || !asset || !keySystem) return false
    const refuse = (code: ProblemCode, message = messages[code]) => {
      const body = problemBody(code, { requestId: requestIdOf(new Headers({ 'x-request-id': idOf(request) })) }, {})
      const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' }
      response.writeHead(problemStatus[code], headers).end(JSON.stringify({ ...body, ...(message && { message }) }))
      // Reads and discards the rest of the body, because closing the connection could lose the
      // response.
      request.resume()
      return true
    }
    if (request.method !== (certificate ? 'GET' : 'POST')) return refuse('METHOD_NOT_ALLOWED')
    const grant = openMedia(secret, token, asset, Math.floor(deps.clock.now().getTime() / 1000))
    if (!grant || (await rightNow(grant, request)) !== 'STREAM') return refuse('NOT_ENTITLED')
    const drm = await withTenant(deps.pool, grant.customerId, (db) => drmOfAsset(db, grant.customerId, asset))
    const server = drm?.[keySystem]
    const url = certificate ? server?.certificateUrl : server?.licenseUrl
    if (!url) return refuse('NOT_FOUND')
    const sent = certificate ? undefined : upTo(largest.request, request.iterator({ destroyOnReturn: false }))
    const body = await sent?.catch(() => 'LEFT' as const)
    // The client disconnected.
    if (body === 'LEFT') return true
    if (body === null) return refuse('PAYLOAD_TOO_LARGE')
    const { customerId, memberId, productId, lessonId, playId } = grant
    try {
      const answer = await fetch(url, {
        ...(body ? { method: 'POST', body } : {}),
        headers: {
          'content-type': request.headers['content-type'] ?? 'application/octet-stream',
          'x-marquee-play': JSON.stringify({ customerId, memberId, productId, lessonId, playId, asset, keySystem }),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      if (!answer.ok) {
        // An unread body would block the connection.
        await answer.body?.cancel()
        deps.log.warn({ asset, keySystem, status: answer.status }, 'The licence server refused')
        return answer.status === 403
          ? refuse('NOT_ENTITLED', 'The licence server refused.')
          : refuse('PROVIDER_UNAVAILABLE', `The licence server answered ${answer.status}.`)
      }
      const licence = await upTo(largest.answer, answer.body ?? [])
      if (!licence) {
        deps.log.warn({ asset, keySystem, largest: largest.answer }, 'The licence server’s answer is too large')
        return refuse('PROVIDER_UNAVAILABLE', 'The licence server’s answer is too large.')
      }
      response.writeHead(200, {
        'cache-control': 'no-store',
        'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
        'x-content-type-options': 'nosniff',
      })
      response.end(licence)
    } catch (error) {
      deps.log.warn({ err: error, asset, keySystem }, 'The licence server cannot be reached')
      return refuse('PROVIDER_UNAVAILABLE')
    }
    return true
  }

/** Reads a whole body. Returns null, and stops reading, where it is larger than `max` bytes. */
const upTo = async (max: number, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > max) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const idOf = ({ headers }: IncomingMessage) => headers['x-request-id']?.toString() ?? ''

/**
 * The storefront's cookies for the member's token and the preview token. Over HTTPS their names
 * have a prefix.
 */
const tokenCookie = 'token'
const previewCookie = 'preview'

/**
 * Returns the token of a request: from the Authorization header of an application, or the cookie of
 * a browser. Tokens need no decoding.
 */
const shownToken = (request: IncomingMessage) =>
  bearerOf(request.headers.authorization) ?? cookieOf(request, tokenCookie) ?? null

const cookieOf = ({ headers }: IncomingMessage, name: string) => {
  const parts = (headers.cookie ?? '').split(/;\s*/)
  const read = (full: string) => parts.find((part) => part.startsWith(`${full}=`))?.slice(full.length + 1)
  return read(`__Host-${name}`) ?? read(name)
}

/**
 * Returns whether an address for staff opens now: in the session it was signed for, from a page of
 * the store, while the person may see videos and the video is not removed.
 */
const staffRight = async (
  { pool, clock, needsSecondFactor }: MediaRequestDeps,
  { customerId, staffSessionId, asset }: MediaGrant,
  request: IncomingMessage,
): Promise<MediaRight> => {
  const token = cookieOf(request, staffCookie)
  const isOwn = request.headers['sec-fetch-site'] === 'same-origin'
  if (!isOwn || token === undefined || staffToken.customerOf(token) !== customerId) return 'CLOSED'
  return withTenant(pool, customerId, async (db) => {
    // Only a store has videos.
    const ctx = { db, clock, customer: { id: customerId, isInstallation: false } }
    const person = await resolveStaffToken(ctx, token, { needsSecondFactor })
    if (!person || person.sessionId !== staffSessionId || person.secondFactor === 'MISSING') return 'CLOSED'
    const mayWatch = person.permissions.includes('videos:read')
    return mayWatch && (await isOpenAsset(db, customerId, asset)) ? 'STREAM' : 'CLOSED'
  })
}

interface MediaOptions {
  /** Whether the process is overloaded. */
  isBusy?: () => boolean
  waitLimits?: WaitLimits
}

/** Serves media and licences of encrypted streams to node:http. See `createMediaHandler`. */
export const openMediaHandler = (deps: MediaRequestDeps, options: MediaOptions = {}) => {
  const watchLeaks = createLeakWatch(deps)
  const secret = secretFor(deps.secret, 'media')
  const rightNow = async (grant: MediaGrant, request: IncomingMessage) => {
    if (grant.staffSessionId !== undefined) return staffRight(deps, grant, request)
    const shown = shownToken(request)
    const token = shown && sessionToken.customerOf(shown) === grant.customerId ? shown : null
    const { pool, clock } = deps
    const link = cookieOf(request, previewCookie)
    const preview = link !== undefined && readPreviewToken(deps.secret, grant.customerId, link, clock.now()) !== null
    const { right, otherMember } = await mediaRight(
      { pool, clock, token, preview, pausedAsset: isPausedAsset(grant, request), languageOf: languageOf(request) },
      grant,
    )
    if (otherMember) await watchLeaks(grant, otherMember, visitorOf(request, deps.trustedProxies))
    return right
  }
  const licences = createLicenceHandler(deps, { secret, rightNow })
  const media = createMediaHandler({
    storage: deps.storage,
    variants: createVariants({
      storage: deps.storage,
      onFault: (err, key) => deps.log.warn({ err, key }, 'A picture could not be resized'),
      ...options,
    }),
    mayMakeVariant: (request) =>
      deps.limits.variants.consume(networkOf(visitorOf(request, deps.trustedProxies))).code === 'ALLOWED',
    secret,
    now: deps.clock.now,
    rightNow,
    // Requests that bypass the proxy get the bytes from this process.
    accelFor: ({ socket }) => (isTrusted(socket.remoteAddress, deps.trustedProxies) ? deps.mediaAccel : null),
  })
  return async (request: IncomingMessage, response: ServerResponse) =>
    (await licences(request, response)) || media(request, response)
}

/** Returns what reads the language of a download's name, where its address names one. */
const languageOf =
  ({ url }: IncomingMessage) =>
  () =>
    locale.safeParse(new URLSearchParams(url?.split('?')[1]).get('language')).data

/** Compares the path only, because the query does not select the file. */
const isPausedAsset = ({ asset }: MediaGrant, { url }: IncomingMessage) => {
  const path = pathOf(url)
  return ['storyboard', 'captions'].some((folder) => path.includes(`/${asset}/${folder}/`))
}

const visitorOf = ({ headers, socket }: IncomingMessage, trusted: ReadonlySet<string>) =>
  addressOf(
    new Headers({ 'x-forwarded-for': headers['x-forwarded-for']?.toString() ?? '' }),
    { address: socket.remoteAddress ?? '' },
    trusted,
  )
