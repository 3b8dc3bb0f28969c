type Lab = readonly [lightness: number, a: number, b: number]

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const gamma = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

function toLab(hex: string): Lab {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function toHex([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${channels
    .map((channel) => Math.round(255 * gamma(Math.min(1, Math.max(0, channel)))))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`
}

/**
 * A colour on the way from one to another (OKLab, so that the middle is neither grey nor muddy);
 * `share` from 0 to 1.
 */
export function mix(from: string, to: string, share: number): string {
  const [start, end] = [toLab(from), toLab(to)]
  const at = Math.min(1, Math.max(0, share))
  return toHex([
    start[0] + (end[0] - start[0]) * at,
    start[1] + (end[1] - start[1]) * at,
    start[2] + (end[2] - start[2]) * at,
  ])
}

/** Perceived lightness, 0 (black) to 1 (white). */
export const lightness = (hex: string): number => toLab(hex)[0]
