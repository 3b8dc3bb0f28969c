import { buffer } from 'node:stream/consumers'
import { findProductIdByCode } from '#api/modules/catalog/playables.queries.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Customer, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { lastOf } from '#api/platform/elements.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  contentHash,
  type MediaKey,
  type MediaStorage,
  mediaKey,
  parseMediaKey,
} from '#api/platform/storage/storage.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { lockProduct, type NamedVideoTarget, readPosterCandidates, setPoster } from './videos.queries.ts'
import { findTarget } from './videos.ts'

/** The file is not a usable picture. The message names the accepted formats. */
export class NotAPicture extends Error {
  override readonly name = 'NotAPicture'
}

const formats = new Set(['jpeg', 'png', 'webp', 'avif', 'heif', 'gif'])
/** Widths in pixels for small to large screens. None is wider than the original. */
const pictureWidths = [320, 640, 1280, 1920]
const maxPixels = 80_000_000
const minSide = 16
const quality = 82

const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0')

/**
 * Scales a picture to the page widths as WebP, upright and without metadata. The content decides
 * the format, not the file name. Files are written below `{prefix}-…`; a prefix derived from the
 * content is written once. `source` is the path of a file, or its content. With `write` false the
 * picture is only decoded and checked.
 */
export const scalePicture = async (
  { source, prefix }: { source: string | Uint8Array; prefix: MediaKey },
  storage: Pick<MediaStorage, 'put'>,
  write: boolean,
): Promise<Picture> => {
  // Loaded on demand: most processes never scale a picture.
  const { default: sharp } = await import('sharp')
  const open = () => sharp(source, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 }).autoOrient()
  const { format, autoOrient } = await withPictureErrors(open().metadata())
  const { width, height } = autoOrient
  if (!formats.has(format)) throw new NotAPicture('must be a picture as JPEG, PNG, WebP, AVIF or GIF')
  if (Math.min(width, height) < minSide)
    throw new NotAPicture(`must be ${minSide} pixels wide and high at least, and is ${width} × ${height}`)
  const largest = Math.min(width, lastOf(pictureWidths))
  const data = await withPictureErrors(open().flatten({ background: '#ffffff' }).resize(1, 1).raw().toBuffer())
  const widths = [...pictureWidths.filter((width) => width < largest), largest]
  for (const scaledWidth of write ? widths : []) {
    const scaled = await withPictureErrors(open().resize({ width: scaledWidth }).webp({ quality }).toBuffer())
    await storage.put(mediaKey(`${prefix}-${scaledWidth}.webp`), scaled)
  }
  return {
    url: `/media/${prefix}-${largest}.webp`,
    width: largest,
    height: Math.max(1, Math.round((height * largest) / width)),
    alt: '',
    color: `#${hex(data[0] ?? 0)}${hex(data[1] ?? data[0] ?? 0)}${hex(data[2] ?? data[0] ?? 0)}`,
    sources: widths.map((sourceWidth) => ({ url: `/media/${prefix}-${sourceWidth}.webp`, width: sourceWidth })),
  }
}

/** Converts errors of the image library to `NotAPicture`. Storage errors pass through unchanged. */
const withPictureErrors = <Answer>(work: Promise<Answer>): Promise<Answer> =>
  work.catch((error: unknown) => {
    if (/pixel limit/i.test(String(error)))
      throw new NotAPicture(`must have ${maxPixels / 1_000_000} million pixels at most`)
    if (/unsupported|corrupt|premature|truncated|Input file|bad seek|Vips|webp|png|jpeg|heif|gif/i.test(String(error)))
      throw new NotAPicture(
        'must be a complete picture (JPEG, PNG, WebP, AVIF or GIF). This file is not a picture or is damaged',
      )
    throw error
  })

/** Creates a picture of one colour as a placeholder. */
const plainPicture = async (
  color: string,
  folder: string,
  storage: Pick<MediaStorage, 'open' | 'put'>,
  write: boolean,
): Promise<Picture> => {
  const [width, height] = [640, 360]
  const key = mediaKey(`${folder}/plain-${color.slice(1)}.webp`)
  if (write && !(await storage.open(key))) {
    const { default: sharp } = await import('sharp')
    await storage.put(
      key,
      await sharp({ create: { width, height, channels: 3, background: color } })
        .webp()
        .toBuffer(),
    )
  }
  const url = `/media/${key}`
  return { url, width, height, alt: '', color, sources: [{ url, width }] }
}

/** Returns the poster of products without one: a picture in the store's accent colour. */
export const plainPoster = (
  { id, settings }: Pick<Customer, 'id' | 'settings'>,
  storage: Pick<MediaStorage, 'open' | 'put'>,
  write = true,
): Promise<Picture> => {
  const { accent } = settings.theme
  const color = /^#[0-9a-f]{6}$/i.test(accent) ? accent.toLowerCase() : '#888888'
  return plainPicture(color, `posters/${id}`, storage, write)
}

/**
 * Detects the format of a brand picture by its content; null for any other file. Brand pictures are
 * served unchanged, so that an SVG stays an SVG.
 */
