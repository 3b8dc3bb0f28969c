import type { Picture } from '#contract/picture.ts'
import type { MediaKey } from './key.ts'
import type { MediaStorage } from './storage.ts'

/** A file that cannot be shown as a picture; the sentence says what would be right. */
export class NotAPicture extends Error {}

const formats = new Set(['jpeg', 'png', 'webp', 'avif', 'heif', 'gif'])
/** Widths in pixels, for small screens to large ones; none is wider than the picture itself. */
const widths = [320, 640, 1280, 1920]
const mostPixels = 80_000_000
const leastSide = 16
const quality = 82

const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0')

/**
 * The picture in a file, scaled to the widths pages ask for, as WebP. What it is decides its bytes, not its name; it is turned
 * upright, and nothing of its camera or its place is kept. Written below `{prefix}-…`; a prefix that stands for the bytes is
 * written once. With `write` false it is only looked through to its end.
 */
export const scalePicture = async (
  { path, prefix }: { path: string; prefix: MediaKey },
  storage: Pick<MediaStorage, 'put'>,
  write: boolean,
): Promise<Picture> => {
  // Asked for when the first picture comes: most processes never see one.
  const { default: sharp } = await import('sharp')
  const open = () => sharp(path, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 }).autoOrient()
  const { format, autoOrient } = await judged(open().metadata())
  const { width, height } = autoOrient
  if (!formats.has(format)) throw new NotAPicture('must be a picture as JPEG, PNG, WebP, AVIF or GIF')
  if (Math.min(width, height) < leastSide)
    throw new NotAPicture(`must be ${leastSide} pixels wide and high at least, and is ${width} × ${height}`)
  const largest = Math.min(width, widths.at(-1)!)
  const data = await judged(open().flatten({ background: '#ffffff' }).resize(1, 1).raw().toBuffer())
  const wanted = [...widths.filter((one) => one < largest), largest]
  for (const one of write ? wanted : []) {
    const scaled = await judged(open().resize({ width: one }).webp({ quality }).toBuffer())
    await storage.put(`${prefix}-${one}.webp` as MediaKey, scaled)
  }
  return {
    url: `/media/${prefix}-${largest}.webp`,
    width: largest,
    height: Math.max(1, Math.round((height * largest) / width)),
    alt: '',
    color: `#${hex(data[0] ?? 0)}${hex(data[1] ?? data[0] ?? 0)}${hex(data[2] ?? data[0] ?? 0)}`,
    sources: wanted.map((one) => ({ url: `/media/${prefix}-${one}.webp`, width: one })),
  }
}

/** What the library says of a file, in our words. A storage's own faults are not the picture's, whatever they mention. */
const judged = <Answer>(work: Promise<Answer>): Promise<Answer> =>
  work.catch((error: unknown) => {
    if (/pixel limit/i.test(String(error)))
      throw new NotAPicture(`must have ${mostPixels / 1_000_000} million pixels at most`)
    if (/unsupported|corrupt|premature|truncated|Input file|bad seek|Vips|webp|png|jpeg|heif|gif/i.test(String(error)))
      throw new NotAPicture('must be a whole picture as JPEG, PNG, WebP, AVIF or GIF: this file is none, or is damaged')
    throw error
  })

/** A picture of one colour, for what has none of its own. */
export const plainPicture = async (
  color: string,
  folder: string,
  storage: Pick<MediaStorage, 'open' | 'put'>,
  write: boolean,
): Promise<Picture> => {
  const [width, height] = [640, 360]
  const key = `${folder}/plain-${color.slice(1)}.webp` as MediaKey
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
