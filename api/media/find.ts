import type { IncomingMessage } from 'node:http'
import { attachmentDisposition } from './content-disposition.ts'
import { contentTypeOf, isPlaylist } from './content-type.ts'
import { assetOf, isPreviewKey, isPublicKey, type MediaKey, parseMediaKey } from './key.ts'
import { type MediaGrant, openMedia } from './sign.ts'
import { type FoundVariant, isVariantKey, readVariantKey } from './variants.ts'

/** What a signed address leads to now: a stream's file, a named download, or nothing any more. */
export type MediaRight = 'CLOSED' | 'STREAM' | { key: MediaKey; name: string; contentType: string }

export interface RightDeps {
  secret: string
  now: () => Date
  /** Asks for the live right behind a well-signed address: session, play, entitlement, rental time. */
  rightNow: (grant: MediaGrant, request: IncomingMessage) => Promise<MediaRight>
}

/** The file an address leads to, and how it is to be answered. */
export interface FoundMedia {
  key: MediaKey
  contentType: string
  cacheControl: string
  disposition?: string
  /** The file is made from a stored picture when it is asked for the first time. */
  variant?: FoundVariant
}

/** `/media/` are public pictures, `/p/` previews, `/m/` what a right opens. */
export type MediaArea = 'media' | 'p' | 'm'

/** Whether the asker may have what an address below one of the areas names; else the status that refuses it. */
export const findMedia = async (
  deps: RightDeps,
  request: IncomingMessage,
  area: MediaArea,
  rest: string,
): Promise<FoundMedia | 403 | 404> => {
  if (area === 'm') return findSigned(deps, request, rest)
  const key = parseMediaKey(rest)
  if (area === 'media' && key && isVariantKey(key)) {
    const variant = readVariantKey(key)
    return variant ? { key, contentType: contentTypeOf(key), cacheControl: keptBy('public', key), variant } : 404
  }
  if (!key || !(area === 'media' ? isPublicKey(key) : isPreviewKey(key))) return 404
  return { key, contentType: contentTypeOf(key), cacheControl: keptBy('public', key) }
}

const findSigned = async (deps: RightDeps, request: IncomingMessage, rest: string): Promise<FoundMedia | 403 | 404> => {
  const slash = rest.indexOf('/')
  const key = slash > 0 ? parseMediaKey(rest.slice(slash + 1)) : null
  if (!key) return 404
  const asset = /^(?:attachment|inquiry)\//.test(key) ? (key as string) : assetOf(key)
  if (!asset) return 404
  const now = Math.floor(deps.now().getTime() / 1000)
  const grant = openMedia(deps.secret, rest.slice(0, slash), asset, now)
  if (!grant) return 403
  const right = await deps.rightNow(grant, request)
  if (right === 'CLOSED') return 403
  if (right === 'STREAM') return { key, contentType: contentTypeOf(key), cacheControl: keptBy('private', key) }
  return {
    key: right.key,
    contentType: right.contentType,
    cacheControl: 'private, no-store',
    disposition: attachmentDisposition(right.name),
  }
}

/** A file never changes under its key; a playlist is asked for again all the same, so that what it names can be taken away. */
const keptBy = (whom: 'public' | 'private', key: MediaKey) =>
  `${whom}, ${isPlaylist(key) ? 'max-age=60' : 'max-age=31536000, immutable'}`
