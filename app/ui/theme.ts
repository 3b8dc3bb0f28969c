import { type Color, contrast, parseColor, toCss, withLightness } from './color'

/** A tenant's wishes for its look, as its settings hold them. */
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

/** WCAG AA for text, and a little for the rounding to 256 steps. */
const enough = 4.55
const white = parseColor('#fff') as Color
const ink = parseColor('#16161a') as Color
/** The surfaces on which accented text is hardest to read: wells in the light, floating panels in the dark. */
const hardestLight = parseColor('#eeeef1') as Color
const hardestDark = parseColor('#2b2b31') as Color

/**
 * The custom properties that dress the whole store in a tenant's theme; put them on `<html style>`, and
 * `data-theme={surface}` beside them. Whatever accent was chosen, text on it and in it passes WCAG AA. An accent that
 * is no colour leaves the product's own in place.
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
  }
}

/** The accent as a surface, moved only as far as its text and its edge need. */
function fillFor(accent: Color, mode: 'light' | 'dark'): { fill: Color; text: Color } {
  // A near-black fill would be lost on a dark page, a near-white one on a light page.
  const visible = withLightness(accent, mode === 'dark' ? Math.max(accent.l, 0.45) : Math.min(accent.l, 0.87))
  if (contrast(visible, white) >= enough) return { fill: visible, text: white }
  // Saturated colours of middle lightness carry white better than ink, once they are a little darker.
  if (visible.l < 0.68) return { fill: readable(visible, white, 'darker'), text: white }
  return { fill: readable(visible, ink, 'lighter'), text: ink }
}

/** The nearest lightness at which `color` and `other` can be told apart as text. */
function readable(color: Color, other: Color, direction: 'darker' | 'lighter'): Color {
  let candidate = color
  while (contrast(candidate, other) < enough) {
    const next = candidate.l + (direction === 'darker' ? -0.01 : 0.01)
    if (next <= 0 || next >= 1) break
    candidate = withLightness(candidate, next)
  }
  return candidate
}
