import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { notices } from '#api/modules/content/content.schema.ts'
import type { Locale } from '#contract/enumerations.ts'
import { beginToPay } from '#tests/support/buying.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { mailTo } from '#tests/support/mails.ts'
import { createFilm } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)

const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')

/**
 * The content in English. Korean is complete except for a few texts, Japanese has only a title.
 */
const files = {
  'categories.csv': csv([
    ['category', 'slug', 'name.ko'],
    ['Films', 'films', '영화'],
    ['Films > Sea', 'sea', ''],
  ]),
  'products.csv': csv([
    [
      'code',
      'title',
      'kind',
      'access',
      'summary',
      'description',
      'categories',
      'tags',
      'title.ko',
      'title.ja',
      'summary.ko',
      'description.ko',
      'tags.ko',
    ],
    [
      'K100',
      'A quiet tide',
      'PAY',
      'PURCHASE_OR_PLAN',
      'The sea at night',
      '<p>Waves.</p>',
      'Films > Sea',
      'sea|night',
      '고요한 물결',
      '静かな潮',
      '밤바다',
      '<p>파도.</p>',
      '바다|밤',
    ],
    ['K200', 'Lantern street', 'PAY', 'PURCHASE', 'Lights', '', 'Films', 'night', '', '', '', '', ''],
  ]),
  // A product without content is not listed.
  'attachments.csv': csv([
    ['product', 'name', 'file'],
    ['K100', 'Workbook.pdf', 'media/workbook.pdf'],
    ['K200', 'Workbook.pdf', 'media/workbook.pdf'],
  ]),
  'media/workbook.pdf': readFileSync('docs/example-store/media/workbook.pdf'),
  'options.csv': csv([
    ['product', 'name', 'type', 'price', 'name.ko'],
    ['K100', 'Own it', 'OWN', '12', '소장'],
    ['K200', 'Own it', 'OWN', '10', ''],
  ]),
  'plans.csv': csv([
    ['code', 'name', 'summary', 'benefits', 'price', 'cycle', 'name.ko', 'benefits.ko'],
    ['pass', 'The pass', 'Everything', 'All films|New ones', '9', 'MONTH', '정기권', '모든 영화|매주 신작|언제든 해지'],
  ]),
  'notices.csv': csv([
    ['title', 'body', 'title.ko', 'body.ko'],
    ['Closed on Friday', '<p>We rest.</p>', '금요일 휴무', ''],
  ]),
  'faq.csv': csv([
    ['group', 'question', 'answer', 'group.ko', 'question.ko', 'answer.ko'],
    ['Payment', 'How do I pay?', '<p>By card.</p>', '결제', '어떻게 결제하나요?', '<p>카드로요.</p>'],
    ['Payment', 'Is it safe?', '<p>Yes.</p>', '', '', ''],
  ]),
  'pages.csv': csv([
    ['type', 'title', 'body', 'title.ko', 'body.ko'],
    ['terms', 'Terms of use', '<p>Agree.</p>', '이용약관', '<p>동의합니다.</p>'],
    ['about', 'About us', '<p>We.</p>', '', ''],
  ]),
  'banners.csv': csv([
    ['type', 'title', 'text', 'label', 'title.ko', 'label.ko'],
    ['HEADER_BANNER', 'New in November', 'Five films', 'Watch', '11월 신작', '보러 가기'],
  ]),
}

const locales: Locale[] = ['en', 'ko', 'ja']
const settings = () => {
  const plain = plainSettings()
  return {
    ...plain,
    base: { ...plain.base, locales },
    order: { ...plain.order, useSubscribe: true },
    translations: { ko: { 'base.name': '시험 가게' } },
  }
}
const importInto = async (tenant: Tenant, given: Record<string, string | Uint8Array>, ...more: string[]) =>
  run(['catalog', 'import', await folderOf(given), '-c', tenant.code, '--by', 'Jo', ...more])

