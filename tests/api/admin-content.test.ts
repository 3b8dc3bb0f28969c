import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { notices } from '#api/modules/content/content.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { sweepTenant } from '#tests/support/background-tasks.ts'
import { openMedia, smallPicture } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('CATALOG')
})

/** A client that sends the version which it saw. */
const withVersion = (version: string, language?: string) => staff.withVersion(version, language).admin

const admin = () => staff.client.admin
const inDays = (days: number) => new Date(api.clock.now().getTime() + days * dayMilliseconds).toISOString()

const notice = (title: string) =>
  admin().notices.create({ title, body: `<p>${title}</p>`, pinned: false, startsAt: null, endsAt: null })
const question = (text: string, group = 'Payment') =>
  admin().faq.create({ group, question: text, answer: '<p>Yes.</p>' })
const plainBanner = {
  type: 'BANNER' as const,
  text: '',
  label: null,
  tone: 'LIGHT' as const,
  link: null,
  html: null,
  startsAt: null,
  endsAt: null,
}

test('a notice is written, translated, scheduled and deleted, and visitors see each step at once', async () => {
  const first = await notice('Closed on Friday')
  expect(first).toMatchObject({ state: 'SHOWN', translations: {}, attachments: [] })
  expect((await tenant.guest.content.notice({ id: first.id })).body).toBe('<p>Closed on Friday</p>')

  const translated = await withVersion(first.version).notices.change({
    id: first.id,
    pinned: true,
    translations: { ko: { title: '금요일 휴무', body: '<p>휴무</p>' } },
  })
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } })
  expect(await korean.content.notice({ id: first.id })).toMatchObject({ title: '금요일 휴무', pinned: true })
  expect(translated.history[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'notice.changed',
    subject: `notice:${first.id}`,
    changes: {
      pinned: { from: false, to: true },
      'title.ko': { from: null, to: '금요일 휴무' },
      'body.ko': { from: null, to: '<p>휴무</p>' },
    },
  })

  const cleared = await withVersion(translated.version).notices.change({
    id: first.id,
    startsAt: inDays(1),
    translations: { ko: { body: null } },
  })
  expect(cleared).toMatchObject({ state: 'SCHEDULED', translations: { ko: { title: '금요일 휴무' } } })
  expect(await failureOf(tenant.guest.content.notice({ id: first.id }))).toMatchObject({ status: 404 })

  const { items } = await admin().notices.list({ q: 'FRIDAY' })
  expect(items).toMatchObject([{ id: first.id, state: 'SCHEDULED' }])
  await withVersion(cleared.version).notices.delete({ id: first.id })
  expect((await admin().notices.list({})).items).toEqual([])
  const owner = await tenant.createStaff('OWNER')
  const [entry] = (await owner.client.admin.audit({ subject: `notice:${first.id}` })).items
  expect(entry).toMatchObject({ action: 'notice.deleted', changes: { title: { from: 'Closed on Friday', to: null } } })
})

