import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { categories, lessons, productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const timeout = 180_000
const example = 'docs/example-store'
const tableNames = [
  'categories',
  'products',
  'options',
  'lessons',
  'attachments',
  'plans',
  'banners',
  'notices',
  'faq',
  'pages',
]

const createStoreInWon = () => {
  const settings = plainSettings()
  return createTenant(api, { settings: { ...settings, base: { ...settings.base, currency: 'KRW' } } })
}
const importInto = (tenant: Tenant, path: string, ...more: string[]) =>
  run(['catalog', 'import', path, '-c', tenant.code, '--by', 'Jo', ...more])
const exportFrom = async (tenant: Tenant, ...more: string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-export-'))
  const answer = await run(['catalog', 'export', folder, '-c', tenant.code, ...more])
  expect(answer).toMatchObject({ code: 0, err: '' })
  return folder
}
const textsOf = (folder: string) =>
  Promise.all(tableNames.map((table) => readFile(join(folder, `${table}.csv`), 'utf8')))
const csv = (rows: readonly (readonly string[])[], { separator = ',', end = '\r\n' } = {}) =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator) + end).join('')
const headings = ['code', 'title', 'kind']
const versionOf = async ({ code }: Tenant) => (await resolveCustomer(api.deps, code))?.version

test(
  'importing an export changes nothing, and one changed cell updates one row',
  async () => {
    const tenant = await createStoreInWon()
    expect(await importInto(tenant, example)).toMatchObject({ code: 0, err: '' })
    const folder = await exportFrom(tenant)
    const before = await textsOf(folder)
    expect(before[1]).toMatch(/^\ufeffcode,title,kind,/)
    const version = await versionOf(tenant)
    const unchanged = await importInto(tenant, folder, '--remove')
    expect(unchanged).toMatchObject({ code: 0, err: '' })
    for (const [table, count] of [
      ['products', 3],
      ['options', 3],
      ['categories', 3],
      ['notices', 1],
      ['banners', 1],
    ])
      expect(unchanged.out).toMatch(new RegExp(`${table}\\.csv\\s+0\\s+0\\s+${count}\\s+0\\s+0`))
    expect(await versionOf(tenant)).toBe(version)
    expect(await textsOf(await exportFrom(tenant))).toEqual(before)

    await writeFile(join(folder, 'products.csv'), before[1]!.replace('Drawing with one line', '한 줄 드로잉'))
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+0\s+1\s+2\s+0/)
    expect((await tenant.guest.catalog.product({ id: 'K100' })).title).toBe('한 줄 드로잉')
    expect((await tenant.guest.catalog.search({ q: '드로잉' })).total).toBe(1)

    // The same holds for JSON, and another store gets the same rows with their pictures and files.
    const file = join(folder, 'all.json')
    expect((await run(['catalog', 'export', file, '-c', tenant.code])).code).toBe(0)
    expect((await importInto(tenant, file)).out).toMatch(/all\.json products\s+0\s+0\s+3\s+0/)
    const copy = await createStoreInWon()
    const whole = await exportFrom(tenant, '--media', '--separator', ';')
    expect(await importInto(copy, whole)).toMatchObject({ code: 0, err: '' })
    const rows = async (store: Tenant) =>
      (await textsOf(await exportFrom(store))).map((text) => text.replace(/store:[^,|\r]+/g, 'store:…'))
    expect(await rows(copy)).toEqual(await rows(tenant))
    expect((await importInto(copy, whole)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    // A picture with the same bytes is recognized as the stored one.
    expect((await importInto(tenant, whole)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
  },
  timeout,
)

test('importing files with the column names of release 0.1.0 changes nothing', async () => {
  const tenant = await createStoreInWon()
  expect(await importInto(tenant, example)).toMatchObject({ code: 0, err: '' })
  const folder = await exportFrom(tenant)
  const banners = await readFile(join(folder, 'banners.csv'), 'utf8')
  const former = banners
    .replace('image_desktop', 'wide')
    .replace('image_mobile', 'narrow')
    .replace('starts_at', 'show_from')
    .replace('ends_at', 'show_to')
  expect(former).toMatch(/,wide,narrow,.*show_from,show_to/)
  await writeFile(join(folder, 'banners.csv'), former)
  const answer = await importInto(tenant, join(folder, 'banners.csv'))
  expect(answer).toMatchObject({ code: 0, err: '' })
  expect(answer.out).toMatch(/banners\.csv\s+0\s+0\s+1\s+0/)
})

test(
  'an import lists all errors by row and column, and saves nothing of an invalid file',
  async () => {
    const tenant = await createStoreInWon()
    const folder = await folderOf({
      'categories.csv': csv([
        ['category', 'id'],
        ['A > B', ''],
        ['B > A', ''],
        ['Films', ''],
        ['films', ''],
      ]),
      'products.csv': csv([
        ['code', 'title', 'kind', 'access', 'categories', 'poster', 'sale_to', 'gallery'],
        ['K100', 'Fine', 'VOD', '', 'Film', '', '', ''],
        ['K100', 'Twice', 'VOD', '', '', '', '', ''],
        ['K 200', 'Wrong code', 'VDO', '', '', '', '', ''],
        ['K300', '', 'FREE', 'PURCHASE', '', '../../etc/passwd', '31/12/2026', ''],
        ['K400', 'x'.repeat(301), 'PAY', '', '', 'media/not.jpg', '2026-02-30', 'media/none.png|media/half.jpg'],
      ]),
      'options.csv': csv([
        ['product', 'name', 'type', 'days', 'price', 'list_price'],
        ['K100', 'Rent', 'RENT', '', '1,500', ''],
        ['K100', 'Own', 'OWN', '', '15.50', '100'],
        ['K101', 'Own', 'OWN', '3', '₩100', ''],
        ['K300', 'Own', 'OWN', '', '100', '50'],
      ]),
      'banners.csv': csv([
        ['type', 'title', 'link'],
        ['BANER', 'x', ''],
        ['GRID', 'y', 'product:NONE'],
        ['GRID', 'z', 'javascript:alert(1)'],
      ]),
      'pages.csv': csv([
        ['type', 'titel', 'body'],
        ['terms', 'x', 'y'],
      ]),
      'media/not.jpg': 'I am a text',
      'media/half.jpg': (await readFile(join(example, 'media/harbour.jpg'))).subarray(0, 3000),
    })
    for (const more of [['--dry-run'], []]) {
      const { code, err, out } = await importInto(tenant, folder, ...more)
      expect(code).toBe(1)
      const expected = [
        'categories.csv, row 2, category: “A > B” must have an existing parent: there is no A.',
        'categories.csv, row 3, category: “B > A” must have an existing parent: there is no B.',
        'categories.csv, row 5, category: “films” must be unique: row 4 has the same category.',
        'products.csv, row 2, categories: “Film” must name categories of the store: there is no Film. Did you mean Films?',
        'products.csv, row 3, code: “K100” must be unique: row 2 has the same code.',
        'products.csv, row 4, code: “K 200” must have at most 64 letters A to Z, digits and hyphens, for example K100.',
        'products.csv, row 4, kind: “VDO” must be PAY, FREE, VOD. Did you mean VOD?',
        'products.csv, row 5, title: “” must not be empty',
        'products.csv, row 5, poster: “../../etc/passwd” must be a path below the folder of its table',
        'products.csv, row 5, sale_to: “31/12/2026” must be a day or a time of Asia/Seoul, for example 2026-11-21',
        'must have at most 300 characters, but has 301.',
        'products.csv, row 6, poster: “media/not.jpg” must be a complete picture',
        'products.csv, row 6, sale_to: “2026-02-30” must be a day',
        'options.csv, row 2, days: “” must be the number of days that a rental lasts',
        'options.csv, row 3, price: “15.50” must be whole: KRW has no decimals, for example 12000.',
        'options.csv, row 4, price: “₩100” must be an amount of KRW without its sign',
        'options.csv, row 5, list_price: “50” must not be lower than price',
        'banners.csv, row 2, type: “BANER” must be HEADER_BANNER',
        'Did you mean BANNER?',
        'banners.csv, row 3, link: “product:NONE” must link to a product of the store. There is no NONE.',
        'banners.csv, row 3, image_desktop: “” must name a picture, or its type must be NONE, which is not shown',
        'banners.csv, row 4, link: “javascript:alert(1)” must be product:CODE',
        'pages.csv, row 1, titel: is not a column of pages. Did you mean title?',
      ]
      for (const sentence of expected) expect(err).toContain(sentence)
      expect(err).toMatch(/products\.csv, row 6, gallery: .+ must be/)
      expect(err).toMatch(/Nothing was imported: \d+ things are wrong\./)
      expect(err).not.toMatch(/row 5, product:/)
      expect(out).toBe('')
    }
    expect(await tenant.within((db) => db.select().from(products))).toEqual([])
    expect(await tenant.within((db) => db.select().from(categories))).toEqual([])
    const storedKeys: string[] = []
    for await (const { key } of api.deps.storage.list()) if (key.includes(tenant.id)) storedKeys.push(key)
    expect(storedKeys.filter((key) => !key.includes('/plain-'))).toEqual([])
  },
  timeout,
)

test(
  'an import reads CP949, UTF-16, semicolons, tabs, and cells that look like formulas',
  async () => {
    const tenant = await createStoreInWon()
    const encode = (hex: string) => Buffer.from(hex, 'hex')
    // 한글 as Korean Windows writes it.
    const korean = Buffer.concat([
      Buffer.from('code;title;kind\r\nW1;'),
      encode('c7d1b1db'),
      Buffer.from(';VOD\r\n\r\nW2;"a;b\r\nc";vod\r\n'),
    ])
    const utf16 = Buffer.concat([encode('fffe'), Buffer.from('Code\tTitle\tKind\nW3\tÜber\tVOD\n', 'utf16le')])
    const folder = await folderOf({
      'products.csv': korean,
      'products-2.csv': utf16,
      'products-3.csv': `sep=;\n${csv([headings, ['W4', "'=1+1", 'VOD']], { separator: ';', end: '\n' })}`,
      'products-4.csv': `\ufeff${csv([headings, ['W5', '@SUM(A1)', 'VOD'], ['W6', '-5', 'VOD']])}`,
    })
    const first = await importInto(tenant, join(folder, 'products.csv'))
    // A title must be one line. Row numbers count the empty row, as a spreadsheet does.
    expect(first.err).toContain('products.csv, row 4, title: “a;b c” must be one line')
    await writeFile(
      join(folder, 'products.csv'),
      Buffer.from(korean.toString('latin1').replace('\r\nc"', ' c"'), 'latin1'),
    )
    for (const name of ['products.csv', 'products-2.csv', 'products-3.csv', 'products-4.csv'])
      expect(await importInto(tenant, join(folder, name))).toMatchObject({ code: 0, err: '' })
    const rows = await tenant.within((db) => db.select().from(products).orderBy(products.code))
    expect(rows.map(({ title }) => title)).toEqual(['한글', 'a;b c', 'Über', '=1+1', '@SUM(A1)', '-5'])
    const [, text] = await textsOf(await exportFrom(tenant))
    expect(text).toContain("W4,'=1+1,")
    expect(text).toContain("W5,'@SUM(A1),")
    expect(text).toContain('W6,-5,')
    for (const cell of text!.split(/[,\r\n]+/)) expect(cell).not.toMatch(/^[=+@]/)
  },
  timeout,
)

test(
  'an import of an unreadable file is refused with an explanation',
  async () => {
    const tenant = await createStoreInWon()
    const secret = join(
      await folderOf({ 'secret.jpg': await readFile(join(example, 'media/harbour.jpg')) }),
      'secret.jpg',
    )
    const folder = await folderOf({
      'quotes.csv': 'code,title,kind\nA,Fine,VOD\nB,the "best" film,VOD\nC,Fine,VOD\n',
      'open.csv': 'code,title,kind\nA,"never closed,VOD\nB,b,VOD\n',
      'columns.csv': 'code,kind\nNEW,VOD\nNEW2,VOD\n',
      'keyless.csv': 'title,kind\nx,VOD\n',
      'shift.csv': 'code,title,kind\nA,one, two,VOD\nB,VOD\n',
      'huge.csv': csv([
        [...headings, 'description'],
        ['A', 'a', 'VOD', 'x'.repeat(1_048_576)],
      ]),
      'workbook.csv': Buffer.from('PK\u0003\u0004xxxx'),
      'nothing.csv': '',
      'link.csv': csv([
        [...headings, 'poster'],
        ['A', 'a', 'VOD', 'leak.jpg'],
        ['B', 'b', 'VOD', '/etc/passwd'],
        ['C', 'c', 'VOD', 'http://x.example/y.jpg'],
      ]),
      'broken.json': '{"products": [}',
      'strange.json': '{"product": []}',
      'odd.json': '{"products": [1, {"code": "A", "title": "a", "kind": {"x": 1}}]}',
    })
    await symlink(secret, join(folder, 'leak.jpg'))
    const expectedErrors: [string, RegExp][] = [
      ['quotes.csv', /quotes\.csv, row 3: must be in quotation marks.+The rest of the file was not read/],
      ['open.csv', /open\.csv, row 2: has an opening quotation mark/],
      ['columns.csv', /columns\.csv, row 2, title: “” is required for a new row, but the table has no such column/],
      ['keyless.csv', /keyless\.csv, row 1, code: is required: it identifies the rows/],
      ['shift.csv', /row 2: “VOD” must have 3 cells.+\n.+row 3: must have 3 cells like the header row, but has 2/],
      ['huge.csv', /row 2, description: “x{60}…” must have at most 200000 characters, but has 1048576/],
      ['workbook.csv', /is an Excel workbook. Save it as “CSV UTF-8/],
      ['nothing.csv', /nothing\.csv is empty. Its first row must name its columns: code, title/],
      ['link.csv', /row 2, poster.+path below.+\n.+row 3, poster.+path below.+\n.+row 4, poster.+not a URL/],
      ['broken.json', /broken\.json is not valid JSON/],
      ['strange.json', /there is no table product\. The tables are/],
      ['odd.json', /odd\.json products, row 1: “1” must be an object.+\n.+row 2, kind: .+ must be PAY, FREE, VOD/],
    ]
    for (const [name, sentence] of expectedErrors) {
      const more = name.endsWith('.csv') ? ['--table', 'products'] : []
      const { code, err } = await importInto(tenant, join(folder, name), ...more)
      expect(err).toMatch(sentence)
      expect(code).toBe(1)
    }
    expect(await tenant.within((db) => db.select().from(products))).toEqual([])
  },
  timeout,
)

test('an import lists the pictures beside its tables that no cell names', async () => {
  const tenant = await createStoreInWon()
  const picture = await readFile(join(example, 'media/harbour.jpg'))
  const folder = await folderOf({
    'products.csv': csv([
      [...headings, 'poster'],
      ['A', 'a', 'VOD', 'media/a.jpg'],
    ]),
    'media/a.jpg': picture,
    'media/spare.jpg': picture,
    'media/notes.txt': 'x',
    'elsewhere/c.jpg': picture,
  })
  const dry = await importInto(tenant, folder, '--dry-run')
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringContaining('No table names this picture: media/spare.jpg.\n'),
  })
  await rm(join(folder, 'media/spare.jpg'))
  expect((await importInto(tenant, folder)).out).not.toContain('No table names')
})

test(
  'an import moves a category with its products, and with --remove removes missing rows',
  async () => {
    const tenant = await createStoreInWon()
    await importInto(tenant, example)
    const folder = await exportFrom(tenant)
    const read = (name: string) => readFile(join(folder, `${name}.csv`), 'utf8')
    const without = async (name: string, row: RegExp) =>
      writeFile(
        join(folder, `${name}.csv`),
        (await read(name))
          .split('\r\n')
          .filter((line) => !row.test(line))
          .join('\r\n'),
      )
    await without('products', /^G100/)
    await without('attachments', /^G100/)
    await without('options', /Rent for two days/)
    await without('faq', /^Watching/)
    await writeFile(
      join(folder, 'categories.csv'),
      (await read('categories')).replace(/Films > Drama/, 'Courses > Drama'),
    )
    await writeFile(join(folder, 'products.csv'), (await read('products')).replace(/Films > Drama/, 'Courses > Drama'))
    const withoutRemove = await importInto(tenant, folder)
    expect(withoutRemove).toMatchObject({ code: 0, err: '' })
    expect(withoutRemove.out).toMatch(/faq\.csv\s+0\s+0\s+1\s+0\s+1/)
    expect((await tenant.guest.catalog.product({ id: 'F100' })).categoryPath.map(({ name }) => name)).toEqual([
      'Courses',
      'Drama',
    ])
    // F100 has no video yet, so it has a page and is not listed.
    expect((await tenant.guest.catalog.search({})).total).toBe(2)

    const withRemove = await importInto(tenant, folder, '--remove')
    expect(withRemove.out).toMatch(/products\.csv\s+0\s+0\s+2\s+1\s+0/)
    expect(withRemove.out).toMatch(/options\.csv\s+0\s+0\s+2\s+1\s+0/)
    expect(withRemove.out).toMatch(/faq\.csv\s+0\s+0\s+1\s+1\s+0/)
    expect((await tenant.guest.catalog.search({})).total).toBe(1)
    expect((await tenant.guest.content.faq({})).items).toHaveLength(1)
    const options = await tenant.within((db) => db.select().from(productOptions))
    expect(options.map(({ name }) => name)).not.toContain('Rent for two days')
    expect(options.map(({ priceAmount }) => priceAmount)).toContain(9000)
  },
  timeout,
)

test(
  'an import queues each video file once for encoding',
  async () => {
    const tenant = await createStoreInWon()
    const folder = await folderOf({
      'products.csv': csv([
        ['code', 'title', 'kind', 'video'],
        ['V1', 'One', 'VOD', 'films/one.mp4'],
      ]),
      'lessons.csv': csv([
        ['product', 'sort', 'title', 'video'],
        ['V1', '1', 'Lesson', 'films\\두번째.mp4'],
      ]),
      'films/one.mp4': 'not looked into here',
      'films/두번째.mp4': 'neither is this',
    })
    const first = await importInto(tenant, folder)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('Videos being encoded: 2.')
    const again = await importInto(tenant, folder)
    expect(again.out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)
    expect(again.out).toMatch(/lessons\.csv\s+0\s+0\s+1\s+0/)
    const jobs = await tenant.within((db) => db.select().from(videoJobs))
    expect(jobs.map(({ sourceName, lessonId }) => [sourceName, lessonId !== null]).sort()).toEqual([
      ['one.mp4', false],
      ['두번째.mp4', true],
    ])
    expect(await tenant.within((db) => db.select().from(lessons))).toMatchObject([{ videoId: null }])
    // A lesson without a video is not listed.
    expect((await tenant.guest.catalog.product({ id: 'V1' })).lessons).toEqual([])
  },
  timeout,
)

test(
  'an import saves thousands of products, and repeating it changes nothing',
  async () => {
    const tenant = await createStoreInWon()
    const count = 2000
    const codes = Array.from({ length: count }, (_, at) => `N${String(at).padStart(5, '0')}`)
    const folder = await folderOf({
      'products.csv': csv([headings, ...codes.map((code) => [code, `Film ${code} ${randomUUID()}`, 'VOD'])]),
      'options.csv': csv([
        ['product', 'name', 'type', 'price'],
        ...codes.map((code, at) => [code, 'Own it', 'OWN', String(1000 + at)]),
      ]),
    })
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+2000\s+0\s+0\s+0/)
    expect(await tenant.within((db) => db.$count(productOptions))).toBe(count)
    const prices = await tenant.within((db) => db.select({ price: productOptions.priceAmount }).from(productOptions))
    expect(Math.max(...prices.map(({ price }) => price))).toBe(999 + count)
    expect((await importInto(tenant, folder)).out).toMatch(/options\.csv\s+0\s+0\s+2000\s+0/)
  },
  timeout,
)
