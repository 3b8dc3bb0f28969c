import { regexes } from 'zod/v4/core'

/**
 * The part of `zod/mini` that schemas in the browser use. The build puts it in the place of Zod
 * there (`scripts/browser-schemas.ts`): a validator for all of Zod's features takes 10 kB of every
 * first script, this one 1 kB. It accepts the same values and returns the same data, and names the
 * same fields where it refuses (`tests/app/browser-schemas.test.ts`). It has no messages: the forms
 * have their own. The build fails where a schema in the browser uses another feature of Zod.
 */

interface Issue {
  path: PropertyKey[]
  message: string
}

/** Returns the data of a value. Adds an issue where it is refused, and then returns anything. */
type Read = (value: unknown, issues: Issue[], path: PropertyKey[]) => unknown

/** Returns the value, possibly changed. Adds an issue where it is refused. */
type Check = Read

type Result = { success: true; data: unknown } | { success: false; error: { issues: Issue[] } }

type Shape = Record<string, Schema>

interface Schema {
  read: Read
  shape: Shape
  options: readonly unknown[]
  check: (...checks: Check[]) => Schema
  brand: () => Schema
  safeParse: (value: unknown) => Result
  /** The Standard Schema interface, through which form libraries validate. */
  '~standard': object
}

const refuse = (issues: Issue[], path: PropertyKey[]): void => {
  issues.push({ path, message: '' })
}

function schema(read: Read, { shape = {}, options = [] }: Partial<Pick<Schema, 'shape' | 'options'>> = {}): Schema {
  const safeParse = (value: unknown): Result => {
    const issues: Issue[] = []
    const data = read(value, issues, [])
    return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data }
  }
  const self: Schema = {
    read,
    shape,
    options,
    safeParse,
    brand: () => self,
    check: (...checks) =>
      schema(
        (value, issues, path) => {
          const before = issues.length
          let data = read(value, issues, path)
          // A value of another type cannot be checked.
          if (issues.length > before) return data
          for (const check of checks) data = check(data, issues, path)
          return data
        },
        { shape, options },
      ),
    '~standard': {
      version: 1,
      vendor: 'marquee',
      validate: (value: unknown) => {
        const result = safeParse(value)
        return result.success ? { value: result.data } : { issues: result.error.issues }
      },
    },
  }
  return self
}

/** A schema of the values that a condition accepts. */
const accepting = (accepts: (value: unknown) => boolean, options: readonly unknown[] = []): Schema =>
  schema(
    (value, issues, path) => {
      if (!accepts(value)) refuse(issues, path)
      return value
    },
    { options },
  )

const matching = (pattern: RegExp) => accepting((value) => typeof value === 'string' && pattern.test(value))

export const safeParse = (one: Schema, value: unknown): Result => one.safeParse(value)
/** @throws {Error} for a value that the schema refuses */
export const parse = (one: Schema, value: unknown): unknown => {
  const result = one.safeParse(value)
  if (!result.success) throw new Error('A value does not fit its schema.')
  return result.data
}

export const unknown = (): Schema => schema((value) => value)
export const file = (): Schema => accepting((value) => value instanceof File)
export const boolean = (): Schema => accepting((value) => typeof value === 'boolean')
export const string = (): Schema => accepting((value) => typeof value === 'string')
export const number = (): Schema => accepting((value) => Number.isFinite(value))
export const int = (): Schema => accepting((value) => Number.isSafeInteger(value))
export const email = (): Schema => matching(regexes.email)
export const uuid = (): Schema => matching(regexes.uuid())
export const iso = {
  date: (): Schema => matching(regexes.date),
  datetime: (): Schema => matching(regexes.datetime({})),
}

export const literal = (allowed: unknown): Schema => {
  const values: unknown[] = Array.isArray(allowed) ? allowed : [allowed]
  return accepting((value) => values.includes(value))
}
export const custom = (accepts: (value: unknown) => boolean): Schema => accepting(accepts)
const oneOf = (options: readonly string[]): Schema =>
  accepting((value) => options.some((option) => option === value), options)

export { oneOf as enum }

export const optional = (inner: Schema): Schema =>
  schema((value, ...rest) => (value === undefined ? undefined : inner.read(value, ...rest)))
/** Values of the browser come from JSON, which has no undefined. */
export { optional as exactOptional }
export const nullable = (inner: Schema): Schema =>
  schema((value, ...rest) => (value === null ? null : inner.read(value, ...rest)))
export const _default = (inner: Schema, fallback: unknown): Schema =>
  schema((value, ...rest) => (value === undefined ? fallback : inner.read(value, ...rest)))

/** The fallback of a refused value. */
const withFallback = (inner: Schema, fallback: unknown): Schema =>
  schema((value) => {
    const result = inner.safeParse(value)
    return result.success ? result.data : fallback
  })

export { withFallback as catch }

