import { createCanvas } from '@napi-rs/canvas'

/**
 * A way of setting a title: typeface, case and spacing. Sizes are in hundredths of the picture's
 * shorter side.
 */
interface TitleStyle {
  readonly family: string
  readonly weight: number
  readonly italic?: true
  readonly capitals?: true
  /** Letter spacing in em. */
  readonly spacing: number
  /** Line height in em. */
  readonly leading: number
  readonly largest: number
  readonly align: 'start' | 'middle'
}

export const TITLE_STYLES = {
  spartan: { family: 'League Spartan', weight: 800, spacing: -0.035, leading: 0.92, largest: 19, align: 'start' },
  bebas: {
    family: 'Bebas Neue',
    weight: 700,
    capitals: true,
    spacing: 0.01,
    leading: 0.9,
    largest: 30,
    align: 'middle',
  },
  garamond: {
    family: 'EB Garamond',
    weight: 400,
    italic: true,
    spacing: 0,
    leading: 0.98,
    largest: 25,
    align: 'middle',
  },
  roman: {
    family: 'EB Garamond',
    weight: 400,
    capitals: true,
    spacing: 0.12,
    leading: 1.12,
    largest: 11.5,
    align: 'middle',
  },
  airy: { family: 'Lato', weight: 400, capitals: true, spacing: 0.26, leading: 1.3, largest: 8.6, align: 'middle' },
  heavy: { family: 'Lato', weight: 900, capitals: true, spacing: -0.01, leading: 0.98, largest: 15.5, align: 'start' },
  round: { family: 'Quicksand', weight: 700, spacing: -0.02, leading: 1, largest: 15, align: 'start' },
  square: { family: 'NanumSquare', weight: 800, spacing: -0.04, leading: 1.16, largest: 17, align: 'start' },
  myeongjo: { family: 'NanumMyeongjo', weight: 800, spacing: -0.05, leading: 1.2, largest: 16, align: 'start' },
  pen: { family: 'Nanum Pen Script', weight: 400, spacing: -0.02, leading: 0.98, largest: 25, align: 'start' },
  inkBrush: { family: 'Nanum Brush Script', weight: 400, spacing: -0.01, leading: 0.98, largest: 27, align: 'start' },
  soft: { family: 'NanumSquareRound', weight: 800, spacing: -0.04, leading: 1.16, largest: 16, align: 'start' },
} as const satisfies Record<string, TitleStyle>

export type TitleStyleName = keyof typeof TITLE_STYLES

const ruler = createCanvas(8, 8).getContext('2d')

/** The width of a text set at one unit of size. */
function widthOf(text: string, titleStyle: TitleStyle): number {
  ruler.font = `${titleStyle.italic ? 'italic ' : ''}${titleStyle.weight} 100px "${titleStyle.family}"`
  return ruler.measureText(text).width / 100 + titleStyle.spacing * Math.max(0, text.length - 1)
}

/** Every way to break the words into so many lines. */
function waysToBreak(words: readonly string[], lines: number): string[][] {
  if (lines === 1) return [[words.join(' ')]]
  return words
    .slice(0, words.length - lines + 1)
    .flatMap((_, index) =>
      waysToBreak(words.slice(index + 1), lines - 1).map((rest) => [words.slice(0, index + 1).join(' '), ...rest]),
    )
}

export interface SetTitle {
  readonly markup: string
  readonly height: number
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Sets a title as large as it goes into `width`, breaking it where the lines are most alike (or at
 * the line breaks given). `x` is the left edge or the middle, by the style’s alignment; `top`
 * the upper edge.
 */
export function setTitle(
  title: string,
  name: TitleStyleName,
  place: { x: number; top: number; width: number; unit: number; tallest: number; colour: string },
): SetTitle {
  const titleStyle: TitleStyle = TITLE_STYLES[name]
  const text = titleStyle.capitals ? title.toUpperCase() : title
  const setLines = text.split('\n')
  const words = text.split(' ')
  const breaks =
    setLines.length > 1
      ? [setLines]
      : [1, 2, 3, 4].filter((lines) => lines <= words.length).flatMap((lines) => waysToBreak(words, lines))
  const candidates = breaks.map((lines) => {
    const widest = Math.max(...lines.map((line) => widthOf(line, titleStyle)))
    const size = Math.min(
      place.width / widest,
      titleStyle.largest * place.unit,
      place.tallest / (lines.length * titleStyle.leading),
    )
    return { lines, size }
  })
  const best = candidates.reduce((chosen, next) => (next.size > chosen.size * 1.04 ? next : chosen))
  const anchor = titleStyle.align === 'middle' ? 'middle' : 'start'
  const markup = best.lines.map((line, index) => {
    const y = place.top + best.size * (0.8 + index * titleStyle.leading)
    return `<text x="${place.x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${titleStyle.family}" font-weight="${titleStyle.weight}"${titleStyle.italic ? ' font-style="italic"' : ''} font-size="${best.size.toFixed(1)}" letter-spacing="${(best.size * titleStyle.spacing).toFixed(2)}" text-anchor="${anchor}" fill="${place.colour}">${escapeXml(line)}</text>`
  })
  return { markup: markup.join(''), height: best.size * (0.98 + (best.lines.length - 1) * titleStyle.leading) }
}

/** A small spaced line beside a title. */
export function setLine(
  text: string,
  x: number,
  y: number,
  size: number,
  anchor: 'start' | 'middle',
  colour: string,
): string {
  const korean = /[가-힣]/.test(text)
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${korean ? 'NanumSquare' : 'Lato'}" font-weight="700" font-size="${size.toFixed(1)}" letter-spacing="${(size * (korean ? 0.02 : 0.18)).toFixed(2)}" text-anchor="${anchor}" fill="${colour}" opacity="0.86">${escapeXml(korean ? text : text.toUpperCase())}</text>`
}
