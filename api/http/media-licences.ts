import type { IncomingMessage, ServerResponse } from 'node:http'
import { drmOfAsset } from '#api/db/queries/media-asks.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { licenceFolder } from '#api/domain/playback/licences.ts'
import type { MediaRight } from '#api/media/find.ts'
import { type MediaGrant, openMedia } from '#api/media/sign.ts'
import { type ProblemCode, problemStatus } from '#contract/problem.ts'
import { problemBody } from './problem.ts'
import { requestIdOf } from './request-facts.ts'

const address = new RegExp(`^/m/([^/]+)/(video/[A-Za-z0-9_-]+)/${licenceFolder}/([a-z0-9.]{3,60})(/certificate)?$`)
/** Bytes. What a player asks is a few kilobytes, and so is a licence; a certificate may come with its chain. */
const largest = { request: 64 * 1024, answer: 256 * 1024 }
/** Milliseconds until the licence server has answered whole. */
const timeout = 8_000
const messages: Partial<Record<ProblemCode, string>> = {
  PAYLOAD_TOO_LARGE: 'A request for a licence is 64 KB at most.',
  PROVIDER_UNAVAILABLE: 'The licence server does not answer.',
}

/**
 * Hands a player's requests for licences on to the licence server of its video. The right is asked for first, as for every file; who has
 * it is told to the licence server in `x-marquee-play`. Answers whether the address was such a one.
 */
export const createLicenceHandler =
  (
    deps: Deps,
    {
      secret,
      rightNow,
    }: { secret: string; rightNow: (grant: MediaGrant, request: IncomingMessage) => Promise<MediaRight> },
  ) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [, token, asset, keySystem, certificate] = address.exec(request.url ?? '') ?? []
    if (!token || !asset || !keySystem) return false
    const refuse = (code: ProblemCode, message = messages[code]) => {
      const body = problemBody(code, requestIdOf(new Headers({ 'x-request-id': idOf(request) })), {})
      const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' }
      response.writeHead(problemStatus[code], headers).end(JSON.stringify({ ...body, ...(message && { message }) }))
      // What is still sent is taken and forgotten: a connection that breaks would hide the answer.
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
    // Whoever left in the middle of their own request waits for no answer.
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
        // Unread, it would hold its line.
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

/** Everything of a body; null, and no more is read, where it is larger than `most` bytes. */
const upTo = async (most: number, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > most) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const idOf = ({ headers }: IncomingMessage) => headers['x-request-id']?.toString() ?? ''