const brandFormat = (bytes: Buffer): 'svg' | 'png' | 'jpg' | 'webp' | 'ico' | null => {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'png'
  if (bytes.subarray(0, 3).toString('hex') === 'ffd8ff') return 'jpg'
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP')
    return 'webp'
  if (bytes.subarray(0, 4).toString('hex') === '00000100') return 'ico'
  const text = bytes
    .subarray(0, 2000)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  return /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text) ? 'svg' : null
}

/** The folder of the pictures of a store's texts and banners. */
export const textPictures = (id: CustomerId): MediaKey => mediaKey(`banners/${id}`)

/**
 * Stores an uploaded picture in the widths of pages.
 *
 * @throws NotAPicture
 */
export const storePicture = (
  { id }: Pick<Customer, 'id'>,
  storage: Pick<MediaStorage, 'put'>,
  bytes: Uint8Array,
): Promise<Picture> =>
  scalePicture({ source: bytes, prefix: mediaKey(`${textPictures(id)}/${contentHash(bytes)}`) }, storage, true)

/** The maximum size of a brand picture, which visitors load as it is. Bytes. */
export const maxBrandBytes = 5_000_000

/** Returns the storage key for a brand picture; null for any other file. */
export const brandKey = ({ id }: Pick<Customer, 'id'>, bytes: Buffer): MediaKey | null => {
  const format = bytes.byteLength <= maxBrandBytes ? brandFormat(bytes) : null
  return format && mediaKey(`brand/${id}/${contentHash(bytes)}.${format}`)
}

const posterWidths = [480, 960]

/**
 * Makes a product picture from a poster candidate: its size, colour and smaller versions. Returns
 * null if the file does not exist.
 */
export const makePoster = async (storage: MediaStorage, candidate: string): Promise<Picture | null> => {
  const key = parseMediaKey(candidate)
  const content = key && (await (await storage.open(key))?.read())
  if (!content) return null
  // Loaded on demand: most processes never make a poster.
  const { default: sharp } = await import('sharp')
  const image = sharp(await buffer(content))
  const [{ width, height }, { dominant }] = await Promise.all([image.metadata(), image.stats()])
  const sources = []
  for (const smaller of posterWidths.filter((each) => each < width)) {
    const name = parseMediaKey(candidate.replace(/\.\w+$/, `-${smaller}.webp`))
    if (!name) continue
    await storage.put(name, await image.clone().resize(smaller).webp({ quality: 78 }).toBuffer())
    sources.push({ url: `/media/${name}`, width: smaller })
  }
  const color = `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  const url = `/media/${candidate}`
  return { url, width, height, alt: '', color, sources: [...sources, { url, width }] }
}

interface PosterCtx {
  storage: MediaStorage
  locale: Locale
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

interface PosterTarget {
  product: string
  lesson?: number | undefined
}

const without = (sentence: string) => failure('NOT_FOUND', { errors: { poster: [sentence] } })

const candidatesOf = async ({ db, customer, locale }: Ctx, target: NamedVideoTarget) => {
  const candidates = await readPosterCandidates(db, customer.id, target)
  if (candidates.length > 0) return candidates
  const i18n = messagesOf(locale)
  const code = target.productCode
  return without(i18n._('{code} has no video with pictures to choose from.', { code }))
}

/**
 * Returns the public media keys of the poster candidates of a product's or lesson's video. Fails
 * with NOT_FOUND if there is no such product, lesson or candidate.
 */
export const listPosters = async (ctx: Ctx, video: PosterTarget): Promise<string[] | Failure> => {
  const posters = await findPosters(ctx, video)
  return isFailure(posters) ? posters : posters.candidates
}

const findPosters = async (ctx: Ctx, video: PosterTarget) => {
  const target = await findTarget(ctx, video)
  if (isFailure(target)) return target
  const candidates = await candidatesOf(ctx, target)
  return isFailure(candidates) ? candidates : { candidates, code: target.productCode }
}

/**
 * Sets a poster candidate, counted from 1, as the product's poster. Fails with NOT_FOUND if there
 * is no such product, lesson or candidate.
 */
export const choosePoster = async (
  { storage, locale, inTransaction }: PosterCtx,
  by: AuditActor,
  poster: PosterTarget & { number: number },
): Promise<{ url: string } | Failure> => {
  const posters = await inTransaction((ctx) => findPosters(ctx, poster))
  if (isFailure(posters)) return posters
  const { candidates, code } = posters
  const key = candidates[poster.number - 1]
  const i18n = messagesOf(locale)
  if (!key) return without(i18n._('Choose a picture from 1 to {last}.', { last: candidates.length }))
  const picture = await makePoster(storage, key)
  if (!picture) return without(i18n._('Picture {number} is not in the storage any more.', { number: poster.number }))
  return inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const productId = await findProductIdByCode(db, customer.id, code)
    if (!productId) return without(i18n._('{code} no longer exists.', { code }))
    await lockProduct(db, customer.id, productId)
    const before = await setPoster(db, customer.id, productId, picture)
    const changes = changesOf<{ poster: string | undefined }>({ poster: before }, { poster: picture.url })
    await audit(ctx, { actor: by, action: 'poster.chosen', subject: `product:${code}`, changes, detail: { key } })
    return { url: picture.url }
  })
}
