import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSlug, slugOf, slugPath } from '#contract/rules.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { databaseBefore } from '#tests/support/database-before.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)

const importRows = async (code: string, rows: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-slugs-'))
  const file = join(folder, 'categories.csv')
  await writeFile(file, `${rows.join('\r\n')}\r\n`)
  return run(['catalog', 'import', file, '-c', code, '--by', 'Jo'])
}

describe('slug rule', () => {
  test.each(['drama', 'new-2026', '다큐멘터리', 'ドキュメンタリー', '부모-교실', 'وثائقي'])(
    'the slug rule accepts %s',
    (slug) => expect(isSlug(slug)).toBe(true),
  )
  test.each(['', 'Drama', '-drama', 'drama-', 'a--b', 'a b', 'a/b', 'a_b', 'a%20', 'x'.repeat(81)])(
    'the slug rule refuses “%s”',
    (slug) => expect(isSlug(slug)).toBe(false),
  )
  test.each([
    ['Mountains & Ridges', 'mountains-ridges'],
    ['  Élan Vital ', 'élan-vital'],
    ['국·찌개', '국-찌개'],
    ['コーヒー入門', 'コーヒー入門'],
    ['!!!', 'category'],
    ['x'.repeat(200), 'x'.repeat(70)],
  ])('the name “%s” gets the slug %s', (name, slug) => {
    expect(slugOf(name, 'category')).toBe(slug)
    expect(isSlug(slug)).toBe(true)
  })
  test('a path of many slugs is matched in linear time', () => {
    const started = performance.now()
    expect(slugPath.test(`${'a-'.repeat(50_000)}!`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

test('a category without a slug gets one from its name, with a number if it is taken', async () => {
  const tenant = await createTenant(api)
  const answer = await importRows(tenant.code, [
    'category',
    'Films',
    'Films > Short!',
    'Films > Short?',
    'Series',
    'Series > Short',
  ])
  expect(answer).toMatchObject({ code: 0, err: '' })
  const { items } = await tenant.guest.catalog.categories()
  expect(items.map(({ name, path }) => [name, path]).sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1))).toEqual([
    ['Films', 'films'],
    ['Short!', 'films/short'],
    ['Short?', 'films/short-2'],
    ['Series', 'series'],
    ['Short', 'series/short'],
  ])
})

test('slugs are unique among siblings only, and two siblings can exchange theirs', async () => {
  const tenant = await createTenant(api)
  const rows = [
    'category,slug',
    'Films,films',
    'Films > One,first',
    'Films > Two,second',
    'Series,series',
    'Series > One,first',
  ]
  expect(await importRows(tenant.code, rows)).toMatchObject({ code: 0, err: '' })
  const twice = await importRows(tenant.code, ['category,slug', 'Films > Two,First'])
  expect(twice.code).not.toBe(0)
  expect(twice.err).toContain('slug: “First” must be unique: another category of the same parent has it')
  const exchanged = await importRows(tenant.code, ['category,slug', 'Films > One,second', 'Films > Two,first'])
  expect(exchanged).toMatchObject({ code: 0, err: '' })
  const { items } = await tenant.guest.catalog.categories()
  expect(new Map(items.map(({ name, path }) => [path, name])).get('films/second')).toBe('One')
  const wrong = await importRows(tenant.code, ['category,slug', 'Series,my series'])
  expect(wrong.err).toContain('must have at most 80 letters and digits, with single hyphens between them')
})

test('products are searched by the path or id of a category, and an unknown path finds none', async () => {
  const tenant = await createTenant(api)
  const films = await tenant.createCategory('Films', undefined, 'films')
  const sea = await tenant.createCategory('Sea', films, 'sea')
  await tenant.createProduct({ title: 'Tide', categoryIds: [films.id, sea.id] })
  await tenant.createProduct({ title: 'Ridge', categoryIds: [films.id] })
  const titles = async (category: string) =>
    (await tenant.guest.catalog.search({ category })).items.map(({ title }) => title).sort()
  expect(await titles('films')).toEqual(['Ridge', 'Tide'])
  expect(await titles('films/sea')).toEqual(['Tide'])
  expect(await titles(sea.id)).toEqual(['Tide'])
  expect(await titles('sea')).toEqual([])
  expect(await titles('films/nothing')).toEqual([])
  expect(
    (await tenant.guest.catalog.product({ id: (await tenant.guest.catalog.search({ q: 'Tide' })).items[0]!.code }))
      .categoryPath,
  ).toEqual([
    { id: films.id, name: 'Films', path: 'films' },
    { id: sea.id, name: 'Sea', path: 'films/sea' },
  ])
})

test('a category and its children keep their former paths until another category uses one', async () => {
  const tenant = await createTenant(api)
  await importRows(tenant.code, ['category,slug', 'Films,films', 'Films > Sea,sea', 'Series,series'])
  const formerOf = async () =>
    Object.fromEntries(
      (await tenant.guest.catalog.categories()).items.map(({ name, formerPaths }) => [name, formerPaths]),
    )
  expect(await formerOf()).toEqual({ Films: undefined, Sea: undefined, Series: undefined })

  expect(await importRows(tenant.code, ['category,slug', 'Films,cinema'])).toMatchObject({ code: 0, err: '' })
  expect(await formerOf()).toEqual({ Films: ['films'], Sea: ['films/sea'], Series: undefined })

  await importRows(tenant.code, ['category,slug', 'Films > Sea,ocean'])
  expect(await formerOf()).toMatchObject({ Sea: ['films/sea', 'cinema/sea'] })
  // Another category now uses the path, and has its own former path.
  await importRows(tenant.code, ['category,slug', 'Series,films'])
  expect(await formerOf()).toEqual({ Films: undefined, Sea: ['films/sea', 'cinema/sea'], Series: ['series'] })
  await importRows(tenant.code, ['category,slug', 'Series,shows'])
  expect(await formerOf()).toMatchObject({ Films: undefined, Series: ['series', 'films'] })
  // A path that is in use again is no longer a former path.
  await importRows(tenant.code, ['category,slug', 'Series,series'])
  expect(await formerOf()).toMatchObject({ Series: ['films', 'shows'] })
})

test('the migration of slugs makes existing ones valid and unique among siblings', async () => {
  await using database = await databaseBefore('0003_category-slugs')
  const { client, apply } = database
  const [store, parent] = [randomUUID(), randomUUID()]
  await client.query(`INSERT INTO customers (customer_id, code, settings) VALUES ($1, 'acme', '{}')`, [store])
  const add = (slug: string, sort: number, id = randomUUID(), below: string | null = null) =>
    client.query(
      `INSERT INTO categories (customer_id, id, parent_id, level, name, slug, sort) VALUES ($1, $2, $3, $4, $5, $5, $6)`,
      [store, id, below, below ? 2 : 1, slug, sort],
    )
  await add('Films', 0, parent)
  for (const [sort, slug] of ['Drama', 'drama', 'DRAMA', 'drama-2', 'a--B-', '국-찌개'].entries())
    await add(slug, sort, randomUUID(), parent)
  await apply('0003_category-slugs')
  const { rows } = await client.query<{ name: string; slug: string }>(
    `SELECT name, slug FROM categories ORDER BY level, sort`,
  )
  expect(Object.fromEntries(rows.map(({ name, slug }) => [name, slug]))).toEqual({
    Films: 'films',
    Drama: 'drama',
    drama: 'drama-3',
    DRAMA: 'drama-4',
    'drama-2': 'drama-2',
    'a--B-': 'a-b',
    '국-찌개': '국-찌개',
  })
  expect(rows.every(({ slug }) => isSlug(slug))).toBe(true)
  const rowSecurity = await client.query(
    `SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'categories'`,
  )
  expect(rowSecurity.rows).toEqual([{ forced: true }])
})