test('a draft gets files and translations, is previewed, published with a date of its own, and unpublished', async () => {
  const draft = await admin().notices.create({
    title: 'Festival',
    body: '<p>Soon</p>',
    pinned: false,
    isDraft: true,
    startsAt: null,
    endsAt: null,
  })
  const { id } = draft
  expect(draft).toMatchObject({ state: 'DRAFT', isDraft: true })
  const seen = () => tenant.guest.content.notice({ id })
  const listed = async () => (await tenant.guest.content.notices({})).items.some((item) => item.id === id)
  expect(await failureOf(seen())).toMatchObject({ status: 404 })
  expect(await listed()).toBe(false)
  await admin().notices.addFile({ id, file: new File(['films'], 'films.txt') })
  let { version } = await admin().notices.get({ id })
  const change = async (input: Omit<Parameters<ReturnType<typeof admin>['notices']['change']>[0], 'id'>) => {
    const changed = await withVersion(version).notices.change({ id, ...input })
    version = changed.version
    return changed
  }
  await change({ translations: { ko: { title: '축제' } } })

  // Its preview link shows it, and nothing else that visitors do not see.
  const { url } = await admin().notices.createPreview({ id })
  expect(new URL(url).pathname).toBe(`/notices/${id}`)
  const token = new URL(url).searchParams.get('preview') ?? ''
  const preview = api.client(tenant.code, { headers: { 'x-preview-token': token, 'accept-language': 'ko' } })
  expect(await preview.content.notice({ id })).toMatchObject({ title: '축제', attachments: [{ name: 'films.txt' }] })
  const other = await admin().notices.create({ ...draft, title: 'Another', isDraft: true })
  expect(await failureOf(preview.content.notice({ id: other.id }))).toMatchObject({ status: 404 })
  expect((await preview.content.notices({})).items.some((item) => item.id === id)).toBe(false)

  // A neighbour does not lead to a draft.
  const shown = await notice('Before')
  expect((await tenant.guest.content.notice({ id: shown.id })).next).toBe(null)

  api.clock.advance(dayMilliseconds)
  const before = inDays(0)
  const published = await change({ isDraft: false })
  expect(published.state).toBe('SHOWN')
  expect(published.createdAt >= before).toBe(true)
  expect(await seen()).toMatchObject({ title: 'Festival' })
  expect(await listed()).toBe(true)
  expect(await change({ isDraft: true })).toMatchObject({ state: 'DRAFT' })
  expect(await failureOf(seen())).toMatchObject({ status: 404 })
  const startsAt = inDays(2)
  expect(await change({ isDraft: false, startsAt })).toMatchObject({ state: 'SCHEDULED', createdAt: startsAt })
  // Its date follows its time until visitors have seen it.
  const sooner = inDays(1)
  expect(await change({ startsAt: sooner })).toMatchObject({ createdAt: sooner })
  expect(await change({ startsAt })).toMatchObject({ createdAt: startsAt })
  expect(await failureOf(seen())).toMatchObject({ status: 404 })
  api.clock.advance(2 * dayMilliseconds)
  expect(await seen()).toMatchObject({ createdAt: startsAt })
  for (const each of [id, other.id, shown.id])
    await withVersion((await admin().notices.get({ id: each })).version).notices.delete({ id: each })
})

const tokenIn = (url: string) => new URL(url).searchParams.get('preview') ?? ''

test('a question is a draft until it is published, and shown before by its own preview link alone', async () => {
  const store = await createTenant(api)
  const { client, withVersion: at } = await store.createStaff('OWNER')
  const questions = async (guest = store.guest) => (await guest.content.faq({})).items.map(({ question: each }) => each)
  const shown = await client.admin.faq.create({ group: 'Payment', question: 'By card?', answer: '<p>Yes</p>' })
  expect(shown).toMatchObject({ state: 'SHOWN', isDraft: false })
  const draft = { group: 'Payment', answer: '<p>Yes</p>', isDraft: true }
  const { id, version } = await client.admin.faq.create({ ...draft, question: 'By transfer?' })
  await client.admin.faq.create({ ...draft, question: 'By cheque?' })
  expect(await questions()).toEqual(['By card?'])
  expect((await client.admin.faq.list()).items.map(({ state }) => state)).toEqual(['SHOWN', 'DRAFT', 'DRAFT'])

  const { url } = await client.admin.faq.createPreview({ id })
  expect(new URL(url)).toMatchObject({ pathname: '/faq', hash: `#${id}` })
  const preview = api.client(store.code, { headers: { 'x-preview-token': tokenIn(url) } })
  expect(await questions(preview)).toEqual(['By card?', 'By transfer?'])
  // What a preview shows is not kept for others.
  expect(await questions()).toEqual(['By card?'])

  const startsAt = inDays(1)
  const scheduled = await at(version).admin.faq.change({ id, isDraft: false, startsAt })
  expect(scheduled).toMatchObject({
    state: 'SCHEDULED',
    history: [{ changes: { isDraft: { from: true, to: false }, startsAt: { from: null, to: startsAt } } }, {}, {}],
  })
  expect(await questions()).toEqual(['By card?'])
  const published = await at(scheduled.version).admin.faq.change({ id, startsAt: null })
  expect(published.state).toBe('SHOWN')
  expect(await questions()).toEqual(['By card?', 'By transfer?'])
  await at(published.version).admin.faq.change({ id, isDraft: true })
  expect(await questions()).toEqual(['By card?'])
})

