import { Resvg } from '@resvg/resvg-js'
import sharp from 'sharp'

/**
 * Where the typefaces lie on a Debian machine: fonts-noto-cjk, fonts-nanum, fonts-nanum-extra,
 * fonts-lato, fonts-quicksand, fonts-ebgaramond, fonts-bebas-neue, fonts-league-spartan.
 */
const FONT_FOLDERS = [
  '/usr/share/fonts/opentype/league-spartan',
  '/usr/share/fonts/opentype/bebas-neue',
  '/usr/share/fonts/opentype/ebgaramond',
  '/usr/share/fonts/truetype/lato',
  '/usr/share/fonts/truetype/nanum',
  '/usr/share/fonts/truetype/quicksand',
]

export interface Rastered {
  readonly webp: Buffer
  readonly width: number
  readonly height: number
  /** The colour that is seen before the picture is there. */
  readonly color: string
}

/** Pixels of an SVG at a width, as PNG. */
export function png(svg: string, width: number): Buffer {
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { fontDirs: FONT_FOLDERS, loadSystemFonts: false, defaultFontFamily: 'Lato' },
  })
  return drawn.render().asPng()
}

/** An SVG as WebP, made smaller by steps until it weighs no more than `maxBytes` bytes. */
export async function raster(svg: string, width: number, maxBytes: number): Promise<Rastered> {
  const image = sharp(png(svg, width))
  const { dominant } = await image.stats()
  const { height } = await image.metadata()
  const color = `#${[dominant.r, dominant.g, dominant.b].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  for (const quality of [82, 74, 66, 58, 50, 40]) {
    const webp = await image.clone().webp({ quality, effort: 5, smartSubsample: true }).toBuffer()
    if (webp.length <= maxBytes || quality === 40) return { webp, width, height, color }
  }
  throw new RangeError('No quality was tried')
}
