import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import bidiFactory from 'bidi-js'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'

const bidi = bidiFactory()

/**
 * Several fonts together cover four languages. They are compressed TrueType, because the PDF
 * library cannot subset WOFF2.
 */
const files = [
  ['latin', 'noto-sans-kr-latin.ttf.br'],
  ['latinMore', 'figtree-latin-ext.ttf.br'],
  ['korean', 'noto-sans-kr-korean.ttf.br'],
  ['japanese', 'noto-sans-jp-japanese.ttf.br'],
  ['arabic', 'noto-sans-arabic.ttf.br'],
  // ₩ ₦ ₪ ₫ ₱ ₹ ₺ ₽, which the others lack.
  ['signs', 'noto-sans-signs.ttf.br'],
] as const
export type FontName = (typeof files)[number][0]

/** Loaded once, with the first receipt. */
let read: Map<FontName, Buffer> | null = null

/** Returns the font files of receipts, read once. */
export const fontFiles = (): ReadonlyMap<FontName, Buffer> => {
  read ??= new Map(
    files.map(([name, file]) => [
      name,
      brotliDecompressSync(readFileSync(new URL(`./fonts/${file}`, import.meta.url))),
    ]),
  )
  return read
}

/** Chinese characters are drawn in the style of the reader's language. */
const orders: Record<Locale, readonly FontName[]> = {
  en: ['latin', 'latinMore', 'korean', 'japanese', 'arabic', 'signs'],
  ko: ['latin', 'latinMore', 'korean', 'japanese', 'arabic', 'signs'],
  ja: ['latin', 'latinMore', 'japanese', 'korean', 'arabic', 'signs'],
  ar: ['latin', 'latinMore', 'arabic', 'korean', 'japanese', 'signs'],
}

const arabicScript = /^[\p{Script=Arabic}،؛؟٪٫٬]$/u

/** Whether a font can draw a character. */
export type HasGlyph = (font: FontName, codePoint: number) => boolean

/** A part of a line in one font. */
export interface Run {
  font: FontName
  text: string
}

/** A character that no font contains is drawn as its base letter or as a question mark. */
const drawable = (character: string, locale: Locale, hasGlyph: HasGlyph): { font: FontName; character: string } => {
  const plain = character.normalize('NFD').replace(/\p{M}/gu, '') || '?'
  const fontOf = (one: string) => orders[locale].find((font) => hasGlyph(font, one.codePointAt(0) ?? 0))
  const font = fontOf(character)
  if (font) return { font, character }
  const other = fontOf(plain)
  return other ? { font: other, character: plain } : { font: 'latin', character: '?' }
}

/**
 * Returns one line in visual order, split where the font changes. An Arabic run stays in logical
 * order: the font's own rules join and reverse its letters. `text` must not contain a line break.
 */
export const runsOf = (text: string, locale: Locale, hasGlyph: HasGlyph): Run[] => {
  const direction = directionOf(locale)
  const levels = bidi.getEmbeddingLevels(text, direction)
  const runs: (Run & { joins: boolean })[] = []
  for (const place of bidi.getReorderedIndices(text, levels)) {
    const unit = text[place] ?? ''
    // The second half of a surrogate pair is drawn with the first. Direction marks are not drawn.
    if (/[\udc00-\udfff\u200e\u200f\u2066-\u2069]/.test(unit)) continue
    const isRightToLeft = (levels.levels[place] ?? 0) % 2 === 1
    const original = String.fromCodePoint(text.codePointAt(place) ?? 0)
    const joins = isRightToLeft && (arabicScript.test(original) || (original === ' ' && runs.at(-1)?.joins === true))
    const shown = isRightToLeft && !joins ? (bidi.getMirroredCharacter(original) ?? original) : original
    const { font, character } =
      joins && hasGlyph('arabic', original.codePointAt(0) ?? 0)
        ? { font: 'arabic' as const, character: original }
        : drawable(shown, locale, hasGlyph)
    const last = runs.at(-1)
    if (last && last.font === font && last.joins === joins)
      last.text = joins ? character + last.text : last.text + character
    else runs.push({ font, text: character, joins })
  }
  return runs.map(({ font, text: part }) => ({ font, text: part }))
}

/** Isolates a name, an amount or a number from the direction of the surrounding text. */
export const isolated = (text: string) => `\u2068${text}\u2069`

/**
 * Splits a text where a line may break: after a space, and before any Chinese, Japanese or Korean
 * character.
 */
export const breakable = (text: string): string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
  ) ?? []