test('a page is a draft until it is published, in its period, and shown before by its preview link', async () => {
  const store = await createTenant(api)
  const { client, withVersion: at } = await store.createStaff('OWNER')
  const page = { type: 'press', title: 'Press', body: '<p>For journalists</p>' }
  const draft = await client.admin.pages.create({ ...page, isDraft: true })
  const other = await client.admin.pages.create({ ...page, type: 'jobs', isDraft: true })
  expect(draft).toMatchObject({ state: 'DRAFT', isDraft: true, isUnfinished: false })
  const types = async () => (await store.guest.content.pages()).items.map(({ type }) => type)
  const seen = () => store.guest.content.page({ type: 'press' })
  const hidden = { status: 404 }
  expect([await failureOf(seen()), await types()]).toMatchObject([hidden, []])

  const { url } = await client.admin.pages.createPreview({ type: 'press' })
  expect(new URL(url).pathname).toBe('/pages/press')
  const preview = api.client(store.code, { headers: { 'x-preview-token': tokenIn(url) } })
  expect(await preview.content.page({ type: 'press' })).toMatchObject({ body: '<p>For journalists</p>' })
  expect(await failureOf(preview.content.page({ type: other.type }))).toMatchObject(hidden)
  expect(await failureOf(seen())).toMatchObject(hidden)
  const forged = api.client(store.code, { headers: { 'x-preview-token': tokenIn(url).replace('p-press', 'p-jobs') } })
  expect(await failureOf(forged.content.page({ type: 'jobs' }))).toMatchObject(hidden)

  // A banner that leads to it is told that visitors do not find it.
  const link = { target: 'URL' as const, url: '/pages/press' }
  const banner = await client.admin.banners.create({ ...plainBanner, type: 'CUSTOM', html: 'x', title: 'Press', link })
  expect(banner.linkProblem).toBe('DRAFT')

  api.clock.advance(60_000)
  const [startsAt, endsAt] = [inDays(0.5), inDays(1.5)]
  const scheduled = await at(draft.version).admin.pages.change({ type: 'press', isDraft: false, startsAt, endsAt })
  expect(scheduled.state).toBe('SCHEDULED')
  expect(scheduled.updatedAt > draft.updatedAt).toBe(true)
  expect((await client.admin.banners.get({ id: banner.id })).linkProblem).toBe('SCHEDULED')
  expect([await failureOf(seen()), await types()]).toMatchObject([hidden, []])
  const later = await client.admin.store.createPreview({ at: inDays(1) })
  const then = api.client(store.code, { headers: { 'x-preview-token': tokenIn(later.url) } })
  expect((await then.content.pages()).items.map(({ type }) => type)).toEqual(['press'])
  /** Lists are cached for seconds of the real time, or until something of the store changes. */
  const advance = async () => {
    api.clock.advance(dayMilliseconds)
    await client.admin.faq.create({ group: 'Press', question: 'Where?', answer: 'Here' })
  }
  await advance()
  expect([(await seen()).title, await types()]).toEqual(['Press', ['press']])
  await advance()
  expect([await failureOf(seen()), await types()]).toMatchObject([hidden, []])
  expect((await client.admin.pages.get({ type: 'press' })).state).toBe('ENDED')
})

test('pages that members agree to stay published, without a period', async () => {
  const store = await createTenant(api)
  const { client, withVersion: at } = await store.createStaff('OWNER')
  const text = { title: 'Terms', body: '<p>Terms</p>' }
  // The console creates every page as a draft.
  const published = await client.admin.pages.create({ ...text, type: 'terms', isDraft: true })
  expect(published).toMatchObject({ isDraft: false, state: 'SHOWN' })
  expect(await store.guest.content.page({ type: 'terms' })).toMatchObject(text)
  const hides = [{ isDraft: true }, { startsAt: inDays(1) }, { endsAt: inDays(1) }]
  for (const change of hides)
    expect(await failureOf(at(published.version).admin.pages.change({ type: 'terms', ...change }))).toMatchObject({
      status: 422,
      problem: { errors: { [Object.keys(change)[0]!]: [expect.stringContaining('Plan new texts')] } },
    })
  expect(await failureOf(client.admin.pages.create({ ...text, type: 'privacy', startsAt: inDays(1) }))).toMatchObject({
    status: 422,
  })
})

test('notices are paged latest first', async () => {
  for (const title of ['One', 'Two', 'Three']) await notice(title)
  const first = await admin().notices.list({ size: 2 })
  const second = await admin().notices.list({ size: 2, cursor: first.nextCursor ?? '' })
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(['Three', 'Two', 'One'])
  expect(second.nextCursor).toBeNull()
})

