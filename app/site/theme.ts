import type { SiteSettings } from '#contract/tenancy.ts'

type Rgb = readonly [red: number, green: number, blue: number]

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
/** The store's grounds, as the tokens draw them. */
const grounds = { light: [250, 250, 250] as Rgb, dark: [14, 14, 17] as Rgb }
const defaultAccent: Rgb = [79, 70, 229]

/** WCAG AA: for text, and for the edge of a control. */
const readable = 4.5
const visible = 3

const radii = { none: '0px', small: '4px', medium: '10px', large: '18px' } as const
const fonts = {
  sans: 'var(--font-sans)',
  serif: 'var(--font-serif)',
  rounded: 'var(--font-rounded)',
} as const

/**
 * The tenant's theme as custom properties. An accent too pale or too dark to be read is moved, only as far as needed,
 * towards black on light grounds and towards white on dark ones.
 */
export function themeCss(theme: SiteSettings['theme']): string {
  const accent = parseHex(theme.accent) ?? defaultAccent
  const fill = {
    light: readableOn(accent, grounds.light, black, visible),
    dark: readableOn(accent, grounds.dark, white, visible),
  }
  const declarations = {
    '--accent-light': hex(fill.light),
    '--accent-dark': hex(fill.dark),
    '--accent-contrast-light': hex(inkOn(fill.light)),
    '--accent-contrast-dark': hex(inkOn(fill.dark)),
    '--accent-text-light': hex(readableOn(accent, grounds.light, black, readable)),
    '--accent-text-dark': hex(readableOn(accent, grounds.dark, white, readable)),
    '--radius': radii[theme.radius],
    '--font': fonts[theme.font],
  }
  const body = Object.entries(declarations).map(([name, value]) => `${name}:${value}`)
  return `:root{${body.join(';')}}`
}

/** The surface to draw: the tenant's, where it is pinned, else the visitor's choice, else the system's (undefined). */
export function surfaceOf(theme: SiteSettings['theme'] | undefined, chosen: string | undefined) {
  if (theme && theme.surface !== 'system') return theme.surface
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}

function parseHex(value: string): Rgb | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value)
  const digits = short
    ? short.slice(1).map((d) => d + d)
    : /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value)?.slice(1)
  return digits ? (digits.map((pair) => Number.parseInt(pair, 16)) as unknown as Rgb) : undefined
}

const hex = (color: Rgb) => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const c = part / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => part + (to[at]! - part) * share) as unknown as Rgb

function readableOn(color: Rgb, ground: Rgb, towards: Rgb, enough: number): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, towards, share)
    if (contrast(candidate, ground) >= enough) return candidate
  }
  return towards
}

const inkOn = (color: Rgb): Rgb => (contrast(white, color) >= readable ? white : black)