const translatedStore = async () => {
  const tenant = await createTenant(api, { settings: settings() })
  expect(await importInto(tenant, files)).toMatchObject({ code: 0, err: '' })
  const reader = (language: string, token?: string) =>
    api.client(tenant.code, { headers: { 'accept-language': language }, ...(token && { token }) })
  return { tenant, reader }
}

test('every text for visitors is in their language; a text without a translation is in the store’s, marked with it', async () => {
  const { reader } = await translatedStore()
  const ko = reader('ko')
  const product = await ko.catalog.product({ id: 'K100' })
  expect(product).toMatchObject({
    title: '고요한 물결',
    summary: '밤바다',
    description: '<p>파도.</p>',
    tags: ['sea', 'night'],
    tagLabels: ['바다', '밤'],
    locales,
    categoryPath: [{ name: '영화' }, { name: 'Sea', languages: { name: 'en' } }],
    options: [{ name: '소장' }],
  })
  expect(product.languages).toBeUndefined()
  expect(product.options[0]?.languages).toBeUndefined()
  const japanese = await reader('ja-JP,en;q=0.5').catalog.product({ id: 'K100' })
  expect(japanese).toMatchObject({
    title: '静かな潮',
    summary: 'The sea at night',
    description: '<p>Waves.</p>',
    languages: { summary: 'en', description: 'en' },
    options: [{ name: 'Own it', languages: { name: 'en' } }],
  })
  const untranslated = await ko.catalog.product({ id: 'K200' })
  expect(untranslated).toMatchObject({
    title: 'Lantern street',
    languages: { title: 'en', summary: 'en' },
    locales: ['en'],
    related: [{ title: '고요한 물결' }],
  })
  expect((await ko.catalog.categories()).items).toMatchObject([
    { name: '영화', slug: 'films' },
    { name: 'Sea', languages: { name: 'en' } },
  ])
  expect((await ko.subscriptions.plans()).items).toMatchObject([
    {
      name: '정기권',
      summary: 'Everything',
      languages: { summary: 'en' },
      benefits: ['모든 영화', '매주 신작', '언제든 해지'],
    },
  ])
  const notices = await ko.content.notices({})
  expect(notices.items).toMatchObject([{ title: '금요일 휴무' }])
  expect(await ko.content.notice({ id: notices.items[0]!.id })).toMatchObject({
    title: '금요일 휴무',
    body: '<p>We rest.</p>',
    languages: { body: 'en' },
  })
  expect((await ko.content.faq({})).items).toMatchObject([
    { group: '결제', question: '어떻게 결제하나요?', answer: '<p>카드로요.</p>' },
    { group: '결제', question: 'Is it safe?', languages: { question: 'en', answer: 'en' } },
  ])
  expect((await ko.content.faq({ q: '카드' })).items).toHaveLength(1)
  expect(await ko.content.page({ type: 'terms' })).toMatchObject({ title: '이용약관', body: '<p>동의합니다.</p>' })
  expect((await ko.content.pages()).items).toMatchObject([
    { type: 'about', title: 'About us', languages: { title: 'en' } },
    { type: 'terms', title: '이용약관' },
  ])
  expect((await ko.content.banners()).items).toMatchObject([
    { title: '11월 신작', text: 'Five films', label: '보러 가기', languages: { text: 'en' } },
  ])
})

test('a request in a language the store does not have is answered in the store’s own', async () => {
  const { reader } = await translatedStore()
  const product = await reader('fr,ar;q=0.8').catalog.product({ id: 'K100' })
  expect(product.title).toBe('A quiet tide')
  expect(product.languages).toBeUndefined()
})