test('questions are ordered, and of two people who order them at once the second is refused', async () => {
  const [one, two, three] = [await question('One?'), await question('Two?'), await question('Three?', 'Access')]
  const { version } = await admin().faq.list()
  const moved = await withVersion(version).faq.move({ id: three.id, position: 1 })
  expect(moved.items.map(({ id }) => id)).toEqual([three.id, one.id, two.id])
  expect(moved.history[0]).toMatchObject({ action: 'faq.moved', changes: { [three.id]: { from: 3, to: 1 } } })
  expect((await tenant.guest.content.faq({})).items.map((each) => each.question)).toEqual(['Three?', 'One?', 'Two?'])

  expect(await failureOf(withVersion(version).faq.move({ id: one.id, position: 99 }))).toMatchObject({
    status: 412,
    code: 'VERSION_CONFLICT',
    problem: { data: { changes: [expect.objectContaining({ action: 'faq.moved' })] } },
  })
  const last = await withVersion(moved.version).faq.move({ id: one.id, position: 99 })
  expect(last.items.map(({ id }) => id)).toEqual([three.id, two.id, one.id])
  await question('Four?')
  expect((await tenant.guest.content.faq({})).items.at(-1)?.question).toBe('Four?')
})

test('a page that new stores have is filled in with what the settings say of the company', async () => {
  const own = await createTenant(api)
  const { client, token } = await own.createStaff('OWNER')
  const body = '<p>Between you and [FILL IN: company]: [FILL IN: email], [FILL IN: about us].</p>'
  await client.admin.pages.create({ type: 'terms', title: 'Terms', body })
  expect((await client.admin.pages.get({ type: 'terms' })).body).toBe(body)
  const { version } = await client.admin.settings.read()
  await api
    .client(own.code, { token, headers: { 'if-match': version } })
    .admin.settings.update({ business: { company: 'Sea & Sons', email: 'help@example.com' } })
  const page = await client.admin.pages.get({ type: 'terms' })
  expect(page.body).toBe('<p>Between you and Sea &amp; Sons: help@example.com, [FILL IN: about us].</p>')
  expect(page.isUnfinished).toBe(true)
})

test('the date of a page moves with its text, and pages that members agree to stay', async () => {
  const page = await admin().pages.create({ type: 'press', title: 'Press', body: '<p>[FILL IN: contact]</p>' })
  expect(page).toMatchObject({ isDraft: false, isUnfinished: true, state: 'DRAFT' })
  expect((await tenant.guest.content.pages()).items).toEqual([])
  expect(await failureOf(admin().pages.create({ type: 'press', title: 'Again', body: '<p>x</p>' }))).toMatchObject({
    status: 409,
    code: 'CONFLICT',
  })
  api.clock.advance(60_000)
  const same = await withVersion(page.version).pages.change({ type: 'press', title: 'Press' })
  expect(same).toMatchObject({ updatedAt: page.updatedAt, version: page.version })
  const finished = await withVersion(page.version).pages.change({ type: 'press', body: '<p>press@example.com</p>' })
  expect(finished).toMatchObject({ isUnfinished: false, state: 'SHOWN' })
  expect(finished.updatedAt > page.updatedAt).toBe(true)
  expect((await tenant.guest.content.pages()).items).toMatchObject([{ type: 'press' }])

  const terms = await admin().pages.create({ type: 'terms', title: 'Terms', body: '<p>Terms</p>' })
  expect(await failureOf(withVersion(terms.version).pages.delete({ type: 'terms' }))).toMatchObject({ status: 409 })
  await withVersion(finished.version).pages.delete({ type: 'press' })
  expect((await tenant.guest.content.pages()).items.map(({ type }) => type)).toEqual(['terms'])
})

