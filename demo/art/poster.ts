import { lightness, mix } from './scenes/colour.ts'
import { Drawing } from './scenes/drawing.ts'
import { PALETTES, type PaletteName } from './scenes/palettes.ts'
import type { Ground } from './scenes/scene.ts'
import { SCENES, type SceneName } from './scenes.ts'
import { setLine, setTitle, TITLE_STYLES, type TitleStyleName } from './title-text.ts'

/** The design of a product's pictures. */
export interface Art {
  readonly scene: SceneName
  readonly palette: PaletteName
  readonly seed: number
  readonly titleStyle: TitleStyleName
  /**
   * The title on the picture, if it differs; with line breaks where the design needs
   * one.
   */
  readonly words?: string
  /** A small line beside the title. */
  readonly line?: string
}

/** `bare` has no words, `over` sets them on the scene, `panel` beside it on a plain ground. */
export type Layout = 'bare' | 'over' | 'panel'

/** Draws one picture of a product as SVG. */
export function poster(art: Art, title: string, width: number, height: number, layout: Layout): string {
  const drawing = new Drawing(width, height, PALETTES[art.palette], art.seed)
  if (layout === 'panel') panel(drawing, art, title)
  else {
    const ground = SCENES[art.scene](drawing)
    if (layout === 'over') over(drawing, art, title, ground)
  }
  return drawing.svg()
}

function over(drawing: Drawing, art: Art, title: string, ground: Ground): void {
  const { width, height, unit, palette } = drawing
  const dark = ground.shade === 'dark'
  const veil = dark ? mix(palette.ink, '#000000', 0.2) : palette.paper
  const colour = dark ? mix(palette.paper, '#ffffff', 0.4) : palette.ink
  const reach = height * (drawing.tall ? 0.46 : 0.66)
  // Frames carry badges at their top.
  const top = ground.place === 'top' && drawing.tall
  if (!ground.clear)
    drawing.rect(
      0,
      top ? 0 : height - reach,
      width,
      reach,
      drawing.linear(
        top ? [`${veil}/0.92`, `${veil}/0.7`, `${veil}/0`] : [`${veil}/0`, `${veil}/0.72`, `${veil}/0.95`],
      ),
    )
  const { align } = TITLE_STYLES[art.titleStyle]
  const margin = unit * (drawing.tall ? 8 : 9)
  const x = align === 'middle' ? width / 2 : margin
  const place = {
    x,
    width: width - margin * 2,
    unit: unit * (drawing.tall ? 1 : 0.98),
    tallest: height * (ground.clear ? 0.19 : drawing.tall ? 0.3 : 0.4),
    colour,
  }
  const words = art.words ?? title
  const { height: high } = setTitle(words, art.titleStyle, { ...place, top: 0 })
  const line = unit * (drawing.tall ? 3.1 : 4.2)
  const titleTop = top ? margin + (art.line ? line * 2 : 0) : height - margin - high - (art.line ? line * 1.9 : 0)
  drawing.raw(setTitle(words, art.titleStyle, { ...place, top: titleTop }).markup)
  if (art.line) drawing.raw(setLine(art.line, x, top ? margin + line * 0.8 : height - margin, line, align, colour))
}

function panel(drawing: Drawing, art: Art, title: string): void {
  const { width, height, unit, palette } = drawing
  const choices = [palette.ink, palette.paper, palette.deep, palette.accent] as const
  const ground = choices[art.seed % choices.length] ?? palette.ink
  const colour = lightness(ground) > 0.68 ? palette.ink : mix(palette.paper, '#ffffff', 0.5)
  const cut = Math.round(width * 0.53)
  const mirrored = art.seed % 5 === 0
  const left = mirrored ? width - cut : 0
  drawing.fill(ground)
  const inner = new Drawing(width - cut, height, palette, art.seed, 'inner-')
  SCENES[art.scene](inner)
  drawing.inset(inner, mirrored ? 0 : cut, 0)
  const margin = unit * 9
  const words = art.words ?? title
  const place = { x: left + margin, width: cut - margin * 1.6, unit: unit * 1.02, tallest: height * 0.56, colour }
  const titleStyle = TITLE_STYLES[art.titleStyle].align === 'middle' ? 'square' : art.titleStyle
  const { height: high } = setTitle(words, titleStyle, { ...place, top: 0 })
  drawing.raw(setTitle(words, titleStyle, { ...place, top: (height - high) / 2 }).markup)
  const mark = ground === palette.accent ? palette.ink : palette.accent
  drawing.rect(left + margin, (height - high) / 2 - unit * 7, unit * 9, unit * 1.5, mark)
  if (art.line) drawing.raw(setLine(art.line, left + margin, height - margin * 0.9, unit * 4.4, 'start', colour))
}
