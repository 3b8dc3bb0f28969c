import * as z from 'zod/mini'
import { cleanText } from './address'

type Shape = Record<string, z.ZodMiniType>
type Value<Schema> = NonNullable<z.output<Schema>>
type Flat<T> = { [Key in keyof T]: T[Key] }

/** What a link may name: every parameter is optional. */
type Input<S extends Shape> = { [Name in keyof S]?: Value<S[Name]> | undefined }
/** What a page reads: parameters with a default are always there. */
type Output<S extends Shape, D> = Flat<
  { [Name in keyof S & keyof D]: Value<S[Name]> } & { [Name in Exclude<keyof S, keyof D>]?: Value<S[Name]> | undefined }
>

export interface SearchSchema<S extends Shape, D> {
  /**
   * Reads the parameters from an address or from the values of a link. A value that does not fit counts as missing, so that a worn
   * link still leads to its page. Every parameter is named in the result: the router then drops what could not be read.
   */
  parse: (given: unknown) => Output<S, D>
  types: { input: Input<S>; output: Output<S, D> }
  shape: S
}

export type SearchOf<Schema> = Schema extends { types: { output: infer O } } ? O : never

/** The search parameters of a route, for `validateSearch`. `defaults` are the values of parameters an address need not name. */
export function searchSchema<S extends Shape, const D extends Partial<Input<S>> = Record<never, never>>(
  shape: S,
  defaults?: D,
): SearchSchema<S, D> {
  const fallback: Record<string, unknown> = { ...defaults }
  const parse = (given: unknown) => {
    const values = (given ?? {}) as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [name, read(schema, values[name]) ?? fallback[name]]),
    ) as Output<S, D>
  }
  return { parse, shape, types: undefined as never }
}

/** Where one value is wanted and several are given, the first counts. */
function read(schema: z.ZodMiniType, given: unknown): unknown {
  if (given === undefined) return undefined
  const whole = z.safeParse(schema, given)
  if (whole.success || !Array.isArray(given)) return whole.data
  return z.safeParse(schema, given[0]).data
}

const fromText = (pattern: RegExp) =>
  z.transform((given: unknown) => (typeof given === 'string' && pattern.test(given.trim()) ? Number(given) : given))

/** Words that a person typed; what is longer is cut. */
export const text = (longest: number) =>
  z.pipe(
    z.transform((given: unknown) => (typeof given === 'string' ? cleanText(given, longest).trim() : given)),
    z.string().check(z.minLength(1)),
  )

/** A short code that the store itself wrote into an address, such as why a form was refused. */
export const code = z.string().check(z.regex(/^\w{1,40}$/))

/** A whole number from 1, such as the number of a page. */
export const pageNumber = z.pipe(fromText(/^\d{1,5}$/), z.int().check(z.gte(1), z.lte(10_000)))

/** A number from 0 to `most`, with or without decimals. */
export const amountUpTo = (most: number) =>
  z.pipe(fromText(/^\d{1,15}(?:\.\d{1,9})?$/), z.number().check(z.gte(0), z.lte(most)))

/** `true`, or missing. */
export const flag = z.pipe(
  z.transform((given: unknown) => (given === 'true' ? true : given)),
  z.literal(true),
)

/** Several of the options, in any order; unknown ones are dropped, and none counts as missing. */
export const anyOf = <Option extends string>(options: readonly Option[]) =>
  z.pipe(
    z.transform((given: unknown) => {
      const values: unknown[] = Array.isArray(given) ? given : [given]
      return options.filter((option) => values.includes(option))
    }),
    z.array(z.enum(options)).check(z.minLength(1)),
  )

/** Of lists in pages: an address need not name the first. */
export const firstPage = { page: 1 } as const

/** Why somebody was led to another page than the one they asked for; that page says it. */
export const noticeReasons = [
  'INQUIRY_DISABLED',
  'JOIN_DISABLED',
  'PLANS_CLOSED',
  'PLAN_NEEDED',
  'PLAN_NOT_ON_SALE',
] as const

/** Parameters that the layout around every page reads: the words in its search field, and what to say on arrival. */
export const sharedSearch = searchSchema({
  q: text(100),
  notice: z.enum([...noticeReasons, 'PASSWORD_CHANGED']),
})

/** Pages for guests: where one was before, to go back to afterwards. `safeReturnPath` says whether one may. */
export const guestSearch = searchSchema({ redirect: z.string() })

/** Whether a number of a page names one after the last. */
export const isBeyond = (page = 1, answer: { items: readonly unknown[] } | undefined): boolean =>
  page > 1 && answer?.items.length === 0