test('a banner leads to an object of the store, and its pictures are scaled', async () => {
  const product = await tenant.createProduct({ title: 'Harbour' })
  const other = await createTenant(api)
  const foreign = await other.createProduct()
  const link = (code: typeof product.code) => ({ target: 'PRODUCT' as const, productCode: code })
  const refused = await failureOf(
    admin().banners.create({ ...plainBanner, type: 'NONE', title: 'New', link: link(foreign.code) }),
  )
  expect(Object.keys(refused.problem.errors)).toEqual(['link'])

  const created = { ...plainBanner, type: 'NONE' as const, title: 'New', link: link(product.code) }
  const banner = await admin().banners.create(created)
  expect(banner.state).toBe('DRAFT')
  const file = await smallPicture(800)
  const pictured = await admin().banners.setPicture({ id: banner.id, place: 'desktop', file })
  expect(pictured.imageDesktop).toMatchObject({ width: 800, color: '#335577' })
  expect(pictured.imageDesktop?.sources.map(({ width }) => width)).toEqual([320, 640, 800])
  const key = pictured.picture?.slice('/media/'.length) as MediaKey
  expect(await api.deps.storage.open(key)).not.toBeNull()
  expect(pictured.history[0]?.changes).toHaveProperty('imageDesktop')
  const published = await withVersion(pictured.version).banners.change({ id: banner.id, type: 'BANNER' })
  expect(published.state).toBe('SHOWN')
  const [shown] = (await tenant.guest.content.banners()).items
  expect(shown).toMatchObject({ title: 'New', imageDesktop: { width: 800 }, link: { productCode: product.code } })

  const wrong = new File(['no picture'], 'picture.png', { type: 'image/png' })
  expect(await failureOf(admin().banners.setPicture({ id: banner.id, place: 'mobile', file: wrong }))).toMatchObject({
    status: 422,
    problem: { errors: { file: [expect.stringContaining('JPEG')] } },
  })
  const ended = await withVersion(published.version).banners.change({ id: banner.id, endsAt: inDays(-1) })
  expect(ended.state).toBe('ENDED')
  expect((await tenant.guest.content.banners()).items).toEqual([])
  const removed = await admin().banners.removePicture({ id: banner.id, place: 'desktop' })
  expect(removed).toMatchObject({ imageDesktop: null, picture: null })
})

test('a banner whose picture is missing is not shown at a place for pictures, now or later', async () => {
  const missing = {
    status: 422,
    problem: { errors: { imageDesktop: [expect.stringContaining('picture is missing')] } },
  }
  for (const type of ['MAIN_SLIDER_BANNER', 'GRID', 'BANNER'] as const)
    for (const startsAt of [null, inDays(2)])
      expect(await failureOf(admin().banners.create({ ...plainBanner, type, title: 'Empty', startsAt }))).toMatchObject(
        missing,
      )
  const { id, version } = await admin().banners.create({ ...plainBanner, type: 'NONE', title: 'Later' })
  const placed = { id, type: 'GRID' as const }
  expect(await failureOf(withVersion(version, 'ko').banners.change(placed))).toMatchObject({
    problem: { errors: { imageDesktop: [expect.stringMatching(/^사진이 없어요/)] } },
  })
  expect(await failureOf(withVersion(version).banners.change({ ...placed, startsAt: inDays(2) }))).toMatchObject(
    missing,
  )
  const pictured = await admin().banners.setPicture({ id, place: 'desktop', file: await smallPicture() })
  const shown = await withVersion(pictured.version).banners.change(placed)
  expect(shown.state).toBe('SHOWN')
  expect(await failureOf(admin().banners.removePicture({ id, place: 'desktop' }))).toMatchObject(missing)
  await withVersion(shown.version).banners.delete({ id })
})

test('a banner says why visitors do not find what it leads to, and is left out with its product', async () => {
  const [store, now] = [await createTenant(api), api.clock.now()]
  const { client, withVersion: at } = await store.createStaff('OWNER')
  const { banners, notices: news } = client.admin
  const day = (days: number) => new Date(now.getTime() + days * dayMilliseconds)
  const found = await store.createProduct()
  const draft = await news.create({
    title: 'Draft',
    body: 'x',
    pinned: false,
    isDraft: true,
    startsAt: null,
    endsAt: null,
  })
  const product = (code: string) => ({ target: 'PRODUCT' as const, productCode: code as typeof found.code })
  const url = (path: string) => ({ target: 'URL' as const, url: path })
  const states = [
    ['DRAFT', { status: 'DRAFT' as const }],
    ['HIDDEN', { status: 'HIDDEN' as const }],
    ['ENDED', { status: 'ENDED' as const }],
    ['ENDED', { saleTo: day(-1).toISOString() }],
    ['SCHEDULED', { saleFrom: day(1).toISOString() }],
  ] as const
  const links: [string | null, ReturnType<typeof product> | ReturnType<typeof url> | null][] = [
    [null, null],
    [null, product(found.code)],
    ['DRAFT', url(`/notices/${draft.id}`)],
    ['MISSING', url('/products/nowhere?from=home')],
    [null, url('/products?sort=createdAt,DESC')],
    [null, url('https://example.com/products/nowhere')],
  ]
  for (const [problem, fields] of states) links.push([problem, product((await store.createProduct(fields)).code)])
  const stored = []
  for (const [, link] of links)
    stored.push(await banners.create({ ...plainBanner, type: 'CUSTOM', html: '<p>x</p>', title: 'x', link }))
  expect(stored.map(({ linkProblem }) => linkProblem)).toEqual(links.map(([problem]) => problem))
  const { items } = await banners.list()
  expect(items.map(({ linkProblem }) => linkProblem)).toEqual(links.map(([problem]) => problem))
  const visible = async () => (await store.guest.content.banners()).items.map(({ id }) => id)
  expect(await visible()).toEqual(stored.slice(0, 6).map(({ id }) => id))

  // It comes back with its product.
  const { version, code } = await client.admin.products.get({
    code: (links.at(-1)![1] as ReturnType<typeof product>).productCode,
  })
  await at(version).admin.products.change({ code, saleFrom: null })
  expect(await visible()).toContain(stored.at(-1)!.id)

  const settings = await client.admin.settings.read()
  const rule = { from: '/products/nowhere', to: '/products', permanent: false }
  await at(settings.version).admin.settings.update({ routeRules: [rule] })
  expect((await banners.get({ id: stored[3]!.id })).linkProblem).toBeNull()
})

