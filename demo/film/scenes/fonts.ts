import { GlobalFonts } from '@napi-rs/canvas'

/**
 * Faces for the lessons, the first that is installed being used; packages fonts-nanum,
 * fonts-noto-cjk, fonts-dejavu.
 */
export const HANGUL = firstInstalled([
  'NanumSquare',
  'NanumGothic',
  'Noto Sans CJK KR',
  'Noto Sans CJK JP',
  'Malgun Gothic',
])
export const HANGUL_BY_HAND = firstInstalled(['Nanum Pen Script']) ?? HANGUL
export const LATIN = firstInstalled(['DejaVu Sans', 'Helvetica', 'Arial']) ?? 'sans-serif'
export const LATIN_SERIF = firstInstalled(['DejaVu Serif', 'Georgia', 'Times New Roman']) ?? 'serif'
export const MONO = firstInstalled(['DejaVu Sans Mono', 'Menlo', 'Consolas']) ?? 'monospace'

function firstInstalled(families: readonly string[]): string | undefined {
  return families.find((family) => GlobalFonts.has(family))
}
