import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#api/deps.ts'
import { customerOfToken } from '#api/domain/accounts/session-token.ts'
import { mediaRight } from '#api/domain/playback/media-right.ts'
import { isPreviewToken } from '#api/domain/tenancy/preview-token.ts'
import { createMediaHandler } from '#api/media/serve.ts'
import type { MediaGrant } from '#api/media/sign.ts'
import { createVariants, type WaitLimits } from '#api/media/variants.ts'
import { networkOf } from '#api/network.ts'
import { secretFor } from '#api/secrets.ts'
import { bearerOf } from './actor.ts'
import { createLeakWatch } from './media-leaks.ts'
import { createLicenceHandler } from './media-licences.ts'
import { addressOf, isTrusted } from './request-facts.ts'

/** The storefront's cookies that carry a member's token, and that of a preview link; over https their names have a prefix. */
const tokenCookie = 'token'
const previewCookie = 'preview'

/** The token a request shows: an application's header, or the browser's cookie. Its letters need no encoding. */
const shownToken = (request: IncomingMessage) =>
  bearerOf(request.headers.authorization) ?? cookieOf(request, tokenCookie) ?? null

const cookieOf = ({ headers }: IncomingMessage, name: string) => {
  const parts = (headers.cookie ?? '').split(/;\s*/)
  const read = (full: string) => parts.find((part) => part.startsWith(`${full}=`))?.slice(full.length + 1)
  return read(`__Host-${name}`) ?? read(name)
}

interface MediaOptions {
  /** Whether the process is overloaded. */
  isBusy?: () => boolean
  waitLimits?: WaitLimits
}

/** Serves media to node:http, licences of encrypted streams among them: see `createMediaHandler`. */
export const openMediaHandler = (deps: Deps, options: MediaOptions = {}) => {
  const watchLeaks = createLeakWatch(deps)
  const secret = secretFor(deps.secret, 'media')
  const rightNow = async (grant: MediaGrant, request: IncomingMessage) => {
    const shown = shownToken(request)
    const token = shown && customerOfToken(shown) === grant.customerId ? shown : null
    const { pool, clock } = deps
    const link = cookieOf(request, previewCookie)
    const preview = link !== undefined && isPreviewToken(deps.secret, grant.customerId, link, clock.now())
    const { right, foreign } = await mediaRight(
      { pool, clock, token, preview, beside: isBeside(grant, request) },
      grant,
    )
    if (foreign) await watchLeaks(grant, foreign, visitorOf(request, deps.trustedProxies))
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
      deps.limits.variants.take(networkOf(visitorOf(request, deps.trustedProxies))).code === 'TAKEN',
    secret,
    now: deps.clock.now,
    rightNow,
    // What comes past the proxy is answered with its bytes.
    accelFor: ({ socket }) => (isTrusted(socket.remoteAddress, deps.trustedProxies) ? deps.mediaAccel : null),
  })
  return async (request: IncomingMessage, response: ServerResponse) =>
    (await licences(request, response)) || media(request, response)
}

/** By the path alone, as the file is found by it: a query may say anything. */
const isBeside = ({ asset }: MediaGrant, { url = '' }: IncomingMessage) => {
  const [path = ''] = url.split('?', 1)
  return ['storyboard', 'captions'].some((folder) => path.includes(`/${asset}/${folder}/`))
}

const visitorOf = ({ headers, socket }: IncomingMessage, trusted: ReadonlySet<string>) =>
  addressOf(
    new Headers({ 'x-forwarded-for': headers['x-forwarded-for']?.toString() ?? '' }),
    { address: socket.remoteAddress ?? '' },
    trusted,
  )
