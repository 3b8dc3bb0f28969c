const segment = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*$/

/** A storage key: folders and a file below a storage root, `video/0199…/master.m3u8`. */
export type MediaKey = string & { readonly __brand: 'MediaKey' }

/**
 * Reads a key from a URL's raw path. Only plain names pass: no percent-encoding, no empty, hidden or dotted-up segment, so that
 * nothing outside the storage root can be named. Null for anything else.
 */
export const parseMediaKey = (path: string): MediaKey | null => {
  if (path.length === 0 || path.length > 300) return null
  return path.split('/').every((part) => segment.test(part)) ? (path as MediaKey) : null
}

/** The folder a signature covers: the first two segments, `video/0199…`. Null where the key names no file inside one. */
export const assetOf = (key: MediaKey): string | null => {
  const [kind, id, ...rest] = key.split('/')
  return kind && id && rest.length > 0 ? `${kind}/${id}` : null
}

/** The folders anyone may read: pictures and brand art. Streams and files of products are never among them. */
const publicFolders = new Set(['art', 'brand', 'poster', 'posters', 'banners', 'public'])
export const isPublicKey = (key: MediaKey) => publicFolders.has(key.slice(0, key.indexOf('/')))

/** A preview is an asset of its own, so that its public address can never open the film's segments. */
export const isPreviewKey = (key: MediaKey) => /^video\/[^/]+-preview\//.test(key)
