import { readdir } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { uploadFolder } from '#api/modules/media/uploads.ts'
import type { StoreImported } from '#contract/admin/imports.ts'
import { type CatalogImportId, uploadId } from '#contract/ids.ts'
import { addLesson, createFilm, smallPicture } from '#tests/support/media.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { openUploads } from '#tests/support/uploads.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const [tide, harbour] = await tenant.createProducts([
    { title: 'A quiet tide', price: 3000 },
    { title: 'Harbour lights', price: 1000 },
  ])
  const { client } = await tenant.createStaff('MANAGER')
  const { imports } = client.admin
  const exported = async () => (await imports.exportTable({ table: 'products' })).text()
  const send = (text: string | Uint8Array<ArrayBuffer>, more: { dryRun?: boolean; removes?: boolean } = {}) =>
    imports.create({ table: 'products', file: new File([text], 'products.csv', { type: 'text/csv' }), ...more })
  return { tenant, tide: tide!, harbour: harbour!, client, imports, exported, send }
}

describe('an import in the console', () => {
  test('of the table that was exported changes nothing', async () => {
    const { exported, send, imports } = await arrange()
    const text = await exported()
    expect(text.startsWith('code,')).toBe(true)
    const bytes = new Uint8Array(await (await imports.exportTable({ table: 'products' })).arrayBuffer())
    // The mark of UTF-8 for spreadsheets.
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(await send(text)).toMatchObject({
      id: null,
      problemCount: 0,
      counts: { added: 0, changed: 0, unchanged: 2, removed: 0, notInFile: 0 },
    })
    expect((await imports.list()).items).toEqual([])
  })

  test('keeps the lines of a text, whatever else is in it', async () => {
    const { tenant, imports } = await arrange()
    const texts = ['<p>海</p>\n<p>舟</p>', 'a\rb', 'a\r\nb', '"', "'=1+1", '=1+1', ' spaces ']
    await tenant.createProducts(texts.map((summary) => ({ summary })))
    const file = new File([await (await imports.exportTable({ table: 'products' })).arrayBuffer()], 'products.csv')
    expect(await imports.create({ table: 'products', file })).toMatchObject({
      problems: [],
      counts: { changed: 0, unchanged: texts.length + 2 },
    })
  })

  test('says first what it would change, then changes it, and is undone', async () => {
    const { exported, send, imports, client, tide, harbour } = await arrange()
    const before = await exported()
    const text = before.replace('A quiet tide', 'A loud tide')
    const dry = await send(text, { dryRun: true })
    expect(dry).toMatchObject({
      id: null,
      counts: { changed: 1, unchanged: 1 },
      changes: [{ key: expect.stringContaining(tide.code), column: 'title', from: 'A quiet tide', to: 'A loud tide' }],
      changeCount: 1,
    })
    expect(await exported()).toBe(before)

    const { id } = await send(text)
    expect((await client.admin.products.get({ code: tide.code })).title).toBe('A loud tide')
    expect((await imports.list()).items).toMatchObject([
      { id, table: 'products', file: 'products.csv', counts: { changed: 1 }, undoneAt: null, canUndo: true },
    ])

    await imports.undo({ id: id! })
    expect(await exported()).toBe(before)
    expect((await client.admin.products.get({ code: harbour.code })).title).toBe('Harbour lights')
    const [listed] = (await imports.list()).items
    expect(listed).toMatchObject({ undoneAt: expect.any(String), canUndo: false })
    const { items } = await client.admin.audit({ subject: 'catalog' })
    expect(items.map(({ action }) => action)).toEqual(['catalog.import-undone', 'catalog.imported', 'catalog.imported'])
    expect(await failureOf(imports.undo({ id: id! }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('is not undone once something else has changed the table', async () => {
    const { exported, send, imports, client, tide } = await arrange()
    const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
    await send((await exported()).replace('Harbour lights', 'Harbour nights'))
    expect(await failureOf(imports.undo({ id: id! }))).toMatchObject({
      status: 409,
      problem: { errors: { id: [expect.any(String)] } },
    })
    expect((await client.admin.products.get({ code: tide.code })).title).toBe('A loud tide')
    // The latest one can be, and then the one before.
    const [latest] = (await imports.list()).items
    await imports.undo({ id: latest!.id })
    await imports.undo({ id: id! })
    expect((await client.admin.products.get({ code: tide.code })).title).toBe('A quiet tide')
  })

  test('that has a problem names its row and column, and imports nothing', async () => {
    const { exported, send } = await arrange()
    const before = await exported()
    const [heading = '', first = '', ...others] = before.split('\r\n')
    const columns = heading.split(',')
    const cells = first.split(',')
    cells[columns.indexOf('status')] = 'SOMETIMES'
    const wrong = await send(
      [heading, cells.join(','), ...others].join('\r\n').replace('Harbour lights', 'Harbour nights'),
    )
    expect(wrong).toMatchObject({ id: null, problemCount: 1 })
    expect(wrong.problems[0]).toMatchObject({ row: 2, column: 'status', value: 'SOMETIMES' })
    expect(await exported()).toBe(before)

    const messages = async (file: string | Uint8Array<ArrayBuffer>) =>
      (await send(file)).problems.map(({ message }) => message).join(' ')
    expect(await messages('nonsense')).toMatch(/code/)
    expect(await messages('code,code\r\nx,y')).toMatch(/occurs twice/)
    expect(await messages(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))).toMatch(/products\.csv is an Excel workbook/)
    expect(await messages(before.replace(/(?<=,)store:[^,]*/, 'media/poster.jpg'))).toMatch(/store:/)
    expect(await exported()).toBe(before)
  })

  test('brings scheduled prices, and leaves them where a file has none', async () => {
    const { tenant, tide, client, imports, harbour } = await arrange()
    const stored = await client.admin.products.get({ code: tide.code })
    const [option] = stored.options
    const priceChanges = [
      { at: '2031-12-01T00:00:00.000Z', price: 2500, listPrice: 3000 },
      { at: '2032-01-01T00:00:00.000Z', price: 2800, listPrice: null },
    ]
    const staff = await tenant.createStaff('MANAGER')
    await staff.withVersion(stored.version).admin.products.change({
      code: tide.code,
      options: stored.options.map(({ id, name, type, days, onSale, price }) => ({
        id,
        name,
        type,
        days,
        onSale,
        price: price.amount,
        priceChanges,
      })),
    })
    const scheduled = async (code = tide.code) =>
      (await client.admin.products.get({ code })).options.map((each) =>
        each.priceChanges.map(({ at, price, listPrice }) => ({
          at,
          price: price.amount,
          listPrice: listPrice?.amount ?? null,
        })),
      )
    expect(await scheduled()).toEqual([priceChanges])
    const exported = async () => (await imports.exportTable({ table: 'options' })).text()
    const send = (text: string) => imports.create({ table: 'options', file: new File([text], 'options.csv') })
    const text = await exported()
    expect(text.split('\r\n')[0]).toContain(',price_changes,')
    expect(await send(text)).toMatchObject({ problems: [], counts: { changed: 0, unchanged: 2 } })

    // Of another product: as an empty store reads it.
    const [heading = '', ...rows] = text.split('\r\n')
    const row = rows.find((each) => each.startsWith(tide.code))!.split(',')
    const copy = [harbour.code, 'Copy', ...row.slice(2, -1), ''].join(',')
    expect(await send([heading, copy].join('\r\n'))).toMatchObject({ problems: [], counts: { added: 1 } })
    expect(await scheduled(harbour.code)).toContainEqual(priceChanges)

    const without = `product,name,type,price\r\n${tide.code},${option!.name},OWN,3100`
    expect(await send(without)).toMatchObject({ problems: [], counts: { changed: 1 } })
    expect(await scheduled()).toEqual([priceChanges])

    const wrong = async (cell: string) =>
      (
        await send(`product,name,type,price,price_changes\r\n${tide.code},${option!.name},OWN,3100,${cell}`)
      ).problems.map(({ column, message }) => `${column} ${message}`)
    expect(await wrong('soon')).toEqual(['price_changes must be times with prices, for example 2026-12-01 09:00=9'])
    expect(await wrong('2031-12-01=9/8')).toEqual([expect.stringContaining('must not be lower than price')])
    expect(await wrong('2031-12-01=9|2031-12-01=8')).toEqual([expect.stringContaining('different time')])
    expect(await wrong('2031-12-32=9')).toEqual([expect.stringContaining('must be a day or a time')])
    expect(await wrong('')).toEqual([])
    expect(await scheduled()).toEqual([[]])
  })

  test('refuses scheduled prices whose time has passed, unless they are still due', async () => {
    const { tenant, tide, client, imports } = await arrange()
    const send = (text: string) => imports.create({ table: 'options', file: new File([text], 'options.csv') })
    const exported = async () => (await imports.exportTable({ table: 'options' })).text()
    const name = (await client.admin.products.get({ code: tide.code })).options[0]!.name
    const schedule = (cell: string) =>
      send(`product,name,type,price,price_changes\r\n${tide.code},${name},OWN,3000,${cell}`)
    await schedule('2031-12-01 09:00=7/15|2032-01-01=15')
    const old = await exported()

    // Due, and not yet applied: the export of this moment is imported as it is.
    const passed = [{ at: '2026-01-01T00:00:00.000Z', priceAmount: 700, listPriceAmount: null }]
    await tenant.within((db) =>
      db.update(productOptions).set({ priceChanges: passed }).where(eq(productOptions.productId, tide.id)),
    )
    const due = await exported()
    expect(await send(due)).toMatchObject({ problems: [] })
    expect(await send(old)).toMatchObject({ problems: [], counts: { changed: 1 } })

    // No option has it any more: it would be applied a minute later.
    const again = await send(due.replace(',30.00,', ',20.00,'))
    expect(again).toMatchObject({ id: null, problemCount: 1 })
    expect(again.problems[0]).toMatchObject({
      column: 'price_changes',
      message: expect.stringMatching(
        /must have times in the future. Remove what has passed: 202[56]-\d\d-\d\d \d\d:00$/,
      ),
    })
    expect(await exported()).toBe(old)
  })

  test('names problems in the language of the caller', async () => {
    const { tenant, exported } = await arrange()
    const staff = await tenant.createStaff('MANAGER')
    const { imports } = api.client(tenant.code, {
      headers: { authorization: `Bearer ${staff.token}`, 'accept-language': 'ko' },
    }).admin
    const [heading = '', first = ''] = (await exported()).split('\r\n')
    const messagesOf = async (text: string) =>
      (await imports.create({ table: 'products', file: new File([text], 'products.csv') })).problems.map(
        ({ message }) => message,
      )
    const columns = heading.split(',')
    const cells = first.split(',')
    cells[columns.indexOf('status')] = 'ON_SALES'
    cells[columns.indexOf('sort')] = 'first'
    expect(await messagesOf([heading, cells.join(',')].join('\r\n'))).toEqual([
      expect.stringMatching(/^다음 중 하나여야 해요: .*ON_SALE.* 혹시 ON_SALE 아닌가요\?$/),
      expect.stringContaining('사이의 정수여야 해요'),
    ])
    expect(await messagesOf('code,titel\r\nx,y')).toContainEqual(expect.stringContaining('products 표에 없는 열이에요'))
    expect(await messagesOf('code,code\r\nx,y')).toEqual(['products.csv, 1행: code 열이 두 번 있어요.'])
  })

  test('that adds and removes is undone: what was added ends, what was removed returns', async () => {
    const { exported, send, imports, client, tide, harbour } = await arrange()
    const [heading = '', ...rows] = (await exported()).trimEnd().split('\r\n')
    const others = rows.filter((row) => !row.includes(harbour.code))
    const added = others[0]!.replace(tide.code, 'brand-new').replace('A quiet tide', 'Brand new')
    const answer = await send([heading, ...others, added].join('\r\n'), { removes: true })
    expect(answer.counts).toMatchObject({ added: 1, removed: 1, unchanged: 1 })
    const stateOf = async (code: string) => (await client.admin.products.get({ code: code as typeof tide.code })).state
    expect(await stateOf(harbour.code)).toBe('ENDED')
    await imports.undo({ id: answer.id! })
    expect(await stateOf(harbour.code)).toBe('ON_SALE')
    expect(await stateOf('brand-new')).toBe('ENDED')
  })

  test('of lessons keeps their videos, and is undone with them', async () => {
    const { tenant, imports } = await arrange()
    const course = await createFilm(tenant)
    const lesson = await addLesson(tenant, course.id, 0, false)
    const before = await (await imports.exportTable({ table: 'lessons' })).text()
    const file = new File([before.replace('Lesson 0', 'The first lesson')], 'lessons.csv')
    const answer: StoreImported = await imports.create({ table: 'lessons', file })
    expect(answer).toMatchObject({ problemCount: 0, counts: { changed: 1 } })
    await imports.undo({ id: answer.id! })
    expect(await (await imports.exportTable({ table: 'lessons' })).text()).toBe(before)
    expect(before).toContain(lesson.video.asset)
  })

  test('two that are undone at once are undone once', async () => {
    const { exported, send, imports } = await arrange()
    const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
    const undone = await Promise.allSettled([imports.undo({ id: id! }), imports.undo({ id: id! })])
    expect(undone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('is for who may change the table', async () => {
    const { tenant, send, exported } = await arrange()
    const analyst = await tenant.createStaff('ANALYST')
    const file = new File([await exported()], 'products.csv')
    expect(await failureOf(analyst.client.admin.imports.create({ table: 'products', file }))).toMatchObject({
      status: 403,
    })
    const other = (await tenant.createStaff('CATALOG')).client.admin.imports
    expect(
      (await other.create({ table: 'faq', file: new File(['question,answer\r\n'], 'faq.csv') })).counts.added,
    ).toBe(0)
    const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
    const foreign = await arrange()
    expect(await failureOf(foreign.imports.undo({ id: id as CatalogImportId }))).toMatchObject({ status: 404 })
  })
})

describe('the pictures and files of a table', () => {
  const arrangeFiles = async () => {
    const tenant = await createTenant(api)
    const { client, token } = await tenant.createStaff('MANAGER')
    const uploads = await openUploads(api)
    const upload = async (name: string, content: Buffer, to: Tenant = tenant, by = token) => {
      const { id } = await uploads.send(to, content, { token: by, metadata: { filename: name } })
      return { name, upload: uploadId.parse(id) }
    }
    const picture = async (name: string, width?: number) =>
      upload(name, Buffer.from(await (await smallPicture(width)).arrayBuffer()))
    const text = (poster: string, gallery = '') =>
      `code,title,kind,access,status,poster,gallery\r\nquay,Quay,VOD,MEMBER,DRAFT,${poster},${gallery}\r\n`
    const send = (table: string, files: Awaited<ReturnType<typeof upload>>[], dryRun = false) =>
      client.admin.imports.create({ table: 'products', file: new File([table], 'products.csv'), files, dryRun })
    return { tenant, client, upload, picture, text, send }
  }

  test('are checked and imported with it, by their names', async () => {
    const { tenant, client, picture, text, send } = await arrangeFiles()
    const files = [
      await picture('포스터.png'.normalize('NFD'), 800),
      await picture('still.png', 640),
      await picture('spare.png'),
    ]
    const table = text('media/포스터.png', 'still.png')
    const dry = await send(table, files, true)
    expect(dry).toMatchObject({ id: null, problemCount: 0, counts: { added: 1 }, unusedFiles: ['spare.png'] })
    expect((await failureOf(client.admin.products.get({ code: 'quay' as never }))).code).toBe('NOT_FOUND')
    const done = await send(table, files)
    expect(done).toMatchObject({ problemCount: 0, counts: { added: 1 }, unusedFiles: ['spare.png'] })
    expect(await readdir(uploadFolder(api.deps.dataFolder, tenant.id))).toEqual([])
    const { poster } = await client.admin.products.get({ code: 'quay' as never })
    expect(poster).toMatch(/^\/media\/posters\//)
    const exported = await (await client.admin.imports.exportTable({ table: 'products' })).text()
    expect(exported).toMatch(/,store:posters\/[^,]+,,,store:posters\//)
    // The table that was exported needs no files.
    expect(await send(exported, [])).toMatchObject({ problemCount: 0, counts: { unchanged: 1 } })
  })

  test('are named where they are missing, no pictures, too large or of another store', async () => {
    const { tenant, client, upload, picture, text, send } = await arrangeFiles()
    const problemOf = async (poster: string, files: Awaited<ReturnType<typeof upload>>[]) => {
      const { problems, unusedFiles } = await send(text(poster), files, true)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({ row: 2, column: 'poster', value: poster })
      return [problems[0]!.message, unusedFiles]
    }
    const [poster, words] = [await picture('poster.png'), await upload('words.png', Buffer.from('no picture'))]
    expect(await problemOf('missing.png', [poster])).toEqual([
      expect.stringMatching(/chosen with the table/),
      ['poster.png'],
    ])
    expect(await problemOf('../../etc/passwd', [poster])).toEqual([expect.stringMatching(/chosen/), ['poster.png']])
    expect(await problemOf('words.png', [words])).toEqual([expect.stringMatching(/picture/), []])
    const large = await upload('large.png', Buffer.alloc(50_000_001))
    expect(await problemOf('large.png', [large])).toEqual(['must be a file of at most 50 MB', []])
    const other = await createTenant(api)
    const staff = await other.createStaff('MANAGER')
    const theirs = await upload('poster.png', Buffer.from('x'), other, staff.token)
    expect(await problemOf('poster.png', [theirs])).toEqual([expect.stringMatching(/upload is complete/), []])
    // Nothing of what was refused is stored.
    expect((await client.admin.products.list({})).items).toEqual([])
    const stored: string[] = []
    for await (const { key } of api.deps.storage.list(`posters/${tenant.id}` as never)) stored.push(key)
    expect(stored).toEqual([])
  })
})
