import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'

/** Modules whose schemas the browser uses. */
const modules = {
  enumerations: () => import('#contract/enumerations.ts'),
  identity: () => import('#contract/identity.ts'),
  ids: () => import('#contract/ids.ts'),
  money: () => import('#contract/money.ts'),
  paging: () => import('#contract/paging.ts'),
  'playback-refusals': () => import('#contract/playback-refusals.ts'),
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

/** Values of which a schema accepts about half. */
function valuesFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.shape) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, valuesFor(field)])
    const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
    return fc.oneof(anything, { arbitrary: fc.record(record), weight: 3 }, fc.record(record, { requiredKeys: [] }))
  }
  const good = plain.filter((value) => schema.safeParse(value).success)
  if (good.length === 0) return anything
  return fc.oneof({ arbitrary: fc.constantFrom<unknown>(...good), weight: 5 }, anything)
}

const namesOf = ({ error }: Reading) => [...new Set(error?.issues.map(({ path }) => path.join('.')))].sort()

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
  for (const [name, zod] of ofZod)
    fc.assert(
      fc.property(valuesFor(zod), (value) => {
        const [expected, actual] = [zod.safeParse(value), ofBrowser.get(name)!.safeParse(value)]
        if (expected.success) accepted++
        expect(actual.success, name).toBe(expected.success)
        if (expected.success) expect(actual.data).toEqual(expected.data)
        else expect(namesOf(actual)).toEqual(namesOf(expected))
      }),
      { numRuns: 150 },
    )
  expect(accepted).toBeGreaterThan(3_000)
})