test('concurrent answers in two languages are never mixed', async () => {
  const { tenant, reader } = await translatedStore()
  const expected = { en: 'A quiet tide', ko: '고요한 물결', ja: '静かな潮' } as const
  const rounds = Array.from({ length: 30 }, (_, round) => locales[round % locales.length]!)
  const answers = await Promise.all(
    rounds.map(async (language) => {
      const client = reader(language)
      const [{ items, facets }, suggested, categories, product] = await Promise.all([
        client.catalog.search({ q: 'tide' }),
        client.catalog.suggest({ q: 'tide' }),
        client.catalog.categories(),
        client.catalog.product({ id: 'K100' }),
      ])
      return {
        language,
        titles: [items[0]!.title, suggested.products[0]!.title, product.title],
        film: [categories.items[0]!.name, facets.category[0]!.label],
      }
    }),
  )
  for (const { language, titles, film } of answers) {
    expect(new Set(titles)).toEqual(new Set([expected[language as keyof typeof expected]]))
    expect(new Set(film)).toEqual(new Set([language === 'ko' ? '영화' : 'Films']))
  }
  const response = await api.fetch(
    new Request(`${api.origin}/api/v1/customers/${tenant.code}/categories`, { headers: { 'accept-language': 'ko' } }),
  )
  expect(response.headers.get('content-language')).toBe('ko')
  expect(response.headers.get('vary')).toContain('accept-language')
})

test('a product is found by its words in any of its languages, under the title of the reader’s', async () => {
  const { reader } = await translatedStore()
  for (const [language, title] of [
    ['en', 'A quiet tide'],
    ['ko', '고요한 물결'],
  ] as const) {
    const client = reader(language)
    for (const q of ['quiet', '물결', 'ㅁㄱ', '静かな', '밤바다', '바다']) {
      const results = await client.catalog.search({ q })
      expect([language, q, results.items.map((item) => item.title)]).toEqual([language, q, [title]])
    }
  }
  const { facets } = await reader('ko').catalog.search({})
  expect(facets.tag).toMatchObject([
    { value: 'night', label: '밤', count: 2 },
    { value: 'sea', label: '바다', count: 1 },
  ])
  expect((await reader('ko').catalog.search({ tag: 'sea' })).total).toBe(1)
  expect((await reader('en').catalog.suggest({ q: '영화' })).categories).toMatchObject([{ name: 'Films' }])
})

test('translations are exported and imported unchanged, one cell at a time, as CSV and as JSON', async () => {
  const { tenant, reader } = await translatedStore()
  const folder = await folderOf({})
  expect(await run(['catalog', 'export', folder, '-c', tenant.code])).toMatchObject({ code: 0 })
  const text = await readFile(join(folder, 'products.csv'), 'utf8')
  expect(text.split('\r\n', 1)[0]).toContain('title.ko,title.ja,summary.ko,summary.ja')
  const again = await run(['catalog', 'import', folder, '-c', tenant.code, '--remove'])
  expect(again).toMatchObject({ code: 0, err: '' })
  for (const table of Object.keys(files).filter((name) => name.endsWith('.csv')))
    expect(again.out).toMatch(new RegExp(`${table.replace('.', '\\.')}\\s+0\\s+0\\s+[1-9]`))

  const json = join(folder, 'all.json')
  expect((await run(['catalog', 'export', json, '-c', tenant.code])).code).toBe(0)
  const fromJson = await run(['catalog', 'import', json, '-c', tenant.code])
  expect(fromJson).toMatchObject({ code: 0, err: '' })
  expect(fromJson.out).toMatch(/products\s+0\s+0\s+2/)

  await writeFile(join(folder, 'products.csv'), text.replace('고요한 물결', '고요한 바다의 물결'))
  expect((await run(['catalog', 'import', folder, '-c', tenant.code])).out).toMatch(/products\.csv\s+0\s+1\s+1/)
  expect((await reader('ko').catalog.product({ id: 'K100' })).title).toBe('고요한 바다의 물결')
  expect((await reader('ja').catalog.product({ id: 'K100' })).title).toBe('静かな潮')

  // A file without the columns changes nothing, an empty cell removes a translation.
  const plain = {
    'products.csv': csv([
      ['code', 'title', 'kind', 'title.ja'],
      ['K100', 'A quiet tide', 'PAY', ''],
    ]),
  }
  expect((await importInto(tenant, plain)).out).toMatch(/products\.csv\s+0\s+1\s+0/)
  expect((await reader('ja').catalog.product({ id: 'K100' })).title).toBe('A quiet tide')
  expect((await reader('ko').catalog.product({ id: 'K100' })).title).toBe('고요한 바다의 물결')
})