// The schema before it in the pipe decides what it takes.
export const transform = (change: (value: never) => unknown): Schema => schema((value) => change(value as never))
export const pipe = (first: Schema, second: Schema): Schema =>
  schema((value, issues, path) => {
    const before = issues.length
    const data = first.read(value, issues, path)
    return issues.length > before ? data : second.read(data, issues, path)
  })

export const union = (choices: readonly Schema[]): Schema =>
  schema((value, issues, path) => {
    for (const choice of choices) {
      const result = choice.safeParse(value)
      if (result.success) return result.data
    }
    return refuse(issues, path)
  })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const object = (shape: Shape): Schema =>
  schema(
    (value, issues, path) => {
      if (!isObject(value)) return refuse(issues, path)
      const data: Record<string, unknown> = {}
      for (const [key, field] of Object.entries(shape)) {
        const read = field.read(value[key], issues, [...path, key])
        if (read !== undefined || key in value) data[key] = read
      }
      return data
    },
    { shape },
  )
/** Refuses other fields too. */
export const strictObject = (shape: Shape): Schema => {
  const inner = object(shape)
  return schema(
    (value, issues, path) => {
      if (isObject(value) && Object.keys(value).some((key) => !(key in shape))) refuse(issues, path)
      return inner.read(value, issues, path)
    },
    { shape },
  )
}
/** The choice whose field of the name accepts the value's. */
export const discriminatedUnion = (name: string, choices: readonly Schema[]): Schema =>
  schema((value, issues, path) => {
    if (!isObject(value)) return refuse(issues, path)
    const choice = choices.find(({ shape }) => shape[name]?.safeParse(value[name]).success)
    return choice ? choice.read(value, issues, path) : refuse(issues, [...path, name])
  })
export const extend = (one: Schema, added: Shape): Schema => object({ ...one.shape, ...added })
export const partial = ({ shape }: Schema): Schema =>
  object(Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, optional(field)])))
export const pick = ({ shape }: Schema, names: Record<string, true>): Schema =>
  object(Object.fromEntries(Object.entries(shape).filter(([key]) => names[key])))

export const array = (entry: Schema): Schema =>
  schema((value, issues, path) => {
    if (!Array.isArray(value)) return refuse(issues, path)
    return value.map((item: unknown, at) => entry.read(item, issues, [...path, at]))
  })
export const tuple = (entries: readonly Schema[]): Schema =>
  schema((value, issues, path) => {
    if (!Array.isArray(value) || value.length !== entries.length) return refuse(issues, path)
    return entries.map((entry, at) => entry.read(value[at], issues, [...path, at]))
  })

export const record = (keys: Schema, values: Schema): Schema =>
  schema((value, issues, path) => {
    if (!isObject(value)) return refuse(issues, path)
    const read = Object.entries(value).map(([key, entry]) => [
      keys.read(key, issues, [...path, key]),
      values.read(entry, issues, [...path, key]),
    ])
    return Object.fromEntries(read)
  })

/** Refuses the whole record, not its unknown keys. */
export const partialRecord = (keys: Schema, values: Schema): Schema =>
  schema((value, issues, path) => {
    if (!isObject(value)) return refuse(issues, path)
    const entries = Object.entries(value)
    const known = entries.filter(([key]) => keys.safeParse(key).success)
    if (known.length < entries.length) refuse(issues, path)
    return Object.fromEntries(known.map(([key, entry]) => [key, values.read(entry, issues, [...path, key])]))
  })

const isWithin = (minimum: number, maximum: number) => (value: unknown) =>
  Number(value) >= minimum && Number(value) <= maximum
/** Letters outside the basic plane count as one. */
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : [...String(value)].length)

/** A check that a condition decides. */
export const refine =
  (accepts: (value: never) => unknown): Check =>
  (value, issues, path) => {
    // The schema of the check decides its type.
    if (!accepts(value as never)) refuse(issues, path)
    return value
  }
/** Left to the API. */
export const check = (): Check => (value) => value
export const regex = (pattern: RegExp): Check => refine((text: string) => pattern.test(text))
export const gte = (minimum: number): Check => refine(isWithin(minimum, Number.POSITIVE_INFINITY))
export const lte = (maximum: number): Check => refine(isWithin(Number.NEGATIVE_INFINITY, maximum))
export const minLength = (minimum: number): Check => refine((value) => lengthOf(value) >= minimum)
export const maxLength = (maximum: number): Check => refine((value) => lengthOf(value) <= maximum)
export const minSize = (minimum: number): Check => refine(({ size }: File) => size >= minimum)
export const maxSize = (maximum: number): Check => refine(({ size }: File) => size <= maximum)
export const mime = (types: readonly string[]): Check => refine(({ type }: File) => types.includes(type))

const changingText =
  (change: (text: string) => string): Check =>
  (value) =>
    change(String(value))
export const overwrite = changingText
export const trim = (): Check => changingText((text) => text.trim())
export const toLowerCase = (): Check => changingText((text) => text.toLowerCase())
export const normalize = (form?: string): Check => changingText((text) => text.normalize(form))
