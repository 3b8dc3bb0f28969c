import { beforeAll, expect, test } from 'vitest'
import type { StoreSettingsChange } from '#contract/admin/settings.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('MANAGER')
})

/** Changes settings as they were seen at a version. */
const change = (version: string, input: StoreSettingsChange, language?: string) =>
  staff.withVersion(version, language).admin.settings.update(input)

const read = () => staff.client.admin.settings.read()

test('changed settings are shown to the next visitor, and the history has the values before and after', async () => {
  const before = await read()
  const { version } = await tenant.guest.tenancy.contract()
  const after = await change(before.version, {
    base: { name: 'Harbour Films' },
    theme: { accent: '#aa2211' },
    business: { company: 'Harbour Ltd.' },
    translations: { ko: { 'base.name': '하버 필름' } },
  })
  expect(after.settings).toMatchObject({
    base: { name: 'Harbour Films', currency: 'USD' },
    theme: { accent: '#aa2211', surface: 'system' },
    business: { company: 'Harbour Ltd.', phone: null },
    translations: { ko: { 'base.name': '하버 필름' } },
  })
  expect(after.version).not.toBe(before.version)
  expect((await tenant.guest.tenancy.siteSettings()).base.name).toBe('Harbour Films')
  expect((await tenant.guest.tenancy.contract()).version).toBeGreaterThan(version)
  expect(after.history[0]).toMatchObject({ actor: `staff:${staff.email}`, action: 'settings.changed' })
  expect(after.history[0]?.changes).toEqual({
    'base.name': { from: 'Test store', to: 'Harbour Films' },
    'base.name.ko': { from: null, to: '하버 필름' },
    'theme.accent': { from: '#2563eb', to: '#aa2211' },
    'business.company': { from: null, to: 'Harbour Ltd.' },
  })

  // Nothing has changed, so nothing is recorded.
  const again = await change(after.version, { base: { name: 'Harbour Films' } })
  expect(again).toMatchObject({ version: after.version, history: after.history })
  const cleared = await change(again.version, { translations: { ko: { 'base.name': null } } })
  expect(cleared.settings.translations).toEqual({})
})

test('another store stays as it is', async () => {
  const other = await createTenant(api)
  const { version } = await read()
  await change(version, { seo: { description: 'Films from harbours' } })
  expect((await other.guest.tenancy.siteSettings()).seo.description).toBeNull()
})

test('of two people who change settings at once, the second is told what the first one changed', async () => {
  const { version } = await read()
  const answers = await Promise.allSettled([3, 5].map((deviceLimit) => change(version, { operation: { deviceLimit } })))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(1)
  expect(await failureOf(Promise.reject(refused[0]))).toMatchObject({
    status: 412,
    code: 'VERSION_CONFLICT',
    problem: {
      data: { changes: expect.arrayContaining([expect.objectContaining({ actor: `staff:${staff.email}` })]) },
    },
  })
  expect(await failureOf(staff.client.admin.settings.update({}))).toMatchObject({ status: 400 })
})

test('two people who change different settings do not collide, and those who change the same are told of these alone', async () => {
  const { version } = await read()
  await change(version, { business: { phone: '+44 1', address: 'Quay 1' } })
  await change(version, { operation: { streamLimit: 4 }, translations: { ko: { 'base.name': '항구' } } })
  const both = await change(version, { seo: { title: 'Harbour', description: 'Films' }, menu: [] })
  expect(both.settings).toMatchObject({
    business: { phone: '+44 1', address: 'Quay 1' },
    operation: { streamLimit: 4 },
    seo: { title: 'Harbour' },
    translations: { ko: { 'base.name': '항구' } },
  })
  // A form sends all of its settings, also those that it has not changed.
  for (const [input, name] of [
    [{ business: { company: 'Quay Ltd.', phone: null } }, 'business.phone'],
    [{ translations: { ko: { 'base.name': '부두' } } }, 'base.name.ko'],
    [{ menu: null }, 'menu'],
  ] as const) {
    const refused = await failureOf(change(version, input))
    expect(refused).toMatchObject({
      status: 412,
      code: 'VERSION_CONFLICT',
      problem: { data: { version: both.version } },
    })
    const { changes } = refused.problem.data as { changes: { changes: object }[] }
    expect(Object.keys(changes[0]!.changes)).toContain(name)
    expect(
      changes.every((entry) =>
        Object.keys(input).some((group) =>
          JSON.stringify(entry.changes).includes(group === 'translations' ? 'ko' : group),
        ),
      ),
    ).toBe(true)
  }
  await change(both.version, { business: { company: 'Quay Ltd.', phone: null }, menu: null })
  for (const other of ['"nonsense"', 'AAAAAAAAAAAAAAAAAAAAAA'])
    expect(await failureOf(change(other, { seo: { title: 'Other' } }))).toMatchObject({ code: 'VERSION_CONFLICT' })
})