test('chapters and files of a notice have names in each language, paired by their order', async () => {
  const { tenant, reader } = await translatedStore()
  const film = await createFilm(tenant)
  const titles = ['Opening', 'At sea', 'The end']
  await tenant.within(async (db) => {
    const chapters = titles.map((title, at) => ({ startSeconds: at * 10, title }))
    await db.update(videos).set({ chapters }).where(eq(videos.id, film.video.id))
    const attachments = ['Plan.pdf', 'Map.pdf'].map((name) => ({ name, bytes: 1, url: `/media/public/${name}` }))
    await db.update(notices).set({ attachments })
  })
  const translated = {
    'products.csv': csv([
      ['code', 'title', 'kind', 'chapters.ko'],
      [film.code, 'A film', 'VOD', '시작|바다에서'],
    ]),
    'notices.csv': csv([
      ['title', 'body', 'attachment_names.ko'],
      ['Closed on Friday', '<p>We rest.</p>', '계획.pdf|지도.pdf'],
    ]),
  }
  expect(await importInto(tenant, translated)).toMatchObject({ code: 0, err: '' })
  const ko = reader('ko', (await tenant.createMember()).token)
  const product = await ko.catalog.product({ id: film.code })
  expect(product.chapters).toEqual([
    { startSeconds: 0, title: '시작' },
    { startSeconds: 10, title: '바다에서' },
    { startSeconds: 20, title: 'The end', languages: { title: 'en' } },
  ])
  expect((await reader('en').catalog.product({ id: film.code })).chapters.map(({ title }) => title)).toEqual(titles)
  const { items } = await ko.content.notices({})
  const notice = await ko.content.notice({ id: items[0]!.id })
  expect(notice.attachments.map(({ name }) => name)).toEqual(['계획.pdf', '지도.pdf'])
  const folder = await folderOf({})
  expect(await run(['catalog', 'export', folder, '-c', tenant.code])).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'products.csv'), 'utf8')).toContain('시작|바다에서')
})

test('a column of an unknown language is refused with the known ones, and so are tags that do not pair', async () => {
  const { tenant } = await translatedStore()
  const input = {
    'products.csv': csv([
      ['code', 'title', 'kind', 'tags', 'tags.ko', 'title.ar', 'title.en', 'titel.ko'],
      ['K300', 'New', 'PAY', 'sea|night', '바다', 'جديد', 'New', ''],
    ]),
  }
  const { code, err } = await importInto(tenant, input, '--dry-run')
  expect(code).toBe(1)
  expect(err).toContain('title.ar')
  expect(err).toContain('must be in a language of the store: title.ko, title.ja.')
  expect(err).toContain('en is the default language of the store')
  expect(err).toMatch(/titel\.ko.*is not a column of products\. Did you mean title\.ko\?/)
  expect(err).toContain('must have as many entries as tags, in the same order: 2')
})

test('settings are translated one text at a time, in the store’s languages alone', async () => {
  const { tenant, reader } = await translatedStore()
  const set = (...args: string[]) => run(['settings', 'set', '-c', tenant.code, '--by', 'Jo', ...args])
  expect(await set('seo.description.ko', '조용한 영화')).toMatchObject({ code: 0 })
  expect((await reader('ko').tenancy.siteSettings()).translations).toEqual({
    ko: { 'base.name': '시험 가게', 'seo.description': '조용한 영화' },
  })
  expect(await set('base.name.ko', 'null')).toMatchObject({ code: 0 })
  expect((await reader('ko').tenancy.siteSettings()).translations).toEqual({ ko: { 'seo.description': '조용한 영화' } })
  expect(await set('base.name.ar', 'متجر')).toMatchObject({ code: 1, err: expect.stringContaining('base.locales') })
})

