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

const replaceTexts = <Value>(value: Value, replace: (text: string, field: string) => string): Value =>
  JSON.parse(JSON.stringify(value), (field, part: unknown) => (typeof part === 'string' ? replace(part, field) : part))

/**
 * Returns a value of JSON without some texts, in any case, where they are not a part of a longer
 * word.
 */
export const withoutTexts = <Value>(value: Value, texts: readonly string[]): Value =>
  replaceTexts(value, (text) => withoutParts(text, texts))

/** The fewest digits by which a member is found: fewer are a part of too many numbers. */
const fewestDigits = 4

/**
 * The digits of a typed phone number that are in the stored one, which begins with `+` and the code
 * of a country: without the zeros that numbers have within a country. Null for other texts.
 */
export const phoneDigitsOf = (text: string): string | null => {
  if (!/^[\d\s+().\-‐‑–/]+$/u.test(text)) return null
  const digits = text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < fewestDigits ? null : digits
}

/** What leads to a person in texts of others. */
export interface PersonalTexts {
  /** They occur anywhere. */
  emails: readonly string[]
  /** As they are stored. They occur anywhere, and in searches in any notation. */
  phones: readonly string[]
  /** They also mean others, and may be any word: they are looked for in searches alone. */
  names: readonly string[]
}

/** The fields of filters whose text staff type to find something. */
const searchFields: ReadonlySet<string> = new Set(['q', 'words'])
/** Lists, and kinds of changes of many, that find no member by a name. */
const listsOfThings: ReadonlySet<unknown> = new Set(['product-list', 'products', 'PRODUCTS', 'videos'])
/** Those that find members by their phone numbers too. An unknown list may be one of them. */
const listsWithPhones: ReadonlySet<unknown> = new Set([undefined, 'members', 'MEMBER_TAGS', 'PARTNERSHIPS'])

/** The JSON path of searches without letters, such as those for phone numbers. */
export const searchesWithoutLetters = '$.**.q ? (@ like_regex "^[^A-Za-z]*[0-9][^A-Za-z]*$")'

/** Returns the filters of a list, or of a change of many, without a person. */
export const withoutSearchFor = <Filters>(
  filters: Filters,
  { emails, phones, names }: PersonalTexts,
  list: unknown,
): Filters =>
  replaceTexts(filters, (text, field) => {
    const rest = withoutParts(text, [...emails, ...phones])
    if (!searchFields.has(field) || listsOfThings.has(list)) return rest
    const digits = listsWithPhones.has(list) ? phoneDigitsOf(text) : null
    const isPhone = digits !== null && phones.some((phone) => phone.includes(digits))
    return isPhone ? omission : withoutParts(rest, names)
  })
