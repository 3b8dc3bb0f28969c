import { Buffer } from 'node:buffer'
import type { ProductId } from '#contract/ids.ts'

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

/** Names, each with its number. */
const createNameTable = () => {
  const numbers = new Map<string, number>()
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

/**
 * A column with several values per row, stored flat: row `r` has `values[starts[r]] …
 * values[starts[r + 1] - 1]`, which index `names`.
 */
export interface MultiValueColumn {
  names: string[]
  starts: Uint32Array
  values: Uint32Array
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
    finish: (): MultiValueColumn => ({ names: names.finish(), starts: starts.finish(), values: values.finish() }),
  }
}

/** The ids of rows in ascending order, 16 bytes each. */
export interface IdColumn {
  at: (row: number) => ProductId
  /** Returns the row of an id; -1 where it has none. */
  rowOf: (id: ProductId) => number
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
    finish: (): IdColumn => idColumn(Buffer.from(bytes.subarray(0, size * idBytes)), size),
  }
}

const idColumn = (bytes: Buffer, size: number): IdColumn => ({
  at: (row) => {
    if (row < 0 || row >= size) throw new RangeError(`The index has no row ${row}`)
    const hex = bytes.toString('hex', row * idBytes, (row + 1) * idBytes)
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    // What was added as an id is read as one.
    return parts.join('-') as ProductId
  },
  rowOf: (id) => {
    const searched = Buffer.from(hexOf(id), 'hex')
    let [low, high] = [0, size]
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = bytes.compare(searched, 0, idBytes, middle * idBytes, (middle + 1) * idBytes)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  },
})