test('an order shows its products in the reader’s language; receipt and mail keep the texts of the purchase', async () => {
  const { tenant, reader } = await translatedStore()
  const member = await tenant.createMember()
  const ko = reader('ko', member.token)
  const { id, options } = await ko.catalog.product({ id: 'K100' })
  const { refundPolicy } = tenant.settings.order
  const buy = { buyNow: { productId: id, optionId: options[0]!.id }, refundPolicyVersion: refundPolicy.version }
  const keyed = api.client(tenant.code, {
    token: member.token,
    idempotencyKey: crypto.randomUUID(),
    headers: { 'accept-language': 'ko' },
  })
  const order = await keyed.orders.placeOrder(buy)
  expect(order.items).toMatchObject([{ product: { title: '고요한 물결' }, optionName: '소장' }])

  const { page, paymentId } = await beginToPay(api, tenant, member, order)
  await page.pay('4242 4242 4242 4242')
  await member.client.billing.confirmPayment({ id: paymentId })
  expect((await mailTo(tenant, member.email)).text).toContain('고요한 물결')

  const changed = {
    'products.csv': csv([
      ['code', 'title', 'kind', 'title.ko'],
      ['K100', 'Another title', 'PAY', '다른 제목'],
    ]),
  }
  expect(await importInto(tenant, changed)).toMatchObject({ code: 0 })
  expect((await ko.orders.order({ code: order.code })).items[0]).toMatchObject({
    product: { title: '고요한 물결' },
    optionName: '소장',
  })
  const en = await reader('en', member.token).orders.order({ code: order.code })
  expect(en.items[0]).toMatchObject({ product: { title: 'Another title' }, optionName: 'Own it' })
  expect([en.items[0]?.languages, en.items[0]?.product.languages?.title]).toEqual([undefined, undefined])
  const listed = async (language: string) => (await reader(language, member.token).orders.orders({})).items[0]
  expect([(await listed('en'))?.title, (await listed('en'))?.languages]).toEqual(['Another title', undefined])
  expect([(await listed('ko'))?.title, (await listed('ko'))?.languages]).toEqual(['고요한 물결', undefined])
  // An option without a translation keeps its text of the purchase, marked with its language.
  expect((await reader('ja', member.token).orders.order({ code: order.code })).items[0]).toMatchObject({
    product: { title: '静かな潮' },
    optionName: '소장',
    languages: { optionName: 'ko' },
  })
  expect(await listed('ja')).toMatchObject({ title: '静かな潮' })
  const foreignReceipt = await reader('en', member.token).billing.receipt({ code: order.code })
  expect(foreignReceipt.order.items[0]).toMatchObject({
    product: { title: '고요한 물결', languages: { title: 'ko' } },
    optionName: '소장',
  })
  const receipt = await ko.billing.receipt({ code: order.code })
  expect([receipt.seller.name, receipt.order.items[0]?.product.title]).toEqual(['시험 가게', '고요한 물결'])
})

test('the history of a subscription keeps the plan’s name at the time, in each language', async () => {
  const { tenant, reader } = await translatedStore()
  const [plan] = (await reader('en').subscriptions.plans()).items
  const { member } = await subscriber(api, tenant, plan!)
  const renamed = {
    'plans.csv': csv([
      ['code', 'name', 'price', 'cycle', 'name.ko'],
      ['pass', 'Another name', '9', 'MONTH', '다른 이름'],
    ]),
  }
  expect(await importInto(tenant, renamed)).toMatchObject({ code: 0, err: '' })
  const namesIn = async (language: string) => {
    const { items } = await reader(language, member.token).subscriptions.subscriptionHistory({})
    return [...new Set(items.map(({ planName, languages }) => [planName, languages?.planName].join(' ').trim()))]
  }
  expect(await namesIn('en')).toEqual(['The pass'])
  expect(await namesIn('ko')).toEqual(['정기권'])
  expect(await namesIn('ja')).toEqual(['The pass en'])

  // As a process of the previous release writes them.
  await api.owner.execute(
    sql`UPDATE subscription_events SET plan_name = '', plan_translations = '{}' WHERE customer_id = ${tenant.id}`,
  )
  expect(await namesIn('en')).toEqual(['Another name'])
  expect(await namesIn('ko')).toEqual(['다른 이름'])
})
