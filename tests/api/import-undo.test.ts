import { and, eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { attachments, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { captionPassages } from '#api/modules/catalog/search.schema.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { catalogImports } from '#api/modules/import-export/import-export.schema.ts'
import { withDeadline, withImportSlot } from '#api/modules/import-export/report.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import { mediaKey } from '#api/platform/storage/storage.ts'
import type { ImportTable } from '#contract/admin/imports.ts'
import type { BannerId, CatalogImportId, CustomerId, VideoId } from '#contract/ids.ts'
import { addLesson, createFilm, smallPicture } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const [tide, harbour] = await tenant.createProducts([
    { title: 'A quiet tide', price: 3000 },
    { title: 'Harbour lights', price: 1000 },
  ])
  const { client } = await tenant.createStaff('MANAGER')
  const { imports } = client.admin
  const exported = async (table: ImportTable = 'products') => (await imports.exportTable({ table })).text()
  const send = (text: string, { table = 'products' as ImportTable, ...more } = {} as SendOptions) =>
    imports.create({ table, file: new File([text], `${table}.csv`, { type: 'text/csv' }), ...more })
  const titleOf = async ({ code }: TestProduct) => (await client.admin.products.get({ code })).title
  return { tenant, tide: tide!, harbour: harbour!, client, imports, exported, send, titleOf }
}

interface SendOptions {
  table?: ImportTable
  id?: CatalogImportId
  dryRun?: boolean
  removes?: boolean
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Begins an edit of a product, which is committed once `commit` is called. */
const beginEdit = async (tenant: Tenant, product: TestProduct, title: string) => {
  const edited = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  const done = tenant.within(async (db) => {
    await db.update(products).set({ title }).where(eq(products.id, product.id))
    edited.resolve()
    await allowed.promise
  })
  await edited.promise
  return {
    commit: async () => {
      allowed.resolve()
      await done
    },
  }
}

/** Waits until imports had the time to meet the edit. */
const settled = () => pause(400)

describe('an edit at the same time', () => {
  test('as undoing is kept, and the import is not undone', async () => {
    const { tenant, tide, harbour, imports, exported, send, titleOf } = await arrange()
    const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
    const edit = await beginEdit(tenant, harbour, 'Harbour nights')
    const undoing = failureOf(imports.undo({ id: id! }))
    await settled()
    await edit.commit()
    expect(await undoing).toMatchObject({ status: 409, problem: { message: expect.stringMatching(/changed since/) } })
    expect(await titleOf(harbour)).toBe('Harbour nights')
    expect(await titleOf(tide)).toBe('A loud tide')
  })

  test('as an import is not reverted with it', async () => {
    const { tenant, tide, harbour, imports, exported, send, titleOf } = await arrange()
    const edit = await beginEdit(tenant, harbour, 'Harbour nights')
    const [heading = '', ...rows] = (await exported()).split('\r\n')
    const row = rows.find((each) => each.includes('A quiet tide')) ?? ''
    const importing = send([heading, row.replace('A quiet tide', 'A loud tide')].join('\r\n'))
    await settled()
    await edit.commit()
    const { id } = await importing
    expect(await titleOf(tide)).toBe('A loud tide')
    await imports.undo({ id: id! })
    expect(await titleOf(tide)).toBe('A quiet tide')
    expect(await titleOf(harbour)).toBe('Harbour nights')
  })

  test('lets the import run again, which reports its changes once', async () => {
    const { tenant, tide, harbour, client, exported, send, titleOf } = await arrange()
    const text = (await exported()).replace('A quiet tide', 'A loud tide')
    const locked = Promise.withResolvers<void>()
    const edit = tenant.within(async (db) => {
      const row = and(eq(products.customerId, tenant.id), eq(products.id, tide.id))
      await db.select().from(products).where(row).for('update')
      locked.resolve()
      // The import now waits for this row, and is the first to find the deadlock.
      await settled()
      await db.update(products).set({ sort: 5 }).where(eq(products.id, harbour.id))
    })
    await locked.promise
    const report = await send(text)
    await edit
    expect(report.changes.filter(({ column }) => column === 'title')).toHaveLength(1)
    expect(await titleOf(tide)).toBe('A loud tide')
    const { items } = await client.admin.audit({ subject: 'catalog', action: 'catalog.imported' })
    expect(items).toHaveLength(1)
  })
})

describe('an import while another one runs', () => {
  test('is refused at once, and leaves the connections to requests', async () => {
    const { tenant, harbour, client, exported, send } = await arrange()
    const text = (await exported()).replace('A quiet tide', 'A loud tide')
    const edit = await beginEdit(tenant, harbour, 'Harbour lights')
    const first = send(text)
    await settled()
    const others = await Promise.all(
      Array.from({ length: 24 }, (_, at) => failureOf(send(text, { dryRun: at % 2 === 0 }))),
    )
    for (const other of others)
      expect(other).toMatchObject({
        status: 409,
        code: 'CONFLICT',
        problem: { message: 'Another import is running. Try again when it has ended.' },
      })
    expect((await client.admin.products.list({})).items).toHaveLength(2)
    await edit.commit()
    expect((await first).counts.changed).toBe(1)
    expect((await send(text)).counts.changed).toBe(0)
  })

  test('is not refused in another store', async () => {
    const [one, other] = [await arrange(), await arrange()]
    const edit = await beginEdit(one.tenant, one.harbour, 'Harbour lights')
    const first = one.send((await one.exported()).replace('A quiet tide', 'A loud tide'))
    await settled()
    expect((await other.send((await other.exported()).replace('A quiet', 'A loud'))).counts.changed).toBe(1)
    await edit.commit()
    await first
  })
})

/** Stores a picture and returns what describes it. */
const storePicture = async (name: string) => {
  const key = mediaKey(`posters/test/${name}-640.webp`)
  await api.deps.storage.put(key, Buffer.from(name))
  const url = `/media/${key}`
  return { url, width: 640, height: 360, alt: name, color: '#123456', sources: [{ url, width: 640 }] }
}

describe('an import', () => {
  test('is found by the id that its caller has chosen, and runs once with it', async () => {
    const { tide, harbour, exported, send, imports, tenant } = await arrange()
    const id = newId<CatalogImportId>()
    const text = (await exported()).replace('A quiet tide', 'A loud tide')
    expect(await send(text, { id, dryRun: true })).toMatchObject({ id: null, canUndo: true })
    expect(await send(text, { id })).toMatchObject({ id, canUndo: true })
    // A colleague changes one row of the same table as well.
    const { client: colleague } = await tenant.createStaff('MANAGER')
    const other = new File([(await exported()).replace('Harbour lights', 'Harbour nights')], 'products.csv')
    const theirs = await colleague.admin.imports.create({ table: 'products', file: other })
    expect((await imports.list()).items.map((each) => each.id).sort()).toEqual([id, theirs.id!].sort())
    expect(await failureOf(send(text, { id }))).toMatchObject({
      code: 'CONFLICT',
      problem: { message: 'This import has been received already. It is in the list.' },
    })
    const { client } = await tenant.createStaff('MANAGER')
    expect((await client.admin.products.get({ code: harbour.code })).title).toBe('Harbour nights')
    expect((await client.admin.products.get({ code: tide.code })).title).toBe('A loud tide')
  })

  test('waits while other stores use all places, and says so', async () => {
    const places = Math.max(1, Math.floor(api.deps.pool.options.max / 4))
    const last = await arrange()
    const text = await last.exported()
    const held = Promise.withResolvers<string>()
    const others = Array.from({ length: places }, () =>
      withImportSlot(api.deps.pool, { customer: { id: newId<CustomerId>() }, locale: 'en' }, () => held.promise),
    )
    const { token } = await last.tenant.createStaff('MANAGER')
    let retryAfter: string | null = null
    const client = api.client(last.tenant.code, {
      headers: { authorization: `Bearer ${token}` },
      fetch: async (request) => {
        const response = await api.fetch(request)
        retryAfter = response.headers.get('retry-after')
        return response
      },
    })
    const refused = client.admin.imports.create({ table: 'products', file: new File([text], 'products.csv') })
    expect(await failureOf(refused)).toMatchObject({
      status: 409,
      problem: { message: 'Other stores are importing. Try again in a minute.' },
    })
    expect(retryAfter).toBe('60')
    held.resolve('done')
    expect(await Promise.all(others)).toEqual(others.map(() => 'done'))
    expect(await last.send(text)).toMatchObject({ counts: { unchanged: 2 } })
  })

  test('ends when it has taken as long as it may', async () => {
    const rows = withDeadline(async function* () {
      yield 1
      vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER)
      yield 2
    })
    const read: number[] = []
    const reading = (async () => {
      for await (const row of rows()) read.push(row)
    })()
    await expect(reading).rejects.toThrow('too long')
    vi.restoreAllMocks()
    expect(read).toEqual([1])
  })
})

describe('undoing an import of', () => {
  test('removed files brings them back', async () => {
    const { tenant, tide, imports, exported, send } = await arrange()
    const key = mediaKey(`attachments/${tenant.id}.pdf`)
    await api.deps.storage.put(key, Buffer.from('pages'))
    await tenant.within((db) => db.update(attachments).set({ asset: key }).where(eq(attachments.productId, tide.id)))
    const before = await exported('attachments')
    const [heading = '', ...rows] = before.split('\r\n')
    const others = rows.filter((row) => !row.includes(key))
    const { id, counts } = await send([heading, ...others].join('\r\n'), { table: 'attachments', removes: true })
    expect(counts.removed).toBe(1)
    await imports.undo({ id: id! })
    expect(await exported('attachments')).toBe(before)
    const [file] = await tenant.within((db) => db.select().from(attachments).where(eq(attachments.asset, key)))
    expect(file).toMatchObject({ contentType: 'application/pdf', bytes: expect.any(Number) })
  })

  test('emptied pictures brings them back', async () => {
    const { tenant, tide, imports, exported, send } = await arrange()
    const [poster, still] = [await storePicture(`poster-${tenant.id}`), await storePicture(`still-${tenant.id}`)]
    await tenant.within((db) =>
      db
        .update(products)
        .set({ poster, gallery: [still] })
        .where(eq(products.id, tide.id)),
    )
    const before = await exported()
    const text = before.replaceAll(/store:posters\/test\/[^,]*/g, '')
    expect(text).not.toBe(before)
    const { id } = await send(text)
    await imports.undo({ id: id! })
    expect(await exported()).toBe(before)
    const [product] = await tenant.within((db) => db.select().from(products).where(eq(products.id, tide.id)))
    expect(product?.poster).toEqual(poster)
    expect(product?.gallery).toMatchObject([{ url: still.url, width: 640 }])
  })

  test('removed banners brings their pictures back', async () => {
    const { tenant, imports, exported, send } = await arrange()
    const picture = await storePicture(`banner-${tenant.id}`)
    const banner = { customerId: tenant.id, id: newId<BannerId>(), title: 'New', imageDesktop: picture }
    await tenant.within((db) => db.insert(banners).values({ ...banner, type: 'BANNER' }))
    const before = await exported('banners')
    const [heading = ''] = before.split('\r\n')
    const { id } = await send(heading, { table: 'banners', removes: true })
    await imports.undo({ id: id! })
    expect(await exported('banners')).toBe(before)
  })

  test('a picture that is no longer stored says so', async () => {
    const { tenant, tide, imports, exported, send } = await arrange()
    const poster = await storePicture(`lost-${tenant.id}`)
    await tenant.within((db) => db.update(products).set({ poster }).where(eq(products.id, tide.id)))
    const { id } = await send((await exported()).replaceAll(/store:posters\/test\/[^,]*/g, ''))
    await api.deps.storage.remove(mediaKey(poster.url.slice('/media/'.length)))
    const { problem } = await failureOf(imports.undo({ id: id! }))
    expect(problem.message).toMatch(/cannot be restored.*poster.*must be a file of this store/s)
    expect(problem.message).not.toMatch(/changed since/)
  })
})

const videoOf = async (tenant: Tenant, id: VideoId) => {
  const [video] = await tenant.within((db) => db.select().from(videos).where(eq(videos.id, id)))
  return video
}

const passagesOf = (tenant: Tenant, id: VideoId) =>
  tenant.within((db) => db.select().from(captionPassages).where(eq(captionPassages.videoId, id)))

const captions = 'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nThe lighthouse keeper\n'

describe('an import that changes videos', () => {
  test('retires a video that nothing shows any more, and undoing brings it back', async () => {
    const { tenant, client, imports, exported, send } = await arrange()
    const { video } = await createFilm(tenant, { title: 'The keeper' })
    await api.deps.storage.put(mediaKey(`${video.asset}/captions/ko.vtt`), Buffer.from(captions))
    const text = await exported()
    const { id } = await send(text.replace(`store:${video.asset}`, ''))
    expect(await videoOf(tenant, video.id)).toMatchObject({ retiredAt: expect.any(String), retiredFrom: null })
    expect((await client.admin.videos.list({})).items).toEqual([])
    await imports.undo({ id: id! })
    expect(await exported()).toBe(text)
    expect(await videoOf(tenant, video.id)).toMatchObject({ retiredAt: null, retiredFrom: null })
    expect((await client.admin.videos.list({})).items).toMatchObject([{ id: video.id }])
    expect(await passagesOf(tenant, video.id)).toHaveLength(1)
  })

  test('retires a replaced video from its place, and leaves one that moves', async () => {
    const { tenant, exported, send } = await arrange()
    const [one, other] = [await createFilm(tenant), await createFilm(tenant)]
    const text = (await exported())
      .replace(`store:${other.video.asset}`, '')
      .replace(`store:${one.video.asset}`, `store:${other.video.asset}`)
    await send(text)
    expect(await videoOf(tenant, one.video.id)).toMatchObject({
      retiredAt: expect.any(String),
      retiredFrom: one.id,
    })
    expect(await videoOf(tenant, other.video.id)).toMatchObject({ retiredAt: null })
  })

  test('retires the videos of removed lessons', async () => {
    const { tenant, exported, send } = await arrange()
    const course = await createFilm(tenant)
    const lesson = await addLesson(tenant, course.id, 0, false)
    const [heading = ''] = (await exported('lessons')).split('\r\n')
    expect((await send(heading, { table: 'lessons', removes: true })).counts.removed).toBe(1)
    expect((await videoOf(tenant, lesson.video.id))?.retiredAt).toEqual(expect.any(String))
  })

  test('needs the permission to change videos', async () => {
    const { tenant, exported } = await arrange()
    const { video } = await createFilm(tenant)
    const text = await exported()
    const { client } = await tenant.createOperator('prices', ['products:read', 'products:write'])
    const send = (content: string) => client.admin.imports.create({ table: 'products', file: fileOf(content) })
    expect(await send(text.replace(`store:${video.asset}`, ''))).toMatchObject({
      id: null,
      problems: [{ column: 'video', message: expect.stringContaining('videos:write') }],
    })
    const titled = await send(text.replace('A quiet tide', 'A loud tide'))
    expect(titled).toMatchObject({ problemCount: 0, counts: { changed: 1 } })

    // Undoing an import of others would change videos as well.
    const { client: owner } = await tenant.createStaff('MANAGER')
    const file = fileOf((await exported()).replace(`store:${video.asset}`, ''))
    const { id } = await owner.admin.imports.create({ table: 'products', file })
    expect(await failureOf(client.admin.imports.undo({ id: id! }))).toMatchObject({
      status: 409,
      problem: { message: expect.stringContaining('videos:write') },
    })
    await owner.admin.imports.undo({ id: id! })
  })
})

const fileOf = (text: string) => new File([text], 'products.csv', { type: 'text/csv' })

describe('several imports', () => {
  test('are undone from the latest one on, also after one that added products', async () => {
    const { tide, imports, exported, send, titleOf } = await arrange()
    const before = await exported()
    const first = await send(before.replace('A quiet tide', 'A loud tide'))
    const [heading = '', ...rows] = (await exported()).trimEnd().split('\r\n')
    const added = rows
      .find((row) => row.includes(tide.code))!
      .replace(tide.code, 'added')
      .replace('A loud', 'Added')
    const second = await send([heading, ...rows, added].join('\r\n'))
    expect(second.counts).toMatchObject({ added: 1 })
    await imports.undo({ id: second.id! })
    await imports.undo({ id: first.id! })
    expect(await titleOf(tide)).toBe('A quiet tide')
  })

  test('keep an edit between them', async () => {
    const { tenant, harbour, tide, imports, exported, send, titleOf } = await arrange()
    const first = await send((await exported()).replace('A quiet tide', 'A loud tide'))
    await (await beginEdit(tenant, harbour, 'Harbour nights')).commit()
    const second = await send((await exported()).replace('A loud tide', 'The tide'))
    await imports.undo({ id: second.id! })
    expect(await failureOf(imports.undo({ id: first.id! }))).toMatchObject({ status: 409 })
    expect([await titleOf(harbour), await titleOf(tide)]).toEqual(['Harbour nights', 'A loud tide'])
  })
})

test('an import makes no draft of a product that a member has', async () => {
  const { tenant, tide, exported, send } = await arrange()
  const { token } = await tenant.createStaff('SUPPORT')
  const member = await tenant.createMember()
  const support = api.client(tenant.code, { token, idempotencyKey: 'grant' })
  await support.admin.members.grantTitle({ id: member.id, productCode: tide.code, reason: 'A gift' })
  const refused = await send((await exported()).replaceAll('ON_SALE', 'DRAFT'))
  expect(refused).toMatchObject({
    problems: [{ column: 'status', message: expect.stringContaining('Use ENDED or HIDDEN') }],
  })
})

test('an import names the products without content that it has changed', async () => {
  const { tenant, tide, exported, send } = await arrange()
  await tenant.createProducts([{ title: 'Elsewhere', price: 1000, file: false }])
  await tenant.within((db) => db.delete(attachments).where(eq(attachments.productId, tide.id)))
  const report = await send((await exported()).replace('A quiet tide', 'A loud tide'))
  expect(report).toMatchObject({ notReady: [tide.code], notReadyCount: 1 })
})

test('an import is undone and listed for 30 days, and then deleted', async () => {
  const { tenant, imports, exported, send } = await arrange()
  const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
  const old = new Date(api.clock.now().getTime() - 30 * dayMilliseconds - 1000).toISOString()
  await tenant.within((db) => db.update(catalogImports).set({ createdAt: old }).where(eq(catalogImports.id, id!)))
  expect(await failureOf(imports.undo({ id: id! }))).toMatchObject({ status: 404 })
  expect((await imports.list()).items).toEqual([])
  const customer = await resolveCustomer(api.deps, tenant.code)
  await tenant.within((db) => purge({ customer: customer!, db, clock: api.clock }, 100))
  expect(await tenant.within((db) => db.select({ id: catalogImports.id }).from(catalogImports))).toEqual([])
})

test('the latest 20 imports can be undone', async () => {
  const { imports, exported, send } = await arrange()
  const text = await exported()
  for (let at = 0; at < 21; at++) await send(text.replace('A quiet tide', `Tide ${at}`))
  const { items } = await imports.list()
  expect(items.map(({ canUndo }) => canUndo)).toEqual([...Array.from({ length: 20 }, () => true), false])
  const { problem } = await failureOf(imports.undo({ id: items[20]!.id }))
  expect(problem.message).toMatch(/not kept/)
})

test('an import is in the history of each object that it changes', async () => {
  const { tide, harbour, client, imports, exported, send } = await arrange()
  const by = expect.stringContaining('staff:')
  const { id } = await send((await exported()).replace('A quiet tide', 'A loud tide'))
  const historyOf = async ({ code }: TestProduct) => (await client.admin.products.get({ code })).history
  expect(await historyOf(harbour)).toEqual([])
  const changes = { title: { from: 'A quiet tide', to: 'A loud tide' } }
  const entry = { action: 'product.changed', actor: by, changes, detail: { import: id, file: 'products.csv' } }
  expect((await historyOf(tide))[0]).toMatchObject(entry)
  await imports.undo({ id: id! })
  expect(await historyOf(tide)).toContainEqual(
    expect.objectContaining({ changes: { title: { from: 'A loud tide', to: 'A quiet tide' } } }),
  )

  const options = (await exported('options')).replace(/(?<=,)30(?:00|\.00)(?=,)/, '25')
  expect((await send(options, { table: 'options' })).counts.changed).toBe(1)
  const fields = (await historyOf(tide)).flatMap((each) => Object.keys(each.changes))
  expect(fields).toContainEqual(expect.stringMatching(/^options\..*\.price$/))

  const page = await client.admin.pages.create({ type: 'about', title: 'About', body: '<p>We rent films.</p>' })
  await send((await exported('pages')).replace('We rent films', 'We sell films'), { table: 'pages' })
  const changed = { body: { from: '<p>We rent films.</p>', to: '<p>We sell films.</p>' } }
  expect((await client.admin.pages.get({ type: page.type })).history).toContainEqual(
    expect.objectContaining({ action: 'page.changed', changes: changed }),
  )
  await send('type,title,body\r\n', { table: 'pages', removes: true })
  const { items } = await client.admin.audit({ subject: 'page:about' })
  expect(items.map(({ action }) => action)).toContain('page.deleted')
})

test('the period of a question is exported, checked, imported and restored', async () => {
  const { tenant, client, imports, exported, send } = await arrange()
  const inDays = (days: number) => new Date(api.clock.now().getTime() + days * dayMilliseconds).toISOString()
  const period = { startsAt: inDays(1), endsAt: inDays(2) }
  const { id } = await client.admin.faq.create({ group: 'Sale', question: 'When?', answer: '<p>Soon.</p>', ...period })
  const before = await exported('faq')
  expect(before).toContain('group,question,answer,draft,starts_at,ends_at,sort,')
  expect((await send(before, { table: 'faq', dryRun: true })).counts).toMatchObject({ unchanged: 1 })

  const rowOf = (from: string, to: string) => `group,question,starts_at,ends_at\r\nSale,When?,${from},${to}`
  const reversed = await send(rowOf('2099-02-01', '2099-01-01'), { table: 'faq' })
  expect(reversed.problems).toMatchObject([{ row: 2, column: 'ends_at' }])
  const removed = await send(rowOf('', ''), { table: 'faq' })
  expect(await client.admin.faq.get({ id })).toMatchObject({ startsAt: null, endsAt: null, state: 'SHOWN' })
  expect((await tenant.guest.content.faq({})).items).toHaveLength(1)
  await imports.undo({ id: removed.id! })
  expect(await client.admin.faq.get({ id })).toMatchObject({ ...period, state: 'SCHEDULED' })

  // Files of the release before have no such columns.
  await send('group,question,answer\r\nSale,When?,<p>Later.</p>', { table: 'faq' })
  expect(await client.admin.faq.get({ id })).toMatchObject({ ...period, answer: '<p>Later.</p>' })
})

test('the planned texts of a page are exported, checked, imported and restored, and begin at their time', async () => {
  const { client, imports, exported, send } = await arrange()
  const { pages } = client.admin
  const startsAt = new Date(api.clock.now().getTime() + dayMilliseconds).toISOString()
  await pages.create({ type: 'rules', title: 'Rules', body: '<p>Old rules.</p>' })
  const before = await exported('pages')
  const heading = 'type,title,body,planned_from,planned_title,planned_body,planned_body.ko\r\n'
  const row = (from: string, title: string) =>
    `${heading}rules,Rules,<p>Old rules.</p>,${from},${title},<p>New rules.</p>,<p>새 규칙</p>`
  expect((await send(row('', 'Rules'), { table: 'pages' })).problems).toMatchObject([{ column: 'planned_from' }])
  expect((await send(row('2020-01-01', ''), { table: 'pages' })).problems).toMatchObject([
    { column: 'planned_title' },
    { column: 'planned_from' },
  ])
  const { updatedAt } = await pages.get({ type: 'rules' })
  const planned = await send(row(startsAt, 'New rules'), { table: 'pages' })
  expect(await pages.get({ type: 'rules' })).toMatchObject({
    body: '<p>Old rules.</p>',
    translations: {},
    updatedAt,
    planned: {
      startsAt,
      title: 'New rules',
      body: '<p>New rules.</p>',
      translations: { ko: { body: '<p>새 규칙</p>' } },
    },
  })
  const text = await exported('pages')
  expect((await send(text, { table: 'pages' })).counts).toMatchObject({ unchanged: 1, changed: 0 })
  // What changes the present texts leaves the planned ones.
  const renamed = await send('type,title\r\nrules,The rules', { table: 'pages' })
  expect((await pages.get({ type: 'rules' })).planned).toMatchObject({ startsAt, title: 'New rules' })
  await imports.undo({ id: renamed.id! })
  await imports.undo({ id: planned.id! })
  expect(await exported('pages')).toBe(before)

  await send(row(startsAt, 'New rules'), { table: 'pages' })
  const removed = await send('type,title,body\r\n', { table: 'pages', removes: true })
  await imports.undo({ id: removed.id! })
  expect((await pages.get({ type: 'rules' })).planned).toMatchObject({ startsAt, title: 'New rules' })
  await send(row(startsAt, 'New rules'), { table: 'pages' })
  api.clock.advance(2 * dayMilliseconds)
  expect(await exported('pages')).toContain('rules,New rules,<p>New rules.</p>')
})

test('drafts of questions and pages are exported, imported and restored, and agreed pages stay published', async () => {
  const { client, imports, exported, send, tenant } = await arrange()
  const question = await client.admin.faq.create({ group: 'Sale', question: 'When?', answer: '<p>Soon.</p>' })
  await client.admin.pages.create({ type: 'press', title: 'Press', body: '<p>Press</p>', isDraft: true })
  await client.admin.pages.create({ type: 'terms', title: 'Terms', body: '<p>Terms</p>' })
  const state = async (type: string) => (await client.admin.pages.get({ type })).state
  for (const table of ['faq', 'pages'] as const)
    expect((await send(await exported(table), { table })).counts).toMatchObject({ changed: 0 })

  const hidden = await send('group,question,draft\r\nSale,When?,yes', { table: 'faq' })
  expect(await client.admin.faq.get({ id: question.id })).toMatchObject({ state: 'DRAFT', answer: '<p>Soon.</p>' })
  expect((await tenant.guest.content.faq({})).items).toEqual([])
  await imports.undo({ id: hidden.id! })
  expect((await client.admin.faq.get({ id: question.id })).state).toBe('SHOWN')

  const published = await send('type,draft,starts_at\r\npress,no,2099-01-01', { table: 'pages' })
  expect(await state('press')).toBe('SCHEDULED')
  await imports.undo({ id: published.id! })
  expect(await state('press')).toBe('DRAFT')
  const refused = await send('type,draft,ends_at\r\nterms,yes,2099-01-01', { table: 'pages' })
  expect(refused.problems).toMatchObject([{ column: 'draft' }, { column: 'ends_at' }])
  const reversed = await send('type,starts_at,ends_at\r\npress,2099-02-01,2099-01-01', { table: 'pages' })
  expect(reversed.problems).toMatchObject([{ column: 'ends_at' }])
})

test('descriptions of pictures are exported and imported in each language, also where some have none', async () => {
  const { client, exported, send, tenant } = await arrange()
  const { code } = await tenant.createProduct({ title: 'Weir' })
  for (const width of [31, 32, 33]) await client.admin.products.addPicture({ code, file: await smallPicture(width) })
  const { gallery, version } = await client.admin.products.pictures({ code })
  const [first, , third] = gallery.map(({ url }) => url) as [string, string, string]
  const { withVersion } = await tenant.createStaff('OWNER')
  await withVersion(version).admin.products.changePictures({
    code,
    gallery: gallery.map(({ url }) => url),
    texts: [
      { url: first, description: 'The weir', translations: { ko: '둑' } },
      { url: third, description: 'The mill', translations: { ko: '방앗간' } },
    ],
  })
  const text = await exported('products')
  expect(text).toContain('The weir||The mill')
  expect((await send(text, { table: 'products' })).counts).toMatchObject({ changed: 0 })
  await send(text.replace('The weir||', '|The pool|').replace('둑||', '|웅덩이|'), { table: 'products' })
  expect((await client.admin.products.pictures({ code })).gallery).toMatchObject([
    { description: '', alt: 'Weir 1', translations: {} },
    { description: 'The pool', translations: { ko: '웅덩이' } },
    { description: 'The mill', translations: { ko: '방앗간' } },
  ])
})