test('what does not fit is refused by field in the language of the person, and nothing is changed', async () => {
  const { version } = await read()
  const refused = await failureOf(
    change(version, {
      base: { locale: 'ja', timeZone: '+09:00', dateFormat: 'yy', name: 'New name' },
      theme: { accent: 'blue' },
      seo: { publicUrl: 'https://example.com/path' },
      business: { email: 'nobody' },
      translations: { ar: { 'base.name': 'متجر' } },
    }),
  )
  expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
  expect(Object.keys(refused.problem.errors).toSorted()).toEqual([
    'base.dateFormat',
    'base.timeZone',
    'business.email',
    'seo.publicUrl',
    'theme.accent',
    'translations',
  ])
  const korean = await failureOf(change(version, { theme: { accent: 'blue' } }, 'ko'))
  expect(korean.problem.errors['theme.accent']?.[0]).toMatch(/[가-힣]/)
  const tooMany = await failureOf(change(version, { operation: { deviceLimit: 5000 } }))
  expect(tooMany.problem.errors['operation.deviceLimit']).toEqual(['Enter 1000 or less.'])
  const unlisted = await failureOf(change(version, { base: { locale: 'ja' } }))
  expect(unlisted.problem.errors['base.locale']).toEqual(['Choose one of the languages of the store.'])
  expect((await read()).version).toBe(version)
})

test('the currency stays once a product has a price', async () => {
  const { version, hasPrices } = await read()
  expect(hasPrices).toBe(false)
  const korean = await change(version, { base: { currency: 'KRW' } })
  await tenant.createProduct()
  expect((await read()).hasPrices).toBe(true)
  expect(await failureOf(change(korean.version, { base: { currency: 'USD' } }))).toMatchObject({
    code: 'VALIDATION_FAILED',
    problem: { errors: { 'base.currency': [expect.stringContaining('KRW')] } },
  })
})

test('texts in a language that is taken out of the store return with it', async () => {
  const { version } = await read()
  const first = await change(version, { translations: { ko: { 'base.name': '하버' } } })
  const without = await change(first.version, { base: { locales: ['en', 'ja'] } })
  const japanese = await change(without.version, { translations: { ja: { 'base.name': 'ハーバー' } } })
  const back = await change(japanese.version, { base: { locales: ['en', 'ko', 'ja'] } })
  expect(back.settings.translations).toMatchObject({ ko: { 'base.name': '하버' }, ja: { 'base.name': 'ハーバー' } })
})

test('the home page is arranged, seen by visitors without what is hidden, and restored', async () => {
  const category = await tenant.createCategory('Night')
  const before = await read()
  expect(before.settings.homeSections ?? null).toBeNull()
  const homeSections = [
    { kind: 'MOST_PLAYED' as const },
    { kind: 'NEWEST' as const, hidden: true },
    { kind: 'CATEGORY' as const, categoryId: category.id, title: 'At night', titles: { ko: '밤에' } },
  ]
  const after = await change(before.version, { homeSections })
  expect(after.settings.homeSections).toEqual(homeSections)
  expect((await tenant.guest.tenancy.siteSettings()).homeSections).toEqual([homeSections[0], homeSections[2]])
  expect(after.history[0]?.changes).toEqual({ homeSections: { from: null, to: homeSections } })
  const restored = await change(after.version, { homeSections: null })
  expect(restored.settings.homeSections ?? null).toBeNull()
})

