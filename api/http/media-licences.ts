import type { IncomingMessage, ServerResponse } from 'node:http'
import { drmOfAsset } from '#api/db/queries/media-asks.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { licenceFolder } from '#api/domain/playback/licences.ts'
import type { MediaRight } from '#api/media/find.ts'
import { type MediaGrant, openMedia } from '#api/media/sign.ts'

const address = new RegExp(`^/m/([^/]+)/(video/[A-Za-z0-9_-]+)/${licenceFolder}/([a-z0-9.]{3,60})(/certificate)?$`)
/** A player's request for a licence is a few kilobytes. */
const largestRequest = 64 * 1024
const timeout = 8_000

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
    const refuse = (status: number) => {
      response.writeHead(status, { 'cache-control': 'no-store', 'content-length': '0' }).end()
      return true
    }
    if (request.method !== (certificate ? 'GET' : 'POST')) return refuse(405)
    const grant = openMedia(secret, token, asset, Math.floor(deps.clock.now().getTime() / 1000))
    if (!grant || (await rightNow(grant, request)) !== 'STREAM') return refuse(403)
    const drm = await withTenant(deps.pool, grant.customerId, (db) => drmOfAsset(db, grant.customerId, asset))
    const server = drm?.[keySystem]
    const url = certificate ? server?.certificateUrl : server?.licenseUrl
    if (!url) return refuse(404)
    const body = certificate ? null : await bodyOf(request)
    if (body === 'TOO_LARGE') return refuse(413)
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
        deps.log.warn({ asset, keySystem, status: answer.status }, 'The licence server refused')
        return refuse(answer.status === 403 ? 403 : 502)
      }
      const licence = Buffer.from(await answer.arrayBuffer())
      response.writeHead(200, {
        'cache-control': 'no-store',
        'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
        'x-content-type-options': 'nosniff',
      })
      response.end(licence)
    } catch (error) {
      deps.log.warn({ err: error, asset, keySystem }, 'The licence server cannot be reached')
      return refuse(502)
    }
    return true
  }

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | 'TOO_LARGE'> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += (part as Buffer).length
    if (bytes > largestRequest) return 'TOO_LARGE'
    parts.push(part as Buffer)
  }
  return new Uint8Array(Buffer.concat(parts))
}
