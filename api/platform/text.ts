import sanitize from 'sanitize-html'
import { richTextAttributes, richTextTags } from '#contract/rich-text.ts'

const options: sanitize.IOptions = {
  allowedTags: [...richTextTags],
  allowedAttributes: Object.fromEntries(Object.entries(richTextAttributes).map(([tag, names]) => [tag, [...names]])),
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    // The title of the page is the only first-level heading.
    h1: 'h2',
    a: (tagName, attributes) => ({
      tagName,
      attribs: /^https?:/i.test(attributes.href ?? '') ? { ...attributes, rel: 'noopener noreferrer' } : attributes,
    }),
    img: (tagName, attributes) => ({ tagName, attribs: { ...attributes, loading: 'lazy' } }),
  },
}

/**
 * Sanitizes rich text with an allow-list of tags and attributes: no scripts, styles or unknown URL
 * schemes.
 */
export const sanitizeHtml = (html: string) => sanitize(html, options)

/**
 * Returns the edit distance of two words, with transpositions. Distances above `max` are not
 * calculated exactly.
 */
export const editDistance = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1
  const columns = b.length + 1
  const distances = new Uint32Array((a.length + 1) * columns)
  const at = (i: number, j: number) => distances[i * columns + j] ?? 0
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      const changed = i > 0 && j > 0 ? at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1) : Math.max(i, j)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : changed
      const added = j > 0 ? at(i, j - 1) + 1 : changed
      const removed = i > 0 ? at(i - 1, j) + 1 : changed
      distances[i * columns + j] = Math.min(changed, swapped, added, removed)
    }
  return at(a.length, b.length)
}

const comparable = (word: string) => word.normalize('NFC').toLowerCase()

/** Returns the most similar word; undefined if none is similar enough. */
export const nearestWord = (word: string, words: Iterable<string>): string | undefined => {
  const target = comparable(word)
  let best: { word: string; distance: number } | undefined
  for (const candidate of words) {
    const spelling = comparable(candidate)
    const max = Math.min(best ? best.distance - 1 : 2, Math.floor(Math.max(target.length, spelling.length) / 3))
    if (max < 0) break
    const distance = editDistance(target, spelling, max)
    if (distance <= max) best = { word: candidate, distance }
  }
  return best?.word
}

/** Returns ` Did you mean Films?`, or an empty text. */
export const didYouMean = (word: string, words: Iterable<string>) => {
  const near = nearestWord(word, words)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

/** The pattern of LIKE for a text within JSON, in lower case. */
export const patternWithin = (text: string): string =>
  `%${JSON.stringify(text.toLowerCase())
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, '\\$&')}%`

/** What stands for a text that was erased within another one. */
const omission = '…'

const withoutParts = (text: string, parts: readonly string[]) =>
  parts.reduce((rest, part) => {
    const literal = part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    // Particles of Korean follow a name without a space.
    return rest.replaceAll(new RegExp(`(?<![\\w.+-])${literal}(?![\\w-])`, 'gi'), omission)
  }, text)

/**
 * Returns a value of JSON without some texts, in any case, where they are not a part of a longer
 * word.
 */
export const withoutTexts = <Value>(value: Value, texts: readonly string[]): Value =>
  JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === 'string' ? withoutParts(part, texts) : part))
