import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import * as zod from 'zod/mini'
import * as small from '#contract/browser-schemas.ts'

/** Modules whose schemas the browser uses. */
const modules = {
  'admin/changes': () => import('#contract/admin/changes.ts'),
  enumerations: () => import('#contract/enumerations.ts'),
  identity: () => import('#contract/identity.ts'),
  ids: () => import('#contract/ids.ts'),
  money: () => import('#contract/money.ts'),
  paging: () => import('#contract/paging.ts'),
  'playback-refusals': () => import('#contract/playback-refusals.ts'),
  permissions: () => import('#contract/permissions.ts'),
  problem: () => import('#contract/problem.ts'),
  translations: () => import('#contract/translations.ts'),
  search: () => import('~/features/catalog/products.search'),
  plans: () => import('~/features/subscriptions/plans.search'),
  'search-schema': () => import('~/platform/navigation/search-schema'),
}

interface Reading {
  success: boolean
  data?: unknown
  error?: { issues: readonly { path: readonly PropertyKey[] }[] } | undefined
}
interface Schema {
  safeParse: (value: unknown) => Reading
  shape?: Record<string, Schema>
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'safeParse' in value

/** All exported schemas of the modules, and the parameters of exported search schemas. */
async function schemasOf(): Promise<Map<string, Schema>> {
  const schemas = new Map<string, Schema>()
  for (const [file, load] of Object.entries(modules))
    for (const [name, value] of Object.entries(await load())) {
      const shape: unknown = typeof value === 'object' && value !== null && 'shape' in value ? value.shape : undefined
      if (isSchema(value)) schemas.set(`${file} ${name}`, value)
      else if (shape) for (const [key, field] of Object.entries(shape)) schemas.set(`${file} ${name}.${key}`, field)
    }
  return schemas
}

afterAll(() => vi.resetModules())

const words = [
  ...['', ' ', 'a', 'PAY', 'VOD', 'BUY', 'FREE', 'card', '2', '1e3', 'true', '2026-02-28', '2026-02-31', 'sort,DESC'],
  ...[
    'name@example.com',
    'name@',
    'a.@b.kr',
    '20261121-7F3K9Q',
    'Q-7F3K9Q',
    'Films/LANDSCAPE',
    '영화',
    'a'.repeat(600),
  ],
  ...['019aa9f0-0000-7000-8000-000000000001', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00', '000123'],
]
const plain = [...words, null, undefined, true, false, 0, 1, -1, 1.5, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY]
const scalar = fc.oneof(fc.constantFrom<unknown>(...plain), fc.string({ unit: 'binary', maxLength: 12 }))
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
)

/** Files and objects, which few schemas accept. */
const ofConsole = [
  ...['', 'a', 'abc'].map((text) => new File([text], 'a.txt', { type: 'text/plain' })),
  ...[{ kind: 'a', text: 'a' }, { kind: 'PAY', number: 1 }, { a: 'a' }, { PAY: 'a' }, { a: 'a', b: 'a' }, { id: '' }],
]

/** Values of which a schema accepts about half. */
function valuesFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.shape) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, valuesFor(field)])
    const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
    return fc.oneof(anything, { arbitrary: fc.record(record), weight: 3 }, fc.record(record, { requiredKeys: [] }))
  }
  const good = [...plain, ...ofConsole].filter((value) => schema.safeParse(value).success)
  if (good.length === 0) return anything
  return fc.oneof({ arbitrary: fc.constantFrom<unknown>(...good), weight: 5 }, anything)
}

const namesOf = ({ error }: Reading) => [...new Set(error?.issues.map(({ path }) => path.join('.')))].sort()

/** Compares both with random values. Returns how many were accepted. */
function compare(name: string, ofZod: Schema, ofBrowser: Schema): number {
  let accepted = 0
  fc.assert(
    fc.property(valuesFor(ofZod), (value) => {
      // Values of the browser come from JSON, which has no undefined.
      fc.pre(name !== 'exactOptional' || !Object.values(Object(value)).includes(undefined))
      const [expected, actual] = [ofZod.safeParse(value), ofBrowser.safeParse(value)]
      if (expected.success) accepted++
      expect(actual.success, name).toBe(expected.success)
      if (expected.success) expect(actual.data).toEqual(expected.data)
      else expect(namesOf(actual)).toEqual(namesOf(expected))
    }),
    { numRuns: 150 },
  )
  return accepted
}

test('the validator of the browser reads what Zod reads, and refuses the same fields', async () => {
  vi.resetModules()
  const ofZod = await schemasOf()
  vi.resetModules()
  vi.doMock('zod/mini', () => import('#contract/browser-schemas.ts'))
  const ofBrowser = await schemasOf()
  vi.doUnmock('zod/mini')
  expect([...ofBrowser.values()].every((schema) => 'read' in schema)).toBe(true)
  expect([...ofBrowser.keys()]).toEqual([...ofZod.keys()])
  expect(ofZod.size).toBeGreaterThan(100)
  let accepted = 0
  for (const [name, schema] of ofZod) accepted += compare(name, schema, ofBrowser.get(name)!)
  expect(accepted).toBeGreaterThan(3_000)
})

/** What the operators' console uses beside these. */
const consoleSchemas = (z: typeof zod): Record<string, Schema> => ({
  custom: z.custom((value) => value === 'PAY'),
  discriminatedUnion: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), text: z.string() }),
    z.object({ kind: z.literal('PAY'), number: z.number() }),
  ]),
  exactOptional: z.object({ id: z.exactOptional(z.uuid()) }),
  file: z.file().check(z.minSize(1), z.maxSize(2), z.mime(['text/plain'])),
  partialRecord: z.partialRecord(z.enum(['a', 'PAY']), z.string()),
  strictObject: z.strictObject({ a: z.string() }),
  trim: z.string().check(z.trim(), z.minLength(1)),
  union: z.union([z.literal('PAY'), z.uuid(), z.number()]),
})

test('the validator of the browser has what the console uses', () => {
  // The build puts one in the place of the other.
  const [ofZod, ofBrowser] = [zod, small as unknown as typeof zod].map(consoleSchemas)
  for (const [name, schema] of Object.entries(ofZod!)) compare(name, schema, ofBrowser![name]!)
  expect(small.parse(small.uuid(), words.at(-4))).toBe(words.at(-4))
  expect(() => small.parse(small.uuid(), 'a')).toThrow()
  const methods = globSync('admin/**/*.{ts,tsx}', { exclude: ['**/*.test.ts'] }).flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/(?<!\b(?:JSON|Date|z|parser))\.parse\(/g), () => file),
  )
  expect(methods, 'z.parse(schema, value) is in both').toEqual([])
})