test('chosen products are shown in their order while they are on sale, and are not named before that', async () => {
  const [first, second, later] = [
    await tenant.createProduct({ title: 'First' }),
    await tenant.createProduct({ title: 'Second' }),
    await tenant.createProduct({ title: 'Later', saleFrom: '2099-01-01T00:00:00Z' }),
  ]
  const section = {
    kind: 'PRODUCTS' as const,
    id: 'picks',
    title: 'Our picks',
    titles: { ko: '추천' },
    productCodes: [second.code, later.code, first.code],
  }
  const { version } = await read()
  const arranged = await change(version, { homeSections: [section, { kind: 'NEWEST' }] })
  expect((await tenant.guest.tenancy.siteSettings()).homeSections).toEqual([
    { ...section, productCodes: [] },
    { kind: 'NEWEST' },
  ])
  const chosen = async (id = 'picks') =>
    (await tenant.guest.catalog.chosen({ section: id })).items.map(({ title }) => title)
  expect(await chosen()).toEqual(['Second', 'First'])
  expect(await chosen('others')).toEqual([])
  const { items } = await staff.client.admin.products.list({ codes: [later.code, first.code] })
  expect(items.map(({ code, state }) => [code, state])).toEqual([
    [later.code, 'SCHEDULED'],
    [first.code, 'ON_SALE'],
  ])
  const hidden = await change(arranged.version, { homeSections: [{ ...section, hidden: true }] })
  expect(await chosen()).toEqual([])

  const foreign = await (await createTenant(api)).createProduct()
  for (const [productCodes, reason] of [
    [[foreign.code], 'Choose products that the store has.'],
    [[], 'Choose at least one product for each list.'],
  ] as const)
    expect(
      await failureOf(change(hidden.version, { homeSections: [{ ...section, productCodes: [...productCodes] }] })),
    ).toMatchObject({ problem: { errors: { homeSections: [reason] } } })
  const twice = [section, { ...section, title: 'Others' }]
  expect(await failureOf(change(hidden.version, { homeSections: twice }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  await change(hidden.version, { homeSections: null })
})

test('the menu is arranged, seen by visitors without what is hidden, and restored', async () => {
  const category = await tenant.createCategory('Harbours')
  const { version } = await read()
  const link = { kind: 'LINK' as const, id: 'about', title: 'About', titles: { ko: '소개' }, url: '/pages/about' }
  const menu = [link, { kind: 'CATEGORY' as const, categoryId: category.id }, { kind: 'VIDEOS' as const, hidden: true }]
  const arranged = await change(version, { menu })
  expect((await tenant.guest.tenancy.siteSettings()).menu).toEqual(menu.slice(0, 2))
  expect(arranged.history[0]?.changes).toEqual({ menu: { from: null, to: menu } })
  const foreign = await (await createTenant(api)).createCategory('Foreign')
  for (const [item, field] of [
    [{ ...link, url: 'javascript:alert(1)' }, 'menu.0.url'],
    [{ ...link, url: '//elsewhere.example' }, 'menu.0.url'],
    [{ ...link, title: ' ' }, 'menu.0.title'],
    [{ kind: 'CATEGORY' as const, categoryId: foreign.id }, 'menu'],
  ] as const)
    expect(await failureOf(change(arranged.version, { menu: [item] }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      problem: {
        errors: { [field]: [field.endsWith('url') ? expect.stringContaining('https://') : expect.any(String)] },
      },
    })
  expect(await failureOf(change(arranged.version, { menu: [link, link] }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  const restored = await change(arranged.version, { menu: null })
  expect(restored.settings.menu ?? null).toBeNull()
})

test('an arrangement with one section twice, too many, or a category of another store is refused', async () => {
  const foreign = await (await createTenant(api)).createCategory('Foreign')
  const { version } = await read()
  const category = (id: string) => ({ kind: 'CATEGORY', categoryId: id }) as never
  for (const homeSections of [
    [{ kind: 'NEWEST' }, { kind: 'NEWEST' }],
    [{ kind: 'LATEST' }],
    Array.from({ length: 21 }, () => category(crypto.randomUUID())),
    [{ ...(category(foreign.id) as object), title: 'x'.repeat(101) }],
  ] as never[])
    expect(await failureOf(change(version, { homeSections }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(await failureOf(change(version, { homeSections: [category(foreign.id)] }))).toMatchObject({
    problem: { errors: { homeSections: ['Choose categories that the store has.'] } },
  })
  expect((await read()).version).toBe(version)
})

test('a redirect that leads nowhere is refused with its place, in the language of the person', async () => {
  const { version } = await read()
  const rule = { from: '/films/:name', to: '/products/:name', permanent: true }
  const refused = async (rules: readonly (typeof rule)[]) =>
    (await failureOf(change(version, { routeRules: [...rules] }, 'ko'))).problem.errors
  expect(await refused([rule, { ...rule, to: 'https://elsewhere.example/' }])).toEqual({
    'routeRules[1].to': [expect.stringMatching(/주소/)],
  })
  expect(await refused([{ ...rule, from: 'films?x=1' }])).toEqual({
    'routeRules[0].from': [expect.stringMatching(/주소/)],
  })
  const loop = [
    { from: '/a', to: '/b', permanent: false },
    { from: '/b', to: '/a', permanent: false },
  ]
  expect(await refused(loop)).toEqual({ 'routeRules[0].to': [expect.stringMatching(/되돌아/)] })
  // An address has one target, and the pages of signing in and buying stay.
  expect(await refused([rule, { ...rule, from: '/films/:name/', to: '/videos' }])).toEqual({
    'routeRules[1].from': [expect.stringMatching(/이미/)],
  })
  for (const from of ['/', '/login', '/products/', '/payments'])
    expect(await refused([{ ...rule, from, to: '/faq' }])).toEqual({
      'routeRules[0].from': [expect.stringMatching(/로그인/)],
    })
  const changed = await change(version, { routeRules: [rule], redirectOrigins: ['https://elsewhere.example'] })
  expect(changed.settings).toMatchObject({ routeRules: [rule], redirectOrigins: ['https://elsewhere.example'] })
})
