import { buffer } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Sharp } from 'sharp'
import {
  isPublicKey,
  type MediaKey,
  type MediaStorage,
  mediaKey,
  parseMediaKey,
} from '#api/platform/storage/storage.ts'
import { type PictureVariant, readVariantName, shareSize } from '#contract/picture-variants.ts'

/** A resized variant of a stored picture. `key` is the location of the variant. */
export interface FoundVariant extends PictureVariant {
  key: MediaKey
  source: MediaKey
}

const folder = 'variants/'
const pixels = /\.(?:webp|avif|jpe?g|png)$/

/** The folder of the variants of a picture, or of all pictures below a folder. */
export const variantsOf = (key: MediaKey) => mediaKey(`${folder}${key}`)

/** Whether a key is in the folder of picture variants. */
export const isVariantKey = (key: MediaKey) => key.startsWith(folder)

/**
 * Parses `variants/{key of the picture}/{name}`. Returns null if the picture is not public or the
 * variant name is unknown.
 */
export const readVariantKey = (key: MediaKey): FoundVariant | null => {
  const slash = key.lastIndexOf('/')
  const source = parseMediaKey(key.slice(folder.length, slash))
  const variant = readVariantName(key.slice(slash + 1))
  if (!isVariantKey(key) || !source || !variant || !isPublicKey(source) || !pixels.test(source)) return null
  return { ...variant, key, source }
}

/**
 * `READY`: the variant is stored. `LATER`: serve the original for now. `MISSING`: no such picture.
 */
type VariantState = 'READY' | 'LATER' | 'MISSING'

export interface Variants {
  /** Calls `canMake` once if the variant has to be made. */
  prepare(variant: FoundVariant, canMake?: () => boolean): Promise<VariantState>
}

/** How long a request waits for a variant, in milliseconds. */
export interface WaitLimits {
  /** For a page, which shows the stored picture instead. */
  page: number
  /** For a site that fetches a shared picture and does not retry. */
  share: number
}

interface VariantsOptions {
  storage: Pick<MediaStorage, 'open' | 'put' | 'remove'>
  onFault: (error: unknown, key: MediaKey) => void
  /** Whether the process is overloaded. No variants are made while it is. */
  isBusy?: () => boolean
  waitLimits?: WaitLimits
}

/** The queue limit. Variants beyond it are made at a later request. */
const maxWaiting = 128
const maxSourceBytes = 50_000_000
const maxPixels = 80_000_000
const defaultWaitLimits: WaitLimits = { page: 1500, share: 6000 }
/** How long a picture that cannot be resized is not retried. */
const skipMilliseconds = 600_000

/**
 * Makes variants on first request, one at a time in this process. While another variant is being
 * made, a request receives the original. Pictures for sharing have priority.
 */