test('a refused link says what is right', async () => {
  for (const url of ['harbour', 'ftp://example.com', '//example.com', 'javascript:alert(1)']) {
    const refused = {
      ...plainBanner,
      type: 'CUSTOM' as const,
      html: '<p>x</p>',
      title: 'x',
      link: { target: 'URL' as const, url },
    }
    expect((await failureOf(admin().banners.create(refused))).problem.errors).toEqual({
      'link.url': ['Enter a path of the store, such as /products, or an address that begins with https://.'],
    })
  }
})

test('what does not fit is refused by field in the language of the person, and nothing is changed', async () => {
  const { id, version } = await notice('Fields')
  const period = { startsAt: inDays(2), endsAt: inDays(1) }
  const refused = await failureOf(
    withVersion(version, 'ko').notices.change({ id, ...period, translations: { en: { title: 'Own' } } }),
  )
  expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
  expect(Object.keys(refused.problem.errors).toSorted()).toEqual(['endsAt', 'translations'])
  expect(refused.problem.errors.endsAt?.[0]).toMatch(/[가-힣]/)
  const empty = await failureOf(admin().banners.create({ ...plainBanner, type: 'CUSTOM', title: 'Empty' }))
  expect(Object.keys(empty.problem.errors)).toEqual(['html'])
  expect((await admin().notices.get({ id })).version).toBe(version)
  for (const unseen of [() => admin().notices.change({ id, title: 'No' }), () => admin().notices.delete({ id })])
    expect(await failureOf(unseen())).toMatchObject({ status: 400, code: 'VERSION_MISSING' })
})

test('the preview is what visitors see', async () => {
  const html = '<h1>Hello</h1><script>alert(1)</script><a href="https://example.com">x</a>'
  const preview = await admin().previewHtml({ html })
  const { id } = await admin().notices.create({
    title: 'Hello',
    body: html,
    pinned: false,
    startsAt: null,
    endsAt: null,
  })
  expect(preview.html).toBe((await tenant.guest.content.notice({ id })).body)
  expect(preview.html).toBe('<h2>Hello</h2><a href="https://example.com" rel="noopener noreferrer">x</a>')
})

test('a picture of the settings is stored as it is, and a file that is none is refused', async () => {
  const manager = await tenant.createStaff('MANAGER')
  const { settings } = manager.client.admin
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  const stored = await settings.setPicture({ picture: 'logo', file: new File([svg], 'logo.svg') })
  const url = stored.settings.base.logoPublicUrl
  expect(url).toMatch(/^\/media\/brand\/.*\.svg$/)
  expect(stored.history[0]).toMatchObject({ changes: { 'base.logoPublicUrl': { from: null, to: url } } })
  expect((await tenant.guest.tenancy.siteSettings()).base.logoPublicUrl).toBe(url)
  await settings.setPicture({ picture: 'shared', file: await smallPicture() })
  expect((await settings.read()).settings.seo.ogImagePublicUrl).toMatch(/\.png$/)
  expect(await failureOf(settings.setPicture({ picture: 'favicon', file: new File(['x'], 'x.ico') }))).toMatchObject({
    status: 422,
    problem: { errors: { file: [expect.stringContaining('SVG')] } },
  })
  const catalog = staff.client.admin.settings
  expect(await failureOf(catalog.setPicture({ picture: 'logo', file: new File([svg], 'logo.svg') }))).toMatchObject({
    status: 403,
  })
})

