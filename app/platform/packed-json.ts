/**
 * JSON as a shorter text for a script of the page. Strings that repeat are written once, and lists
 * of objects with the same keys are written as a table: the keys, then the values row by row. Text
 * that begins with `~` has a meaning: `~` alone is undefined, `~3` the fourth repeated string, `~~`
 * a text that begins with `~` itself. A list that begins with `~t` is a table.
 */

type Packed = string | number | boolean | null | Packed[] | { [key: string]: Packed }

const mark = '~'
const table = `${mark}t`
/** A reference takes four characters, so that shorter strings are not worth one. */
const shortest = 5

const prototypes = new Set<unknown>([Object.prototype, null])
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && prototypes.has(Object.getPrototypeOf(value))

/** In a script, the text is a string in double quotes, which would all need a backslash. */
const withQuotesSwapped = (text: string) => text.replaceAll(/["']/g, (quote) => (quote === '"' ? "'" : '"'))

/** The keys that all entries of a list have in the same order; null if they differ. */
function sharedKeys(list: readonly unknown[]): string[] | null {
  const [first] = list
  if (list.length < 2 || !isRecord(first)) return null
  const keys = Object.keys(first)
  if (keys.length === 0) return null
  const names = keys.join()
  return list.every((entry) => isRecord(entry) && Object.keys(entry).join() === names) ? keys : null
}

function countStrings(value: unknown, counts: Map<string, number>): void {
  if (typeof value === 'string') {
    if (value.length >= shortest) counts.set(value, (counts.get(value) ?? 0) + 1)
  } else if (Array.isArray(value)) for (const entry of value) countStrings(entry, counts)
  else if (isRecord(value)) for (const entry of Object.values(value)) countStrings(entry, counts)
}

/**
 * Returns data as packed text.
 *
 * @param data what JSON can represent, and undefined
 * @throws TypeError for anything else, such as a date
 */
export function packJson(data: unknown): string {
  const counts = new Map<string, number>()
  countStrings(data, counts)
  const repeated = [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)
  const strings = repeated.map(([text]) => text)
  const places = new Map(strings.map((text, place) => [text, place]))

  const pack = (value: unknown): Packed => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
    if (value === undefined) return mark
    if (typeof value === 'string') {
      const place = places.get(value)
      return place === undefined ? (value.startsWith(mark) ? mark + value : value) : `${mark}${place}`
    }
    if (Array.isArray(value)) {
      const keys = sharedKeys(value)
      return keys ? [table, keys, ...value.flatMap((entry) => keys.map((key) => pack(entry[key])))] : value.map(pack)
    }
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pack(entry)]))
    throw new TypeError(`Only JSON can be packed, not ${typeof value}`)
  }
  return withQuotesSwapped(JSON.stringify([strings, pack(data)]))
}

/** Returns the data of a text of `packJson`. */
export function unpackJson(text: string): unknown {
  const [strings, packed] = JSON.parse(withQuotesSwapped(text)) as [string[], Packed]
  const unpack = (value: Packed): unknown => {
    if (typeof value === 'string') {
      if (!value.startsWith(mark)) return value
      if (value === mark) return undefined
      return value[1] === mark ? value.slice(1) : strings[Number(value.slice(1))]
    }
    if (Array.isArray(value)) return value[0] === table ? rowsOf(value) : value.map(unpack)
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unpack(entry)]))
    return value
  }
  const rowsOf = ([, keys, ...values]: Packed[]) => {
    // The second entry of a table is the list of its keys.
    const names = keys as string[]
    return Array.from({ length: values.length / names.length }, (_, row) =>
      Object.fromEntries(names.map((name, at) => [name, unpack(values[row * names.length + at] ?? null)])),
    )
  }
  return unpack(packed)
}
