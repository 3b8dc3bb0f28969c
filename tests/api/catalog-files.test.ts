import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
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
const patience = 180_000
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

const wonStore = () => {
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
  'what was exported changes nothing when it comes back, and one changed cell changes one row',
  async () => {
    const tenant = await wonStore()
    expect(await importInto(tenant, example)).toMatchObject({ code: 0, err: '' })
    const folder = await exportFrom(tenant)
    const before = await textsOf(folder)
    expect(before[1]).toMatch(/^\ufeffcode,title,kind,/)
    const version = await versionOf(tenant)
    const back = await importInto(tenant, folder, '--remove')
    expect(back).toMatchObject({ code: 0, err: '' })
    for (const [table, count] of [
      ['products', 3],
      ['options', 3],
      ['categories', 3],
      ['notices', 1],
      ['banners', 1],
    ])
      expect(back.out).toMatch(new RegExp(`${table}\\.csv\\s+0\\s+0\\s+${count}\\s+0\\s+0`))
    expect(await versionOf(tenant)).toBe(version)
    expect(await textsOf(await exportFrom(tenant))).toEqual(before)

    await writeFile(join(folder, 'products.csv'), before[1]!.replace('Drawing with one line', '한 줄 드로잉'))
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+0\s+1\s+2\s+0/)
    expect((await tenant.guest.catalog.product({ id: 'K100' })).title).toBe('한 줄 드로잉')
    expect((await tenant.guest.catalog.search({ q: '드로잉' })).total).toBe(1)

    // As JSON the same, and in another store the same rows, its pictures and files along with it.
    const file = join(folder, 'all.json')
    expect((await run(['catalog', 'export', file, '-c', tenant.code])).code).toBe(0)
    expect((await importInto(tenant, file)).out).toMatch(/all\.json products\s+0\s+0\s+3\s+0/)
    const copy = await wonStore()
    const whole = await exportFrom(tenant, '--media', '--separator', ';')
    expect(await importInto(copy, whole)).toMatchObject({ code: 0, err: '' })
    const rows = async (of: Tenant) =>
      (await textsOf(await exportFrom(of))).map((text) => text.replace(/store:[^,|\r]+/g, 'store:…'))
    expect(await rows(copy)).toEqual(await rows(tenant))
    expect((await importInto(copy, whole)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    // A picture that came back byte by byte is the one that is there.
    expect((await importInto(tenant, whole)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
  },
  patience,
)

test('files of release 0.1.0 with the former names of columns change nothing', async () => {
  const tenant = await wonStore()
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
  'a dry run lists all that is wrong by row and column, and nothing of a wrong file is kept',
  async () => {
    const tenant = await wonStore()
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
        'products.csv, row 4, code: “K 200” must be letters A to Z, digits and hyphens, 64 at most, for example K100.',
        'products.csv, row 4, kind: “VDO” must be PAY, FREE, VOD. Did you mean VOD?',
        'products.csv, row 5, title: “” must not be empty',
        'products.csv, row 5, poster: “../../etc/passwd” must be a path below the folder of its table',
        'products.csv, row 5, sale_to: “31/12/2026” must be a day or a time of Asia/Seoul, for example 2026-11-21',
        'must be 300 characters long at most, and has 301.',
        'products.csv, row 6, poster: “media/not.jpg” must be a whole picture',
        'products.csv, row 6, sale_to: “2026-02-30” must be a day',
        'options.csv, row 2, days: “” must say how many days a rental lasts',
        'options.csv, row 3, price: “15.50” must be whole: KRW has no decimals, for example 12000.',
        'options.csv, row 4, price: “₩100” must be an amount of KRW without its sign',
        'options.csv, row 5, list_price: “50” must not be lower than price',
        'banners.csv, row 2, type: “BANER” must be HEADER_BANNER',
        'Did you mean BANNER?',
        'banners.csv, row 3, link: “product:NONE” must lead to a product of the store: there is no NONE.',
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
    const kept: string[] = []
    for await (const { key } of api.deps.storage.list()) if (key.includes(tenant.id)) kept.push(key)
    expect(kept.filter((key) => !key.includes('/plain-'))).toEqual([])
  },
  patience,
)

test(
  'files of every spreadsheet are read: CP949, UTF-16, semicolons, tabs, and cells that look like formulas',
  async () => {
    const tenant = await wonStore()
    const encode = (hex: string) => Buffer.from(hex, 'hex')
    // 한글 as Korean Windows writes it.
    const korean = Buffer.concat([
      Buffer.from('code;title;kind\r\nW1;'),
      encode('c7d1b1db'),
      Buffer.from(';VOD\r\n\r\nW2;"a;b\r\nc";vod\r\n'),
    ])
    const wide = Buffer.concat([encode('fffe'), Buffer.from('Code\tTitle\tKind\nW3\tÜber\tVOD\n', 'utf16le')])
    const folder = await folderOf({
      'products.csv': korean,
      'products-2.csv': wide,
      'products-3.csv': `sep=;\n${csv([headings, ['W4', "'=1+1", 'VOD']], { separator: ';', end: '\n' })}`,
      'products-4.csv': `\ufeff${csv([headings, ['W5', '@SUM(A1)', 'VOD'], ['W6', '-5', 'VOD']])}`,
    })
    const first = await importInto(tenant, join(folder, 'products.csv'))
    // A title is one line; the row is still the third for a spreadsheet that counts the empty one.
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
  patience,
)

test(
  'what is no table is refused in a sentence',
  async () => {
    const tenant = await wonStore()
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
    const says: [string, RegExp][] = [
      ['quotes.csv', /quotes\.csv, row 3: must double quotation marks inside a cell.+Nothing after it could be read/],
      ['open.csv', /open\.csv, row 2: must close the quotation mark/],
      [
        'columns.csv',
        /columns\.csv, row 2, title: “” must be there: the table has no such column, and this is a new row/,
      ],
      ['keyless.csv', /keyless\.csv, row 1, code: is required: it identifies the rows/],
      ['shift.csv', /row 2: “VOD” must have 3 cells.+\n.+row 3: must have 3 cells, as the heading has, and has 2/],
      ['huge.csv', /row 2, description: “x{60}…” must be 200000 characters long at most, and has 1048576/],
      ['workbook.csv', /is an Excel workbook. Save it as “CSV UTF-8/],
      ['nothing.csv', /nothing\.csv is empty. Its first row must name its columns: code, title/],
      ['link.csv', /row 2, poster.+path below.+\n.+row 3, poster.+path below.+\n.+row 4, poster.+and not an address/],
      ['broken.json', /broken\.json is not valid JSON/],
      ['strange.json', /there is no table product\. Tables are/],
      ['odd.json', /odd\.json products, row 1: “1” must be an object.+\n.+row 2, kind: .+ must be PAY, FREE, VOD/],
    ]
    for (const [name, sentence] of says) {
      const more = name.endsWith('.csv') ? ['--table', 'products'] : []
      const { code, err } = await importInto(tenant, join(folder, name), ...more)
      expect(err).toMatch(sentence)
      expect(code).toBe(1)
    }
    expect(await tenant.within((db) => db.select().from(products))).toEqual([])
  },
  patience,
)

test(
  'rows that are gone are taken out when it is asked for: products end, what was used stays, categories move with what is in them',
  async () => {
    const tenant = await wonStore()
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
    const kept = await importInto(tenant, folder)
    expect(kept).toMatchObject({ code: 0, err: '' })
    expect(kept.out).toMatch(/faq\.csv\s+0\s+0\s+1\s+0\s+1/)
    expect((await tenant.guest.catalog.product({ id: 'F100' })).categoryPath.map(({ name }) => name)).toEqual([
      'Courses',
      'Drama',
    ])
    // F100 has no video yet: it is in the store and not in its lists.
    expect((await tenant.guest.catalog.search({})).total).toBe(2)

    const gone = await importInto(tenant, folder, '--remove')
    expect(gone.out).toMatch(/products\.csv\s+0\s+0\s+2\s+1\s+0/)
    expect(gone.out).toMatch(/options\.csv\s+0\s+0\s+2\s+1\s+0/)
    expect(gone.out).toMatch(/faq\.csv\s+0\s+0\s+1\s+1\s+0/)
    expect((await tenant.guest.catalog.search({})).total).toBe(1)
    expect((await tenant.guest.content.faq({})).items).toHaveLength(1)
    const options = await tenant.within((db) => db.select().from(productOptions))
    expect(options.map(({ name }) => name)).not.toContain('Rent for two days')
    expect(options.map(({ priceAmount }) => priceAmount)).toContain(9000)
  },
  patience,
)

test(
  'videos by path are handed in once the rows are there, and once only',
  async () => {
    const tenant = await wonStore()
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
    // A lesson nobody can watch yet is shown to nobody.
    expect((await tenant.guest.catalog.product({ id: 'V1' })).lessons).toEqual([])
  },
  patience,
)

test(
  'thousands of products come in with few statements, and twice is the same',
  async () => {
    const tenant = await wonStore()
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
  patience,
)
