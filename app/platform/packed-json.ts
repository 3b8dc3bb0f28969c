/**
 * JSON as a shorter text for a script of the page. Strings that repeat are written once, and so are
 * the keys that several objects have. Lists of objects with the same keys are written as a table:
 * the keys, then the values row by row. Text that begins with `~` has a meaning: `~` alone is
 * undefined, `~3` the fourth repeated string, `~~` a text that begins with `~` itself. A list that
 * begins with `~t` is a table; one that begins with `~k` and a number is an object with these keys.
 */

type Packed = string | number | boolean | null | Packed[] | { [key: string]: Packed }

const mark = '~'
const table = `${mark}t`
const record = `${mark}k`
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

/** The keys of an object as one text. Empty for a single one, and where one contains a comma. */
function shapeOf(value: Record<string, unknown>): string {
  const keys = Object.keys(value)
  return keys.length > 1 && keys.every((key) => !key.includes(',')) ? keys.join() : ''
}

/** The keys of objects that are not rows of a table, where several have the same. */
function repeatedShapes(data: unknown): string[] {
  const counts = new Map<string, number>()
  const count = (value: unknown): void => {
    if (Array.isArray(value)) {
      const isTable = sharedKeys(value) !== null
      for (const entry of value) isTable ? Object.values(entry).forEach(count) : count(entry)
    } else if (isRecord(value)) {
      const shape = shapeOf(value)
      if (shape) counts.set(shape, (counts.get(shape) ?? 0) + 1)
      Object.values(value).forEach(count)
    }
  }
  count(data)
  return [...counts].flatMap(([shape, times]) => (times > 1 ? shape : []))
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
  const shapes = repeatedShapes(data)

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
    if (isRecord(value)) {
      const shape = shapes.indexOf(shapeOf(value))
      if (shape >= 0) return [`${record}${shape}`, ...Object.values(value).map(pack)]
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, pack(entry)]))
    }
    throw new TypeError(`Only JSON can be packed, not ${typeof value}`)
  }
  return withQuotesSwapped(JSON.stringify([strings, pack(data), shapes]))
}

/** Returns the data of a text of `packJson`. */
export function unpackJson(text: string): unknown {
  const [strings, packed, shapes] = JSON.parse(withQuotesSwapped(text)) as [string[], Packed, string[]]
  const unpack = (value: Packed): unknown => {
    if (typeof value === 'string') {
      if (!value.startsWith(mark)) return value
      if (value === mark) return undefined
      return value[1] === mark ? value.slice(1) : strings[Number(value.slice(1))]
    }
    if (Array.isArray(value)) {
      const [first, ...values] = value
      if (first === table) return rowsOf(value)
      if (typeof first !== 'string' || !first.startsWith(record)) return value.map(unpack)
      const names = shapes[Number(first.slice(record.length))]?.split(',') ?? []
      return Object.fromEntries(names.map((name, at) => [name, unpack(values[at] ?? null)]))
    }
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
