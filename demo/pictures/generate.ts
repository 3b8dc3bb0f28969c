import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import type { ArtIndex, ArtPicture } from '../art/art-index.ts'
import { poster } from '../art/poster.ts'
import { png, raster } from '../art/raster.ts'
import { DEMO_TENANTS } from '../content/tenants.ts'
import { favicon, logo } from './brand.ts'
import { picturesOf } from './pictures.ts'

/**
 * Draws every picture of the demo stores into `demo/media/art` and their brands into
 * `demo/media/brand`: `npm run node -- demo/pictures/generate.ts`. A picture whose drawing has not
 * changed is left as it is.
 */
const media = join(import.meta.dirname, '../media')
const indexFile = join(media, 'art/index.json')
const before: ArtIndex = existsSync(indexFile) ? JSON.parse(readFileSync(indexFile, 'utf8')) : {}
const after: Record<string, ArtPicture> = {}
let bytes = 0

for (const tenant of DEMO_TENANTS) {
  mkdirSync(join(media, 'art', tenant.code), { recursive: true })
  for (const { name, svg, widths } of picturesOf(tenant)) {
    const hash = createHash('sha256').update(svg).update(JSON.stringify(widths)).digest('hex').slice(0, 10)
    const previous = before[name]
    if (previous?.hash === hash && previous.sources.every(({ file }) => existsSync(join(media, file))))
      after[name] = previous
    else {
      const sources: ArtPicture['sources'][number][] = []
      let shape = { width: 0, height: 0, color: '#000000' }
      for (const [width, maxBytes] of widths) {
        const { webp, ...drawn } = await raster(svg, width, maxBytes)
        const file = `art/${name}${widths.length > 1 ? `-${width}` : ''}.webp`
        writeFileSync(join(media, file), webp)
        sources.push({ file, width, bytes: webp.length })
        shape = drawn
      }
      after[name] = { ...shape, sources, hash }
    }
    bytes += after[name].sources.reduce((sum, source) => sum + source.bytes, 0)
  }
  await brand(tenant)
}

async function brand(tenant: (typeof DEMO_TENANTS)[number]): Promise<void> {
  const folder = join(media, 'brand', tenant.code)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'logo.svg'), logo(tenant.brand, 'light'))
  writeFileSync(join(folder, 'logo-dark.svg'), logo(tenant.brand, 'dark'))
  writeFileSync(join(folder, 'favicon.svg'), favicon(tenant.brand))
  writeFileSync(join(folder, 'favicon.png'), png(favicon(tenant.brand), 180))
  const first = tenant.products.find(({ hero }) => hero) ?? tenant.products[0]
  if (!first) return
  const share = poster({ ...first.art, words: tenant.brand.word, line: '' }, tenant.brand.word, 1200, 630, 'over')
  writeFileSync(
    join(folder, 'share.jpg'),
    await sharp(png(share, 1200)).jpeg({ quality: 74, mozjpeg: true }).toBuffer(),
  )
}

const current = new Set(Object.values(after).flatMap(({ sources }) => sources.map(({ file }) => join(media, file))))
for (const entry of readdirSync(join(media, 'art'), { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  if (entry.isFile() && path.endsWith('.webp') && !current.has(path)) rmSync(path)
}
mkdirSync(dirname(indexFile), { recursive: true })
writeFileSync(indexFile, `${JSON.stringify(after, null, 1)}\n`)
console.log(`${Object.keys(after).length} pictures, ${(bytes / 1024 / 1024).toFixed(2)} MB`)