export const createVariants = ({
  storage,
  onFault,
  isBusy = () => false,
  waitLimits = defaultWaitLimits,
}: VariantsOptions): Variants => {
  const waiting: { variant: FoundVariant; done: (state: VariantState) => void }[] = []
  const inProgress = new Map<MediaKey, Promise<VariantState>>()
  const skipped = new LRUCache<MediaKey, true>({ max: 1000, ttl: skipMilliseconds })
  let working = false

  const make = async (variant: FoundVariant): Promise<VariantState> => {
    try {
      const stored = await (await storage.open(variant.source))?.read()
      if (!stored) return 'MISSING'
      const rendered = await render(await buffer(stored), variant)
      if (!rendered) {
        skipped.set(variant.key, true)
        return 'LATER'
      }
      await storage.put(variant.key, rendered)
      // The picture and its earlier variants may have been removed meanwhile.
      if (await storage.open(variant.source)) return 'READY'
      await storage.remove(variant.key)
      return 'MISSING'
    } catch (error) {
      skipped.set(variant.key, true)
      onFault(error, variant.key)
      return 'LATER'
    }
  }

  const work = async () => {
    working = true
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      next.done(isBusy() ? 'LATER' : await make(next.variant))
      inProgress.delete(next.variant.key)
    }
    working = false
  }

  const queue = (variant: FoundVariant): Promise<VariantState> => {
    const { promise, resolve } = Promise.withResolvers<VariantState>()
    inProgress.set(variant.key, promise)
    const entry = { variant, done: resolve }
    if (variant.width === null) waiting.unshift(entry)
    else waiting.push(entry)
    if (!working) void work()
    return promise
  }

  return {
    prepare: async (variant, canMake = () => true) => {
      const [source, made] = await Promise.all([storage.open(variant.source), storage.open(variant.key)])
      if (!source) return 'MISSING'
      if (made) return 'READY'
      if (skipped.has(variant.key) || source.bytes > maxSourceBytes) return 'LATER'
      const wasIdle = !working
      const running = inProgress.get(variant.key)
      if (!running && (waiting.length >= maxWaiting || isBusy() || !canMake())) return 'LATER'
      const pending = running ?? queue(variant)
      if (variant.width !== null && !wasIdle) return 'LATER'
      const limit = variant.width === null ? waitLimits.share : waitLimits.page
      const timer = new AbortController()
      const late = after(limit, 'LATER' as const, { signal: timer.signal, ref: false }).catch(() => 'LATER' as const)
      return Promise.race([pending, late]).finally(() => timer.abort())
    },
  }
}

/**
 * Wider pictures are cropped to the sharing format; all others are placed on a blurred copy of
 * themselves.
 */
const croppedRatios = { min: 1.5, max: 2.5 }

/**
 * Resizes a picture. Returns null for an animation, which pages show unchanged; a picture for
 * sharing uses its first frame.
 */
const render = async (bytes: Buffer, { width, format }: PictureVariant): Promise<Buffer | null> => {
  if (width !== null && hasAnimationMark(bytes)) return null
  // Loaded on demand: most processes never resize a picture.
  const { default: sharp } = await import('sharp')
  // Limits sharp to one core, so that the others serve requests.
  sharp.concurrency(1)
  const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 }).autoOrient()
  if (width === null) return share(open).then((image) => image.jpeg({ quality: 82, mozjpeg: true }).toBuffer())
  const { pages = 1 } = await sharp(bytes).metadata()
  if (pages > 1) return null
  const scaled = open().resize({ width, withoutEnlargement: true })
  // A higher effort costs several times the CPU time and saves only some percent of the bytes.
  if (format === 'avif') return scaled.avif({ quality: 60, effort: 2 }).toBuffer()
  return scaled.webp({ quality: 80 }).toBuffer()
}

/**
 * Detects animated PNG and AVIF, which sharp does not: a chunk `acTL` before the pixels, or the
 * brand `avis`.
 */
const hasAnimationMark = (bytes: Buffer): boolean => {
  const pixelsAt = bytes.indexOf('IDAT')
  const isPng = bytes.toString('latin1', 1, 4) === 'PNG'
  if (isPng) return bytes.subarray(0, pixelsAt < 0 ? undefined : pixelsAt).includes('acTL')
  return bytes.toString('latin1', 4, 8) === 'ftyp' && bytes.subarray(8, bytes.readUInt32BE(0)).includes('avis')
}

const share = async (open: () => Sharp): Promise<Sharp> => {
  const { autoOrient } = await open().metadata()
  const ratio = autoOrient.width / autoOrient.height
  const opaque = () => open().flatten({ background: '#ffffff' })
  const filled = opaque().resize({ ...shareSize, fit: 'cover' })
  if (ratio >= croppedRatios.min && ratio <= croppedRatios.max) return filled
  const foreground = await opaque()
    .resize({ ...shareSize, fit: 'inside' })
    .toBuffer()
  return filled
    .blur(24)
    .modulate({ brightness: 0.7 })
    .composite([{ input: foreground }])
}
