import { useCallback } from 'react'
import * as z from 'zod/mini'
import { withoutUndefined } from '#contract/without-undefined.ts'

/** A parameter of an address. One that does not fit counts as missing, so that old links work. */
export const parameter = <Schema extends z.core.$ZodType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** The most characters of a search by words. */
export const maxSearchText = 100

const text = parameter(z.string().check(z.trim(), z.minLength(1), z.maxLength(maxSearchText)))
const day = parameter(z.iso.date())
/** Minor units. */
const amount = parameter(z.string().check(z.regex(/^\d{1,12}$/)))
const cursor = parameter(z.string().check(z.regex(/^[\w-]{20,160}$/)))

/** The keys of the columns that a list shows. */
const columns = parameter(z.string().check(z.maxLength(200), z.regex(/^[a-z]+(,[a-z]+)*$/i)))

/** The parameters that several lists have. */
export const shared = { text, day, amount, cursor, columns }

/** Returns what the API needs of a list's parameters: filters, sorting and page. */
export const listInput = <Search extends { columns?: string | undefined }>({ columns: _, ...input }: Search) =>
  withoutUndefined(input)

/** Returns the limits of an amount in an address as the API takes them. */
export const amountLimits = ({ min, max }: Record<'min' | 'max', string | undefined>) => ({
  ...(min && { min: Number(min) }),
  ...(max && { max: Number(max) }),
})

/** Whether a search, a filter or a later page leaves out objects of a list. */
export const isFiltered = (search: object) =>
  Object.entries(search).some(([key, value]) => key !== 'columns' && key !== 'sort' && value !== undefined)

const ranges = [
  ['from', 'to'],
  ['since', 'until'],
  ['min', 'max'],
] as const

/** Whether a range of days, or of amounts in minor units, ends before it begins. */
const isReversed = (from: unknown, to: unknown) =>
  typeof from === 'string' && typeof to === 'string' && (/^\d+$/.test(from) ? Number(from) > Number(to) : from > to)

/**
 * Reads the parameters of an address. One that does not fit, or is unknown, is undefined: the
 * router would leave a missing one as the address has it. Of a range that ends before it begins,
 * the end is left out. `leaveOut` names others that do not fit together.
 */
export const searchParser = <Shape extends z.core.$ZodShape>(
  shape: Shape,
  leaveOut: (read: Readonly<Record<string, unknown>>) => readonly string[] = () => [],
) => {
  const schema = z.object(shape)
  return (search: Record<string, unknown>): Partial<z.output<typeof schema>> => {
    const read: Record<string, unknown> = z.parse(schema, search)
    for (const [from, to] of ranges) if (isReversed(read[from], read[to])) read[to] = undefined
    for (const key of leaveOut(read)) read[key] = undefined
    const absent = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
    // Each parameter is optional: the types cannot say so of any shape.
    return { ...absent, ...withoutUndefined(read) } as never
  }
}

type Navigate<Search> = (options: { search: (before: Search) => Search; replace: true }) => unknown

/** Changes parts of the search parameters of a list, which then begins at its first page. */
export const useSearchChange = <Search extends object>(navigate: Navigate<Search>) =>
  useCallback(
    (part: Partial<Search>) =>
      void navigate({ search: (before) => ({ ...before, cursor: undefined, ...part }), replace: true }),
    [navigate],
  )

/** The columns that a list shows, as its address has them, and how they are changed. */
export const useColumnChoice = <Search extends { columns?: string | undefined }>(
  { columns: shown }: Search,
  navigate: Navigate<Search>,
) => ({
  shown,
  onShow: (columns: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, columns }), replace: true }),
})
