import { buffer } from 'node:stream/consumers'
import type { Picture } from '#contract/picture.ts'
import { parseMediaKey } from './key.ts'
import type { MediaStorage } from './storage.ts'

const widths = [480, 960]

/** A poster candidate as a product's picture: its size and colour, and smaller ones beside it. Null where there is no such file. */
export const makePoster = async (storage: MediaStorage, candidate: string): Promise<Picture | null> => {
  const key = parseMediaKey(candidate)
  const stored = key && (await (await storage.open(key))?.read())
  if (!stored) return null
  // Asked for when the first poster is made: most processes never make one.
  const { default: sharp } = await import('sharp')
  const image = sharp(await buffer(stored))
  const [{ width, height }, { dominant }] = await Promise.all([image.metadata(), image.stats()])
  const sources = []
  for (const smaller of widths.filter((each) => each < width)) {
    const name = parseMediaKey(candidate.replace(/\.\w+$/, `-${smaller}.webp`))
    if (!name) continue
    await storage.put(name, await image.clone().resize(smaller).webp({ quality: 78 }).toBuffer())
    sources.push({ url: `/media/${name}`, width: smaller })
  }
  const color = `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  const url = `/media/${candidate}`
  return { url, width, height, alt: '', color, sources: [...sources, { url, width }] }
}
