import { lightness, mix } from '../art/scenes/colour.ts'
import type { DemoBrand } from '../content/model/types.ts'

/** Marks on a square of 64; `ink` is drawn on the mark's own colour. */
const LOGOS: Record<DemoBrand['mark'], (colour: string, second: string) => string> = {
  arc: (colour, second) =>
    `<path d="M8 50a24 24 0 0 1 48 0h-9a15 15 0 0 0-30 0z" fill="${colour}"/><path d="M20 50a12 12 0 0 1 24 0z" fill="${second}"/><circle cx="32" cy="14" r="4.500" fill="${second}"/>`,
  river: (colour, second) =>
    `<path d="M6 24c9-10 17-10 26 0s17 10 26 0v10c-9 10-17 10-26 0s-17-10-26 0z" fill="${colour}"/><path d="M6 42c9-10 17-10 26 0s17 10 26 0v8c-9 10-17 10-26 0s-17-10-26 0z" fill="${second}"/>`,
  diamond: (colour, second) =>
    `<path d="M32 5 58 32 32 59 6 32z" fill="${colour}"/><path d="M32 19 45 32 32 45 19 32z" fill="${second}"/>`,
  frame: (colour, second) =>
    `<path d="M8 8h36v9H17v38H8z" fill="${colour}"/><path d="M56 56H20v-9h27V9h9z" fill="${second}"/>`,
  pause: (colour, second) =>
    `<rect x="12" y="10" width="15" height="44" rx="4" fill="${colour}"/><rect x="37" y="10" width="15" height="44" rx="4" fill="${second}"/>`,
  moon: (colour, second) =>
    `<path d="M44 6a27 27 0 1 0 13 40A23 23 0 0 1 44 6z" fill="${colour}"/><circle cx="47" cy="24" r="5" fill="${second}"/>`,
}

const square = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${inner}</svg>`

/** The mark alone, for a light ground or a dark one. */
export function logo({ mark, colour }: DemoBrand, ground: 'light' | 'dark'): string {
  const first = ground === 'light' && lightness(colour) > 0.7 ? mix(colour, '#000000', 0.25) : colour
  return square(LOGOS[mark](first, mix(first, ground === 'light' ? '#000000' : '#ffffff', 0.45)))
}

/** The mark on a tile of its colour. */
export function favicon({ mark, colour }: DemoBrand): string {
  const dark = lightness(colour) > 0.62
  const on = dark ? mix(colour, '#000000', 0.78) : '#ffffff'
  const inner = LOGOS[mark](on, mix(on, colour, 0.35))
  return square(
    `<rect width="64" height="64" rx="14" fill="${colour}"/><g transform="translate(10.500 10.500) scale(.67)">${inner}</g>`,
  )
}
