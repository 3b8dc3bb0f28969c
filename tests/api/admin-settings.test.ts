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