test('files of a notice are added, named, ordered and removed, with their names in other languages', async () => {
  const { id } = await notice('Programme')
  const add = (name: string, text: string) => admin().notices.addFile({ id, file: new File([text], name) })
  await add('Friday.txt', 'Friday')
  const added = await add('../Saturday.txt', 'Saturday')
  expect(added.attachments).toMatchObject([
    { name: 'Friday.txt', bytes: 6 },
    { name: expect.not.stringContaining('/'), bytes: 8 },
  ])
  const [friday, saturday] = added.attachments
  expect((await media.get(friday!.url)).text).toBe('Friday')
  await tenant.within((db) =>
    db
      .update(notices)
      .set({ translations: { ko: { title: '프로그램', attachment_names: ['금요일.txt', '토요일.txt'] } } })
      .where(eq(notices.id, id)),
  )
  // The same file again keeps its place, and with it its name in other languages.
  const again = await add('Fri.txt', 'Friday')
  expect(again.attachments.map(({ name }) => name)).toEqual(['Fri.txt', saturday!.name])
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } }).content
  const koreanNames = async () => (await korean.notice({ id })).attachments.map(({ name }) => name)
  expect(await koreanNames()).toEqual(['금요일.txt', '토요일.txt'])
  const { version } = await admin().notices.get({ id })
  const change = (at: string, attachments: { url: string; name: string }[]) =>
    withVersion(at).notices.change({ id, attachments })
  const ordered = await change(version, [
    { url: saturday!.url, name: 'Sat.txt' },
    { url: friday!.url, name: friday!.name },
  ])
  expect(ordered.attachments.map(({ name }) => name)).toEqual(['Sat.txt', 'Friday.txt'])
  expect(await koreanNames()).toEqual(['토요일.txt', '금요일.txt'])
  const less = await change(ordered.version, [{ url: friday!.url, name: friday!.name }])
  expect(await koreanNames()).toEqual(['금요일.txt'])
  expect(less.history[0]).toMatchObject({ action: 'notice.changed', changes: { attachments: {} } })

  // A file of another notice, one twice, and too many are refused; so is an older version.
  const refused = async (files: { url: string; name: string }[]) =>
    (await failureOf(change(less.version, files))).problem.errors
  expect(await refused([{ url: saturday!.url, name: 'x' }])).toHaveProperty('attachments')
  expect(await refused([less.attachments[0]!, less.attachments[0]!])).toHaveProperty('attachments')
  expect(await failureOf(change(version, []))).toMatchObject({ code: 'VERSION_CONFLICT' })
  for (let at = 0; at < 9; at++) await add(`${at}.txt`, `file ${at}`)
  expect((await failureOf(add('last.txt', 'last'))).problem.errors).toHaveProperty('file')
  // The same file again is not one more.
  expect((await add('again.txt', 'file 1')).attachments).toHaveLength(10)
})

test('files that are added to a notice at once are all kept, and never more than its limit', async () => {
  const { id } = await notice('Festival')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => admin().notices.addFile({ id, file: new File([`film ${at}`], `${at}.txt`) })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect((await admin().notices.get({ id })).attachments).toHaveLength(10)
})

