import { Buffer } from 'node:buffer'
import type { ProductId } from '#contract/ids.ts'

/** Numbers from zero in the smallest array that holds them. */
export type CompactNumbers = Uint8Array | Uint16Array | Uint32Array

/** Copies numbers from zero into the smallest array that holds them. */
export const compact = (values: Uint32Array): CompactNumbers => {
  let max = 0
  for (const value of values) if (value > max) max = value
  if (max < 0x1_00) return new Uint8Array(values)
  return max < 0x1_00_00 ? new Uint16Array(values) : values
}

/** Copies numbers into an array of half the size where that loses nothing. */
export const compactFloats = (values: Float64Array): Float32Array | Float64Array => {
  const halved = new Float32Array(values)
  return values.every((value, at) => Object.is(halved[at], value)) ? halved : values
}

/** Numbers in the smallest array that holds them. */
export type Numbers = CompactNumbers | Float32Array | Float64Array

/** Types of columns, each with those that hold its numbers and more. */
const integerTypes = [Uint8Array, Uint16Array, Uint32Array, Float64Array]
const floatTypes = [Float32Array, Float64Array]

/** Copies numbers, most of them whole and not negative, into the smallest array that holds them. */
export const compactIntegers = (values: Float64Array): CompactNumbers | Float64Array => {
  for (const Type of [Uint8Array, Uint16Array, Uint32Array]) {
    const small = new Type(values)
    if (values.every((value, at) => small[at] === value)) return small
  }
  return values
}

/**
 * What becomes of the rows of a column: rows from `from` up to `to` stay, `row` is a new or changed
 * one.
 */
export type PatchStep<Row> = { from: number; to: number } | { row: Row }
export type Patch<Row> = readonly PatchStep<Row>[]

/** Copies a column with what a patch changes. Its type grows with the numbers. */
export function patchNumbers<Row, Column extends Numbers>(
  column: Column,
  patch: Patch<Row>,
  numberIn: (row: Row) => number,
): Column
/** The same for every type of column. */
export function patchNumbers<Row>(column: Numbers, patch: Patch<Row>, numberIn: (row: Row) => number): Numbers {
  const values = patch.flatMap((step) => ('row' in step ? [numberIn(step.row)] : []))
  const types = column instanceof Float32Array ? floatTypes : integerTypes
  const known = types.findIndex((Type) => column instanceof Type)
  const Type = types.slice(known).find((each) => values.every((value) => Object.is(each.of(value)[0], value)))
  const length = patch.reduce((sum, step) => sum + ('row' in step ? 1 : step.to - step.from), 0)
  const patched = new (Type ?? Float64Array)(length)
  let at = 0
  for (const step of patch) {
    if ('row' in step) patched[at++] = numberIn(step.row)
    else {
      patched.set(column.subarray(step.from, step.to), at)
      at += step.to - step.from
    }
  }
  return patched
}

/**
 * Returns the rows in ascending order of their values, equal ones by row. Sorting plain numbers and
 * counting them is several times as fast as sorting rows by a comparison function.
 */
export const ascendingRows = (values: Float64Array): Uint32Array => {
  const distinct = values.toSorted()
  let count = 0
  for (let at = 0; at < distinct.length; at++)
    if (at === 0 || distinct[at] !== distinct[count - 1]) distinct[count++] = distinct[at] ?? Number.NaN
  const placeOf = (value: number) => {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((distinct[middle] ?? Number.NaN) < value) low = middle + 1
      else high = middle
    }
    return low
  }
  const places = new Uint32Array(values.length)
  for (let row = 0; row < values.length; row++) places[row] = placeOf(values[row] ?? Number.NaN)
  const next = new Uint32Array(count + 1)
  for (const place of places) next[place + 1] = (next[place + 1] ?? 0) + 1
  for (let place = 0; place < count; place++) next[place + 1] = (next[place + 1] ?? 0) + (next[place] ?? 0)
  const rows = new Uint32Array(values.length)
  places.forEach((place, row) => {
    const at = next[place] ?? 0
    rows[at] = row
    next[place] = at + 1
  })
  return rows
}

/** The bytes of an array and its object, or of names. */
export const bytesOf = (column: ArrayBufferView | readonly string[]): number =>
  ArrayBuffer.isView(column)
    ? column.byteLength + bytesOfObject
    : column.reduce((sum, name) => sum + 2 * name.length + bytesOfName, bytesOfObject)
/** An array's object with its buffer, and a string's with its place in a list. */
const bytesOfObject = 200
const bytesOfName = 32

