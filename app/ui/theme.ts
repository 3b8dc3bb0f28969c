/** An sRGB colour in OKLCH: lightness 0 to 1, chroma, hue in radians. */
export interface Color {
  l: number
  c: number
  h: number
}

type Triple = readonly [number, number, number]

/** Parses #rgb or #rrggbb; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text.trim())
  const hex = short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}` : text.trim()
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex)
  if (!long) return undefined
  const [r, g, b] = [long[1], long[2], long[3]].map((channel) => linear(Number.parseInt(channel ?? '0', 16) / 255))
  return fromLinear([r ?? 0, g ?? 0, b ?? 0])
}

/** A colour that is known to be valid. */
function hexColor(hex: string): Color {
  const color = parseColor(hex)
  if (!color) throw new Error(`${hex} is not a colour`)
  return color
}

/** Formats as `#rrggbb`, with reduced chroma outside the sRGB gamut. */
function toCss(color: Color): string {
  return `#${rgb(color)
    .map((channel) =>
      Math.round(encoded(channel) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function withLightness(color: Color, l: number): Color {
  return { ...color, l }
}

/** The WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(color: Color): number {
  const [r, g, b] = rgb(color)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Linear sRGB, clamped to the gamut. */
function rgb(color: Color): Triple {
  let candidate = color
  for (let step = 0; step < 24; step += 1) {
    const channels = toLinear(candidate)
    if (channels.every((channel) => channel > -0.001 && channel < 1.001)) return clamped(channels)
    candidate = { ...candidate, c: candidate.c * 0.94 }
  }
  return clamped(toLinear({ ...color, c: 0 }))
}

function clamped([r, g, b]: Triple): Triple {
  const inside = (channel: number) => Math.min(1, Math.max(0, channel))
  return [inside(r), inside(g), inside(b)]
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function encoded(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
}

/* Björn Ottosson's matrices between linear sRGB and OKLab. */

function fromLinear([r, g, b]: Triple): Color {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const greenRed = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blueYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(greenRed, blueYellow),
    h: Math.atan2(blueYellow, greenRed),
  }
}

function toLinear({ l: lightness, c, h }: Color): Triple {
  const greenRed = c * Math.cos(h)
  const blueYellow = c * Math.sin(h)
  const l = (lightness + 0.3963377774 * greenRed + 0.2158037573 * blueYellow) ** 3
  const m = (lightness - 0.1055613458 * greenRed - 0.0638541728 * blueYellow) ** 3
  const s = (lightness - 0.0894841775 * greenRed - 1.291485548 * blueYellow) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** A tenant's theme settings. */
export interface ThemeChoice {
  /** Any hexadecimal colour, #rgb or #rrggbb. */
  accent: string
  surface: 'light' | 'dark' | 'system'
  radius: 'none' | 'small' | 'medium' | 'large'
  font: 'sans' | 'serif' | 'rounded'
}

const radii = { none: '0px', small: '5px', medium: '10px', large: '18px' } as const satisfies Record<
  ThemeChoice['radius'],
  string
>

/** WCAG AA for text, with a margin for 8-bit rounding. */
const enough = 4.55
const white = hexColor('#fff')
const ink = hexColor('#16161a')
/**
 * The surfaces with the least contrast to accented text: wells in light mode, floating panels in
 * dark mode.
 */
const hardestLight = hexColor('#eeeef1')
const hardestDark = hexColor('#2b2b31')

/**
 * The custom properties of a tenant's theme, for `<html style>` together with
 * `data-theme={surface}`. Text on and in any accent passes WCAG AA. An invalid accent keeps the
 * product's own.
 */
export function themeProperties(theme: ThemeChoice): Record<`--${string}`, string> {
  const properties: Record<`--${string}`, string> = {
    '--radius': radii[theme.radius],
    '--font': `var(--font-${theme.font})`,
  }
  const accent = parseColor(theme.accent)
  if (!accent) return properties
  const light = fillFor(accent, 'light')
  const dark = fillFor(accent, 'dark')
  return {
    ...properties,
    '--accent-light': toCss(light.fill),
    '--accent-contrast-light': toCss(light.text),
    '--accent-text-light': toCss(readable(accent, hardestLight, 'darker')),
    '--accent-dark': toCss(dark.fill),
    '--accent-contrast-dark': toCss(dark.text),
    '--accent-text-dark': toCss(readable(accent, hardestDark, 'lighter')),
    // A surface that is pointed at moves away from its text: dark text needs a lighter one.
    ...(light.text === ink && { '--accent-shade-light': '#fff' }),
    ...(dark.text === ink && { '--accent-shade-dark': '#fff' }),
  }
}

/** The accent as a surface, adjusted only as far as its text and edge need. */
function fillFor(accent: Color, mode: 'light' | 'dark'): { fill: Color; text: Color } {
  // Near-black surfaces vanish on dark pages, near-white ones on light pages.
  const visible = withLightness(accent, mode === 'dark' ? Math.max(accent.l, 0.45) : Math.min(accent.l, 0.87))
  if (contrast(visible, white) >= enough) return { fill: visible, text: white }
  // Slightly darkened, saturated mid-tones carry white text better than dark text.
  if (visible.l < 0.68) return { fill: readable(visible, white, 'darker'), text: white }
  return { fill: readable(visible, ink, 'lighter'), text: ink }
}

/** The nearest lightness at which `color` has enough contrast with `other`. */
function readable(color: Color, other: Color, direction: 'darker' | 'lighter'): Color {
  let candidate = color
  while (contrast(candidate, other) < enough) {
    const next = candidate.l + (direction === 'darker' ? -0.01 : 0.01)
    if (next <= 0 || next >= 1) break
    candidate = withLightness(candidate, next)
  }
  return candidate
}
