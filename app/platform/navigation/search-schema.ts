import * as z from 'zod/mini'
import { trimText } from '#contract/text.ts'
import { cleanText } from '~/platform/address'

type Shape = Record<string, z.ZodMiniType>
type Value<Schema> = NonNullable<z.output<Schema>>
type Flat<T> = { [Key in keyof T]: T[Key] }

/** The parameters of a link, all optional. */
type Input<S extends Shape> = { [Name in keyof S]?: Value<S[Name]> | undefined }
/** The parameters of a page. Those with a default are always set. */
type Output<S extends Shape, D> = Flat<
  { [Name in keyof S & keyof D]: Value<S[Name]> } & { [Name in Exclude<keyof S, keyof D>]?: Value<S[Name]> | undefined }
>

export interface SearchSchema<S extends Shape, D> {
  /**
   * Parses the parameters of a URL or a link. An invalid value counts as missing, so that an old
   * link still works. The result has every parameter, so that the router drops the invalid ones.
   */
  parse: (search: unknown) => Output<S, D>
  types: { input: Input<S>; output: Output<S, D> }
  shape: S
}

export type SearchOf<Schema> = Schema extends { types: { output: infer O } } ? O : never

/**
 * Defines the search parameters of a route, for `validateSearch`. `defaults` are used for missing
 * parameters.
 */
export function searchSchema<S extends Shape, const D extends Partial<Input<S>> = Record<never, never>>(
  shape: S,
  defaults?: D,
): SearchSchema<S, D> {
  const fallback: Record<string, unknown> = { ...defaults }
  const parse = (search: unknown) => {
    const values: Record<string, unknown> = typeof search === 'object' ? { ...search } : {}
    // TypeScript cannot derive the mapped type from `fromEntries`.
    return Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [name, read(schema, values[name]) ?? fallback[name]]),
    ) as Output<S, D>
  }
  // `types` exists for the router's inference alone.
  return { parse, shape, types: undefined as never }
}

/** Where the schema takes one value and there are several, the first counts. */
function read(schema: z.ZodMiniType, value: unknown): unknown {
  if (value === undefined) return undefined
  const parsed = z.safeParse(schema, value)
  if (parsed.success || !Array.isArray(value)) return parsed.data
  return z.safeParse(schema, value[0]).data
}

const fromText = (pattern: RegExp) =>
  z.transform((value: unknown) => (typeof value === 'string' && pattern.test(value.trim()) ? Number(value) : value))

/** Typed text, cut to `longest` characters. */
export const text = (longest: number) =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? trimText(cleanText(value, longest)) : value)),
    z.string().check(z.minLength(1)),
  )

/** A short code that the store wrote into the URL, such as a problem code. */
export const code = z.string().check(z.regex(/^\w{1,40}$/))

/** A page number, from 1. */
export const pageNumber = z.pipe(fromText(/^\d{1,5}$/), z.int().check(z.gte(1), z.lte(10_000)))

/** A number from 0 to `max`, with or without decimals. */
export const amountUpTo = (max: number) =>
  z.pipe(fromText(/^\d{1,15}(?:\.\d{1,9})?$/), z.number().check(z.gte(0), z.lte(max)))

/** `true`, or missing. */
export const flag = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value)),
  z.literal(true),
)

/** A list of the options. Unknown values are dropped, and an empty list counts as missing. */
export const anyOf = <Option extends string>(options: readonly Option[]) =>
  z.pipe(
    z.transform((value: unknown) => {
      const values: unknown[] = Array.isArray(value) ? value : [value]
      return options.filter((option) => values.includes(option))
    }),
    z.array(z.enum(options)).check(z.minLength(1)),
  )

/** The default of paginated lists. */
export const firstPage = { page: 1 } as const

/** Reasons of redirects, which the target page shows. */
export const noticeReasons = [
  'INQUIRY_DISABLED',
  'JOIN_DISABLED',
  'PLANS_CLOSED',
  'PLAN_NEEDED',
  'PLAN_NOT_ON_SALE',
] as const

/** Parameters of the layout: the text in the search field, and a notice to show. */
export const sharedSearch = searchSchema({
  q: text(100),
  notice: z.enum([...noticeReasons, 'PASSWORD_CHANGED', 'PASSWORD_SET']),
})

/** Pages for guests: where to return to afterwards. `safeReturnPath` validates it. */
export const guestSearch = searchSchema({ redirect: z.string() })

/** Whether a page number is beyond the last page. */
export const isPastLastPage = (page = 1, answer: { total: number; size: number } | undefined): boolean =>
  page > 1 && answer !== undefined && (page - 1) * answer.size >= answer.total

/** Returns the limits of a range with the lower one first, because the API refuses others. */
export const lowerFirst = <Limit extends string | number>(
  from: Limit | undefined,
  to: Limit | undefined,
): [from: Limit | undefined, to: Limit | undefined] =>
  from === undefined || to === undefined || from <= to ? [from, to] : [to, from]