/** A typed array that grows while rows are added. */
export const createNumberColumn = <Numbers extends Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array>(
  type: new (length: number) => Numbers,
) => {
  let values = new type(1024)
  let length = 0
  return {
    get length() {
      return length
    },
    push: (value: number) => {
      if (length === values.length) {
        const larger = new type(2 * length)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    /** Returns the values in an array of their own length. */
    finish: (): Numbers => {
      const finished = new type(length)
      finished.set(values.subarray(0, length))
      return finished
    },
  }
}

/** Names, each with its number. Continues a list of them. */
const createNameTable = (known: readonly string[] = []) => {
  const numbers = new Map(known.map((name, number) => [name, number]))
  return {
    numberOf: (name: string): number => {
      const existing = numbers.get(name)
      if (existing !== undefined) return existing
      numbers.set(name, numbers.size)
      return numbers.size - 1
    },
    finish: () => [...numbers.keys()],
  }
}

/** A column with one of a few names in each row, at most 256. */
export interface EnumColumn {
  names: string[]
  values: Uint8Array
}

/** Creates a column with one of few names per row. */
export const createEnumColumn = () => {
  const names = createNameTable()
  const values = createNumberColumn(Uint8Array)
  return {
    push: (name: string) => values.push(names.numberOf(name)),
    finish: (): EnumColumn => ({ names: names.finish(), values: values.finish() }),
  }
}

/** Copies a column of names with what a patch changes. Names without a row stay. */
export const patchEnums = <Row>(column: EnumColumn, patch: Patch<Row>, nameOf: (row: Row) => string): EnumColumn => {
  const names = createNameTable(column.names)
  const values = patchNumbers(column.values, patch, (row) => names.numberOf(nameOf(row)))
  return { names: names.finish(), values }
}

/**
 * A column with several values per row, stored flat: row `r` has `values[starts[r]] …
 * values[starts[r + 1] - 1]`, which index `names`.
 */
export interface MultiValueColumn {
  names: string[]
  starts: Uint32Array
  values: Uint16Array | Uint32Array
}

/** Creates a column with several names per row, given as one text with a separator. */
export const createMultiValueColumn = (separator: string) => {
  const names = createNameTable()
  const starts = createNumberColumn(Uint32Array)
  const values = createNumberColumn(Uint32Array)
  starts.push(0)
  return {
    push: (list: string) => {
      if (list !== '') for (const name of list.split(separator)) values.push(names.numberOf(name))
      starts.push(values.length)
    },
    finish: (): MultiValueColumn => {
      const [list, flat] = [names.finish(), values.finish()]
      return { names: list, starts: starts.finish(), values: list.length < 0x1_00_00 ? new Uint16Array(flat) : flat }
    },
  }
}

/** Copies a column of lists with what a patch changes. Names without a row stay. */
export const patchMultiValues = <Row>(
  { names: known, starts, values }: MultiValueColumn,
  separator: string,
  patch: Patch<Row>,
  listOf: (row: Row) => string,
): MultiValueColumn => {
  const names = createNameTable(known)
  const startOf = (row: number) => starts[row] ?? values.length
  const flat = patch.flatMap((step): PatchStep<number>[] => {
    if (!('row' in step)) return [{ from: startOf(step.from), to: startOf(step.to) }]
    const list = listOf(step.row)
    return list === '' ? [] : list.split(separator).map((name) => ({ row: names.numberOf(name) }))
  })
  const lengths = new Uint32Array(starts.length + patch.length)
  let [row, end] = [0, 0]
  for (const step of patch) {
    if ('row' in step) {
      const list = listOf(step.row)
      end += list === '' ? 0 : list.split(separator).length
      lengths[++row] = end
    } else for (let old = step.from; old < step.to; old++) lengths[++row] = end += startOf(old + 1) - startOf(old)
  }
  return {
    names: names.finish(),
    starts: lengths.slice(0, row + 1),
    values: patchNumbers(values, flat, (number) => number),
  }
}

/** The ids of rows in ascending order, 16 bytes each. */
export interface IdColumn {
  bytes: number
  at: (row: number) => ProductId
  /** Returns the row of an id; -1 where it has none. */
  rowOf: (id: ProductId) => number
  /** Returns the row of an id, or where its row would be. */
  placeOf: (id: ProductId) => number
  patched: (patch: Patch<{ id: ProductId }>) => IdColumn
}

const idBytes = 16
const hexOf = (id: ProductId) => id.replaceAll('-', '')

/** Creates a column with the id of each row. */
export const createIdColumn = () => {
  let bytes = Buffer.alloc(1024 * idBytes)
  let size = 0
  return {
    push: (id: ProductId) => {
      if ((size + 1) * idBytes > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
      bytes.write(hexOf(id), size++ * idBytes, 'hex')
    },
    finish: (): IdColumn => idColumn(Buffer.concat([bytes.subarray(0, size * idBytes)]), size),
  }
}

const idColumn = (bytes: Buffer, size: number): IdColumn => {
  const at = (row: number) => {
    if (row < 0 || row >= size) throw new RangeError(`The index has no row ${row}`)
    const hex = bytes.toString('hex', row * idBytes, (row + 1) * idBytes)
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    // What was added as an id is read as one.
    return parts.join('-') as ProductId
  }
  const placeOf = (id: ProductId) => {
    const searched = Buffer.from(hexOf(id), 'hex')
    let [low, high] = [0, size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (bytes.compare(searched, 0, idBytes, middle * idBytes, (middle + 1) * idBytes) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    bytes: bytesOf(bytes),
    at,
    placeOf,
    rowOf: (id) => {
      const place = placeOf(id)
      return place < size && at(place) === id ? place : -1
    },
    patched: (patch) => {
      const parts = patch.map((step) =>
        'row' in step ? Buffer.from(hexOf(step.row.id), 'hex') : bytes.subarray(step.from * idBytes, step.to * idBytes),
      )
      const patched = Buffer.concat(parts)
      return idColumn(patched, patched.length / idBytes)
    },
  }
}