test('a page has its planned texts from their time on, for visitors, consents and a preview of that time', async () => {
  const { pages } = admin()
  const first = await pages.create({ type: 'rules', title: 'Terms', body: '<p>Old terms.</p>' })
  expect(first).toMatchObject({ planned: null, plannedAt: null })
  const startsAt = inDays(3)
  const planned = {
    title: 'Terms',
    body: '<p>New terms.</p>',
    translations: { ko: { title: '약관', body: '' } },
    startsAt,
  }
  const past = withVersion(first.version).pages.change({ type: 'rules', planned: { ...planned, startsAt: inDays(-1) } })
  expect((await failureOf(past)).problem.errors['planned.startsAt']).toEqual(['Enter a time that is still to come.'])
  expect((await failureOf(pages.change({ type: 'rules', planned }))).code).toBe('VERSION_MISSING')
  const changed = await withVersion(first.version).pages.change({ type: 'rules', planned })
  expect(changed).toMatchObject({ body: '<p>Old terms.</p>', plannedAt: startsAt, updatedAt: first.updatedAt })
  expect(changed.planned).toMatchObject({ body: '<p>New terms.</p>', translations: { ko: { title: '약관' } } })
  expect((await pages.list()).items).toContainEqual(expect.objectContaining({ type: 'rules', plannedAt: startsAt }))

  const owner = await tenant.createStaff('OWNER')
  const { url } = await owner.client.admin.store.createPreview({ at: inDays(4) })
  const preview = api.client(tenant.code, {
    headers: { 'x-preview-token': new URL(url).searchParams.get('preview') ?? '', 'accept-language': 'ko' },
  })
  expect((await tenant.guest.content.page({ type: 'rules' })).body).toContain('Old terms.')
  expect(await preview.content.page({ type: 'rules' })).toMatchObject({ title: '약관', updatedAt: startsAt })
  expect((await tenant.guest.content.page({ type: 'rules' })).body).toContain('Old terms.')

  api.clock.advance(3 * dayMilliseconds + 60_000)
  await tenant.within((db) => db.update(notices).set({ pinned: false }).where(eq(notices.customerId, tenant.id)))
  expect(await tenant.guest.content.page({ type: 'rules' })).toMatchObject({
    body: '<p>New terms.</p>',
    updatedAt: startsAt,
  })
  // The editor has what is in effect, and a change on top of it records both.
  const now = await pages.get({ type: 'rules' })
  expect(now).toMatchObject({ body: '<p>New terms.</p>', planned: null, plannedAt: null })
  const edited = await withVersion(now.version).pages.change({ type: 'rules', body: '<p>Newer terms.</p>' })
  expect(edited.history.slice(0, 2)).toMatchObject([
    { actor: `staff:${staff.email}`, changes: { body: { from: '<p>New terms.</p>', to: '<p>Newer terms.</p>' } } },
    { actor: 'rule', changes: { body: { from: '<p>Old terms.</p>', to: '<p>New terms.</p>' }, planned: { to: null } } },
  ])
})

test('planned texts of a page are in its history when their time has come, without an edit', async () => {
  const { pages } = admin()
  const { version } = await pages.create({ type: 'house', title: 'House', body: '<p>Old rules.</p>' })
  const planned = { title: 'House', body: '<p>New rules.</p>', translations: {}, startsAt: inDays(1) }
  await withVersion(version).pages.change({ type: 'house', planned })
  await sweepTenant(api, tenant)
  const before = await pages.get({ type: 'house' })
  expect(before.history[0]).toMatchObject({ actor: `staff:${staff.email}` })
  api.clock.advance(dayMilliseconds + 60_000)
  await Promise.all([sweepTenant(api, tenant), sweepTenant(api, tenant)])
  const after = await pages.get({ type: 'house' })
  expect(after.history.slice(0, 2)).toMatchObject([
    {
      actor: 'rule',
      action: 'page.changed',
      changes: { body: { from: '<p>Old rules.</p>', to: '<p>New rules.</p>' } },
    },
    { actor: `staff:${staff.email}` },
  ])
  expect(after).toMatchObject({ body: '<p>New rules.</p>', updatedAt: planned.startsAt })
  await sweepTenant(api, tenant)
  expect((await pages.get({ type: 'house' })).version).toBe(after.version)
  expect((await pages.get({ type: 'house' })).history).toHaveLength(after.history.length)
})

test('a question is shown in its period, and to operators always', async () => {
  const { faq } = admin()
  const created = await faq.create({
    group: 'Sale',
    question: 'When does it end?',
    answer: '<p>Soon.</p>',
    startsAt: inDays(1),
    endsAt: inDays(2),
  })
  expect(created).toMatchObject({ state: 'SCHEDULED', startsAt: expect.any(String) })
  const shown = async () =>
    (await tenant.guest.content.faq({})).items.some(({ question: asks }) => asks === 'When does it end?')
  expect(await shown()).toBe(false)
  expect((await faq.list()).items).toContainEqual(expect.objectContaining({ id: created.id, state: 'SCHEDULED' }))
  const reversed = withVersion(created.version).faq.change({ id: created.id, endsAt: inDays(0) })
  expect((await failureOf(reversed)).problem.errors.endsAt).toEqual(['Enter an end after the start.'])
  const open = await withVersion(created.version).faq.change({ id: created.id, startsAt: null })
  expect(open.state).toBe('SHOWN')
  expect(await shown()).toBe(true)
  api.clock.advance(3 * dayMilliseconds)
  await withVersion(open.version).faq.change({ id: created.id, group: 'Sales' })
  expect(await shown()).toBe(false)
  expect((await faq.get({ id: created.id })).state).toBe('ENDED')
})
