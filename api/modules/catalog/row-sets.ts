import type { EnumColumn, MultiValueColumn } from './index-columns.ts'

/** A set of rows: one bit each, 32 in a word. */
export type RowSet = Uint32Array
/** The sets of a column's names, one after the other. Null if the column has too many names. */
export type ValueSets = RowSet | null

/** Returns the length of a set of rows. */
export const wordsOf = (rows: number): number => (rows + 31) >>> 5
/** Returns 32 rows of a set. */
export const wordAt = (set: RowSet, at: number): number => set[at] ?? 0
/** Adds a row to a set. */
export const addRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = wordAt(set, row >>> 5) | (1 << (row & 31))
}

/** Sets of so many names take eight bytes a product. */
const maxSets = 64

/** Returns the rows of each name. */
export const setsOfNames = ({ names, values }: EnumColumn): RowSet => {
  const words = wordsOf(values.length)
  const sets = new Uint32Array(names.length * words)
  for (let row = 0; row < values.length; row++) addRow(sets, (values[row] ?? 0) * words * 32 + row)
  return sets
}

/** Returns the rows of each name; null if there are too many names. */
export const setsOfLists = ({ names, starts, values }: MultiValueColumn): ValueSets => {
  if (names.length > maxSets) return null
  const words = wordsOf(starts.length - 1)
  const sets = new Uint32Array(names.length * words)
  for (let row = 0, at = 0; row < starts.length - 1; row++)
    for (const end = starts[row + 1] ?? 0; at < end; at++) addRow(sets, (values[at] ?? 0) * words * 32 + row)
  return sets
}

/** Whether a set has a row. */
export const hasRow = (set: RowSet, row: number): boolean => ((wordAt(set, row >>> 5) >>> (row & 31)) & 1) === 1

/** Returns the set of all rows. */
export const allRows = (size: number): RowSet => {
  const set = new Uint32Array(wordsOf(size)).fill(0xff_ff_ff_ff)
  if ((size & 31) > 0) set[set.length - 1] = (1 << (size & 31)) - 1
  return set
}

/** Returns the set of the rows that pass a test. */
export const rowsWhere = (size: number, test: (row: number) => boolean): RowSet => {
  const set = new Uint32Array(wordsOf(size))
  for (let row = 0; row < size; row++) if (test(row)) addRow(set, row)
  return set
}

/**
 * Returns the rows with a number in a range, both ends inclusive. A missing number (NaN) is in no
 * range.
 */
export const rowsBetween = (column: Float32Array | Float64Array, from: number, to: number): RowSet => {
  const set = new Uint32Array(wordsOf(column.length))
  for (let at = 0, row = 0; at < set.length; at++) {
    let bits = 0
    // Without branches, which the processor would predict wrongly.
    for (let bit = 0; bit < 32 && row < column.length; bit++, row++) {
      const value = column[row] ?? Number.NaN
      bits |= (Number(value >= from) & Number(value <= to)) << bit
    }
    set[at] = bits
  }
  return set
}

/** Returns the rows that are in both sets. Null stands for all rows. */
export const intersection = (a: RowSet, b: RowSet | null): RowSet => {
  if (b === null) return a
  const set = new Uint32Array(a.length)
  for (let at = 0; at < a.length; at++) set[at] = wordAt(a, at) & wordAt(b, at)
  return set
}

/** Counts the rows that a set shares with the one that begins at `from` of another. */
export const countShared = (set: RowSet, sets: RowSet, from = 0): number => {
  let count = 0
  for (let at = 0; at < set.length; at++) {
    // Adds neighbouring bits, then neighbouring sums, and last the bytes of the word.
    let bits = wordAt(set, at) & wordAt(sets, from + at)
    bits -= (bits >>> 1) & 0x55_55_55_55
    bits = (bits & 0x33_33_33_33) + ((bits >>> 2) & 0x33_33_33_33)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
  }
  return count
}

/** Calls a function with each row of a set, ascending. */
export const forEachRow = (set: RowSet, visit: (row: number) => void) => {
  for (let at = 0; at < set.length; at++)
    for (let bits = wordAt(set, at); bits !== 0; bits &= bits - 1) visit(at * 32 + 31 - Math.clz32(bits & -bits))
}

/** The lowest and the highest of numbers; infinite where there are none. */
export interface Range {
  lowest: number
  highest: number
}

/** So many different numbers of a column are remembered. */
const maxDifferent = 256
const knownNumbers = new WeakMap<Float32Array | Float64Array, readonly number[] | null>()

/** Returns the different numbers of a column, which never changes; null if there are too many. */
const differentNumbers = (column: Float32Array | Float64Array) => {
  const known = knownNumbers.get(column)
  if (known !== undefined) return known
  const found = new Set<number>()
  for (let row = 0; row < column.length && found.size <= maxDifferent; row++) found.add(column[row] ?? Number.NaN)
  const numbers = found.size > maxDifferent ? null : [...found]
  knownNumbers.set(column, numbers)
  return numbers
}

/** Returns the widest range of the numbers of rows that are between two, both ends inclusive. */
export const widestRange = (column: Float32Array | Float64Array, from: number, to: number): Range => {
  const numbers = differentNumbers(column)?.filter((number) => number >= from && number <= to)
  return numbers ? { lowest: Math.min(...numbers), highest: Math.max(...numbers) } : { lowest: from, highest: to }
}

/**
 * Returns the range of the numbers in rows. It ends with a word of rows at which the range is as
 * wide as it can be. Missing numbers (NaN) do not count.
 */
export const rangeIn = (set: RowSet, column: Float32Array | Float64Array, widest: Range): Range => {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = 0; at < set.length && (lowest > widest.lowest || highest < widest.highest); at++)
    for (let bits = wordAt(set, at); bits !== 0; bits &= bits - 1) {
      const value = column[at * 32 + 31 - Math.clz32(bits & -bits)] ?? Number.NaN
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    }
  return { lowest, highest }
}
