import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { launchChecklist } from '#api/modules/admin/launch-checklist.ts'
import { attachments, lessons, videos } from '#api/modules/catalog/catalog.schema.ts'
import { refreshProducts } from '#api/modules/catalog/product-search.queries.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { plans } from '#api/modules/plans/plans.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { audit } from '#api/platform/audit.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'
import { createProgram } from '#cli/program.ts'
import type { LessonId, PlanId, ProductCode, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import { apiBase } from '#contract/index.ts'
import type { VideoJob } from '#contract/videos.ts'
import { buy } from '#tests/support/buying.ts'
import { type CommandAnswer, commandOf, quickCommandOf } from '#tests/support/command.ts'
import { faultOf } from '#tests/support/command-lines.ts'
import { addAttachment } from '#tests/support/media.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, tenantOf } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
/** As a process of its own, where that is the point. */
const runApart = commandOf(api)
const patience = 180_000
const example = 'docs/example-store'

/** A store of the test's own, made by the command. */
const createStore = async (command = run) => {
  const code = `s-${randomUUID().slice(0, 8)}`
  const usual = [
    '--code',
    code,
    '--name',
    'Acme Films',
    '--locale',
    'ko',
    '--currency',
    'KRW',
    '--timezone',
    'Asia/Seoul',
  ]
  const made = await command(['customer', 'create', ...usual, '--host', `${code}.example.com`, '--by', 'Jo'])
  return { code, made }
}

const storeNamed = async (code: string) => {
  const customer = await resolveCustomer(api.deps, code)
  if (!customer) throw new Error(`There is no store ${code}`)
  return tenantOf(api, customer)
}

const isKept = async (url: string) => {
  const key = parseMediaKey(url.replace(/^\/media\//, ''))
  return key !== null && (await api.deps.storage.open(key)) !== null
}

test(
  'one command makes a store, the example fills it, and a member buys there',
  async () => {
    const { code, made } = await createStore(runApart)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toContain(`http://${code}.example.com`)
    expect(made.out).toMatch(/The page terms is still a draft/)
    expect(made.out).toContain(`settings set -c ${code} business.company`)
    expect(made.out).toContain('No product is on sale.')
    const bearer = /mqo_\S+/.exec(made.out)?.[0]
    expect(bearer).toBeDefined()

    // Its host leads to it; it is closed, but for whoever has its preview link, and drafts say that they are.
    const at = await api.fetch(new Request(`${api.origin}${apiBase}/tenants/resolve?host=${code}.example.com`))
    expect(await at.json()).toEqual({ customerCode: code })
    expect((await failureOf(api.client(code).content.page({ type: 'terms' }))).code).toBe('STORE_NOT_OPEN')
    const token = /\/\?preview=(\S+)/.exec(made.out)?.[1] ?? ''
    const preview = api.client(code, { headers: { 'x-preview-token': token } })
    expect((await preview.content.page({ type: 'terms' })).body).toContain('[DRAFT]')

    const dry = await run(['catalog', 'import', example, '-c', code, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toContain('Dry run: no changes were saved.')
    expect((await preview.catalog.search({})).total).toBe(0)

    const imported = await runApart(['catalog', 'import', example, '-c', code, '--by', 'Jo'])
    expect(imported).toMatchObject({ code: 0, err: '' })
    expect(imported.out).toMatch(/products\.csv\s+3\s+0\s+0\s+0/)
    expect(imported.out).toMatch(/pages\.csv\s+0\s+4\s+0\s+0/)
    expect((await runApart(['payment-provider', '-c', code, 'sandbox'])).code).toBe(0)
    expect((await run(['customer', 'open', code, '--force'])).out).toContain(`${code} is open.`)

    const store = await storeNamed(code)
    const titles = async () => (await store.guest.catalog.search({ sort: 'sort,DESC' })).items.map(({ title }) => title)
    expect(imported.out).toContain('One product has nothing to watch or download yet: F100.')
    expect(await titles()).toEqual(['Drawing with one line', 'Sketch sheets'])
    const waiting = await store.guest.catalog.product({ id: 'F100' })
    expect(waiting).toMatchObject({ ready: false, options: [] })
    const attachmentId = await addAttachment(store, waiting.id, 'stills.pdf', 'attachments/stills.pdf')
    expect(await titles()).toEqual(['The harbour at dusk', 'Drawing with one line', 'Sketch sheets'])
    const film = await store.guest.catalog.product({ id: 'F100' })
    expect(film.categoryPath.map(({ name }) => name)).toEqual(['Films', 'Drama'])
    expect(film.options.map(({ name, price }) => [name, price])).toEqual([
      ['Rent for two days', { amount: 3000, currency: 'KRW' }],
      ['Own it', { amount: 9000, currency: 'KRW' }],
    ])
    expect(film.poster).toMatchObject({ width: 960, height: 540, alt: 'The harbour at dusk' })
    expect(film.poster.sources.map(({ width }) => width)).toEqual([320, 640, 960])
    for (const { url } of [...film.poster.sources, ...film.gallery, film.posterTall!])
      expect(await isKept(url)).toBe(true)
    const [banner] = (await store.guest.content.banners()).items
    expect(banner).toMatchObject({ title: 'The harbour at dusk', link: { target: 'PRODUCT', productCode: 'F100' } })
    expect((await store.guest.tenancy.siteSettings()).base.logoPublicUrl).toMatch(/^\/media\/brand\/.+\.svg$/)
    expect(await isKept((await store.guest.tenancy.siteSettings()).base.logoPublicUrl!)).toBe(true)

    const member = await store.createMember()
    const course = await member.client.catalog.product({ id: 'K100' })
    const order = await buy(api, store, member, { ...course, optionId: course.options[0]!.id })
    expect(order).toMatchObject({ status: 'PAYMENT_COMPLETE', total: { amount: 15_000, currency: 'KRW' } })
    const [workbook] = (await member.client.catalog.attachments({ id: course.id })).items
    expect(workbook).toMatchObject({ name: 'Workbook.pdf', contentType: 'application/pdf', available: true })

    await store.within((db) => db.delete(attachments).where(eq(attachments.id, attachmentId)))
    // Nothing is added twice, and nothing is written where nothing changed.
    const version = (await resolveCustomer(api.deps, code))!.version
    const again = await run(['catalog', 'import', example, '-c', code])
    expect(again.out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    expect(again.out).toMatch(/settings\s+0\s+0\s+\d+/)
    expect((await resolveCustomer(api.deps, code))!.version).toBe(version)

    const check = await run(['customer', 'check', code])
    expect(check.code).toBe(0)
    expect(check.out).toContain('Nothing is missing.')
    expect(check.out).toContain('· Payments are tests: in development, the sandbox takes them and no money moves.')
    expect(check.out).toContain('· One product on sale without a video, so not listed yet: F100.')
    expect(check.out).toContain(
      '· One product on sale with lessons that have no video; these lessons are not listed yet: K100.',
    )
    expect(check.out).not.toMatch(/draft|logo|company|No product/)
    const acts = await store.within((db) => db.select().from(audit))
    expect(new Set(acts.map(({ action }) => action))).toEqual(
      new Set([
        'store.created',
        'store.opened',
        'operator-token.created',
        'catalog.imported',
        'settings.changed',
        'payment-provider.chosen',
      ]),
    )
  },
  patience,
)

test(
  'what a store sells without a video is named, and what failed only as long as nothing came after it',
  async () => {
    const tenant = await createTenant(api)
    const product = async (code: string, kind: 'PAY' | 'VOD', more: { status?: 'HIDDEN'; price?: null } = {}) =>
      (await tenant.createProduct({ file: false, code, kind, ...more })).id
    const [film, course, parts] = [
      await product('F1', 'VOD'),
      await product('C1', 'PAY'),
      await product('C2', 'PAY', { price: null }),
    ]
    await product('N1', 'PAY')
    await product('H1', 'PAY', { status: 'HIDDEN' })
    const video = newId<VideoId>()
    const lesson = (productId: ProductId, sort: number, videoId: VideoId | null = null) => {
      const id = newId<LessonId>()
      return { customerId: tenant.id, id, productId, sort, title: `Lesson ${sort}`, videoId }
    }
    const waiting = lesson(parts, 2)
    await tenant.within(async (db) => {
      await db.insert(videos).values({ customerId: tenant.id, id: video, asset: `video/${video}`, durationSeconds: 60 })
      await db.insert(lessons).values([lesson(course, 1), lesson(parts, 1, video), waiting])
      await refreshProducts(db, tenant.id)
    })
    const job = (productId: ProductId, lessonId: LessonId | null, status: VideoJob['status'], minute: number) =>
      tenant.within((db) =>
        db.insert(videoJobs).values({
          ...{ customerId: tenant.id, id: newId<VideoJobId>(), productId, lessonId, videoId: newId<VideoId>(), status },
          ...{ sourceKey: 'sources/a.mp4', sourceName: 'a.mp4', sourceBytes: 1, actor: 'admin:Jo' },
          ...{ options: { captions: [], audio: [], chapters: [] }, createdAt: `2026-11-01T10:0${minute}:00Z` },
        }),
      )
    await job(film, null, 'FAILED', 1)
    await job(parts, waiting.id, 'FAILED', 1)

    const { out } = await run(['customer', 'check', tenant.code])
    expect(out).toContain('· One product on sale without a video, so not listed yet: F1.')
    expect(out).toContain('· One product on sale whose lessons have no video, so not listed yet: C1.')
    expect(out).toContain('· One product on sale with neither a video nor a file, so not listed yet: N1.')
    expect(out).toContain(
      '· One product on sale with lessons that have no video; these lessons are not listed yet: C2.',
    )
    expect(out).toContain('· 2 products on sale whose video could not be made into a stream: C2, F1.')
    // Each remedy is a command there is; what stands beside one is prose.
    const program = createProgram()
    const remedies = out.match(/^ {4}.+$/gm)!.flatMap((line) => line.trim().split(/, (?=[a-z])/))
    const lines = remedies.filter((line) => !/^(?:with|write|set) /.test(line))
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.map((line) => faultOf(program, line)).filter(Boolean)).toEqual([])

    await job(film, null, 'READY', 2)
    await job(parts, waiting.id, 'QUEUED', 2)
    expect((await run(['customer', 'check', tenant.code])).out).not.toContain('could not be made')
  },
  patience,
)

test('the launch checklist names plans that cover nothing, and banners that lead to what is not available', async () => {
  const settings = plainSettings()
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  const check = async () => (await run(['customer', 'check', tenant.code])).out
  const category = await tenant.createCategory('Films')
  const below = await tenant.createCategory('Short films', category)
  const plan = { customerId: tenant.id, name: 'Plan', priceAmount: 900, currency: 'USD', cycle: 'MONTH' as const }
  const banner = { customerId: tenant.id, type: 'BANNER' as const }
  await tenant.within(async (db) => {
    await db.insert(plans).values([
      { ...plan, id: newId<PlanId>(), code: 'everything', scope: 'ALL' },
      { ...plan, id: newId<PlanId>(), code: 'films', scope: 'CATEGORIES', categoryIds: [category.id] },
      { ...plan, id: newId<PlanId>(), code: 'chosen', scope: 'PRODUCTS' },
    ])
    await db.insert(banners).values([
      { ...banner, id: newId(), title: 'Gone', link: { target: 'PRODUCT', productCode: 'NOWHERE' as ProductCode } },
      { ...banner, id: newId(), title: 'Here', link: { target: 'PRODUCT', productCode: 'F1' as ProductCode } },
    ])
  })
  expect(await check()).toContain('Plans that cover no product on sale, so not offered yet: chosen, everything, films.')
  expect(await check()).toContain('Banners that lead to a product or plan that is not available: Gone, Here.')
  await tenant.createProduct({ code: 'F1', access: 'PURCHASE_OR_PLAN', categoryIds: [below.id] })
  expect(await check()).toContain('Plans that cover no product on sale, so not offered yet: chosen.')
  expect(await check()).toContain('that is not available: Gone.')
})

test('the launch checklist asks in production for payments, mails and a public host, and elsewhere only mentions them', async () => {
  const tenant = await createTenant(api)
  const check = async (environment: 'production' | 'demo' | 'development', sendsMail = false) => {
    const customer = (await resolveCustomer(api.deps, tenant.code))!
    const items = await tenant.within((db) => launchChecklist({ db, customer }, { sendsMail, environment }))
    const said = (state: string) => items.filter((item) => item.state === state).map(({ what }) => what)
    return { missing: said('MISSING'), advised: said('ADVISED') }
  }
  await tenant.createProduct({ file: false, kind: 'VOD', code: 'F1', price: 900 })
  await payAt(api, tenant, 'sandbox')
  await run([
    'customer',
    'domains',
    tenant.code,
    '--add',
    `${tenant.code}.localhost`,
    '--remove',
    `${tenant.code}.test`,
  ])

  const production = await check('production')
  const problems = [
    'All its hosts are under localhost, which only this machine can reach.',
    'The payment provider is the sandbox: no money moves.',
    'No mail server is set, so nobody can join or reset a password.',
    'No product on sale has anything to watch or download.',
  ]
  expect(production.missing).toEqual(expect.arrayContaining(problems))
  expect(JSON.stringify(production)).not.toMatch(/development|demo|mailbox/)
  expect((await check('production', true)).missing).not.toContain(problems[2])
  for (const environment of ['demo', 'development'] as const) {
    const { missing, advised } = await check(environment)
    expect(missing.filter((what) => problems.includes(what))).toEqual([problems[3]])
    expect(advised.join('\n')).toContain(`Payments are tests: in ${environment},`)
    expect(advised.join('\n')).toContain(`Emails are not sent in ${environment};`)
  }
  // What belongs to the store itself is missing everywhere.
  const own = (what: string) => /page|company|product/i.test(what)
  expect((await check('demo')).missing.filter(own)).toEqual(production.missing.filter(own))

  // One product that can be sold is enough; the other one is mentioned.
  await tenant.createProduct({ price: 900 })
  const one = await check('production')
  expect(one.missing.join('\n')).not.toMatch(/product/i)
  expect(one.advised).toContain('One product on sale without a video, so not listed yet: F1.')
  expect(one.advised.join('\n')).toContain('One product on sale of the kind VOD with a file but no video: ')
})

test(
  'a store that cannot be is refused in a sentence, and one that is can be closed, opened and moved',
  async () => {
    const { code } = await createStore()
    const usual = ['--name', 'B', '--currency', 'USD', '--timezone', 'UTC']
    const refused = [
      { args: ['--code', code, ...usual], says: `There is a store with the customer code ${code} already.` },
      {
        args: ['--code', `${code}x`, ...usual, '--host', `${code}.example.com`],
        says: `belongs to the store ${code} already`,
      },
      { args: ['--code', 'Not A Code', ...usual], says: 'cannot be a customer code' },
      {
        args: ['--code', `${code}y`, ...usual, '--host', 'https://x.example.com/'],
        says: 'Enter a host without scheme and port',
      },
      {
        args: ['--code', `${code}y`, ...usual, '--host', 'films.example.c'],
        says: 'Enter a host without scheme and port',
      },
      {
        args: ['--code', `${code}z`, '--name', 'B', '--currency', 'WON', '--timezone', 'UTC'],
        says: 'must be a currency',
      },
      {
        args: ['--code', `${code}z`, '--name', 'B', '--currency', 'USD', '--timezone', 'Mars'],
        says: 'must be a time zone',
      },
      {
        args: ['--code', code, '--currency', 'WON'],
        says: /--name is missing: .*"Acme Films".*\n--timezone is missing: .*Seoul.*\n--currency: “WON” must be .*\nThere is a store/,
      },
    ]
    const answers: CommandAnswer[] = []
    for (const { args } of refused) answers.push(await run(['customer', 'create', ...args]))
    for (const [at, { says }] of refused.entries()) {
      expect(answers[at]?.err).toMatch(says)
      expect(answers[at]?.code).not.toBe(0)
    }
    expect((await run(['customer', 'list'])).out).not.toContain(`${code}z`)

    await run(['customer', 'open', code, '--force'])
    await run(['customer', 'suspend', code])
    expect(await api.client(code).tenancy.contract()).toMatchObject({ useSite: false, useCustomer: true })
    await run(['customer', 'open', code])
    expect(await api.client(code).tenancy.contract()).toMatchObject({ useSite: true, useCustomer: true })
    const moved = await run([
      'customer',
      'domains',
      code,
      '--add',
      'Neu.Example.com',
      '--remove',
      `${code}.example.com`,
    ])
    expect(moved.out.trim()).toMatch(/^http:\/\/neu\.example\.com/)
  },
  patience,
)

test(
  'what others wrote moves nothing on the screen of who lists it',
  async () => {
    const { code } = await createStore()
    await run(['settings', 'set', '-c', code, '--by', 'Jo\u001b[2J\u0007', 'base.name', 'Neon'])
    const { out } = await runApart(['audit', '-c', code])
    expect(out).toContain('admin:Jo')
    expect(out).not.toMatch(/[^\P{Cc}\n]/u)
  },
  patience,
)

test(
  'settings are changed by name, and what is wrong is named with what would be right',
  async () => {
    const { code } = await createStore()
    const set = (name: string, value: string) => run(['settings', 'set', '-c', code, name, value])
    expect((await set('base.name', 'Neon & Söhne')).out).toMatch(/base\.name: ".*" → "Neon & Söhne"\nChanged: 1\./)
    expect((await run(['settings', 'get', '-c', code, 'base.name'])).out.trim()).toBe('"Neon & Söhne"')
    expect((await api.client(code).tenancy.siteSettings()).base.name).toBe('Neon & Söhne')
    expect((await set('order.methods', 'CARD')).out).toContain('order.methods: ["CARD","BANK"] → ["CARD"]')
    expect((await set('base.locales', 'ko, ja')).out).toContain('→ ["ko","ja"]')
    const given = await api.client(code).tenancy.siteSettings()
    expect([given.order.methods, given.base.locales]).toEqual([['CARD'], ['ko', 'ja']])
    const group = await run(['settings', 'get', '-c', code, 'theme'])
    expect(group.out).toMatch(/theme\.accent +"#[0-9a-f]{6}"\s+theme\.surface/)
    expect(group.out).not.toContain('base.')
    // A whole path names a file as a short one does.
    expect((await set('base.logoPublicUrl', resolve(example, 'media/logo.svg'))).out).toContain('Changed')
    const logo = (await api.client(code).tenancy.siteSettings()).base.logoPublicUrl!
    expect(logo).toMatch(/^\/media\/brand\/.+\.svg$/)
    expect(await isKept(logo)).toBe(true)
    const wrong = [
      ['bas.name', 'x'],
      ['base.currency', 'EURO'],
      // A distance from UTC is no zone: the database reads its sign the other way round.
      ['base.timeZone', '+09:00'],
      ['theme.accent', 'blue'],
      ['theme.surface', 'grey'],
      ['operation.useLogin', 'perhaps'],
      ['order.refundDays', '-1'],
      ['base.logoPublicUrl', '../../etc/passwd'],
      ['base.logoPublicUrl', '/nowhere/logo.svg'],
      ['base.logoPublicUrl', '/media/video/a/logo.svg'],
      ['base.logoPublicUrl', '/media/brand/a/none.svg'],
      ['order.methods', 'CARD,COINS'],
      ['theme', 'dark'],
      ['business.email', 'nobody'],
      ['seo.publicUrl', 'https://example.c'],
      ['seo.publicUrl', 'https://films.example.com/shop'],
      ['redirectOrigins', 'https://example.com,https://help.example.c'],
      ['seo.ogImagePublicUrl', 'https://example.c/share.jpg'],
      ['routeRules', '[{"from":"/out","to":"https://evil.example/","permanent":true}]'],
      ['base.faviconPublicUrl', 'http://10.0.0.1/favicon.ico'],
    ]
    const says = [
      'Did you mean base.name?',
      'must be a currency by its three letters, for example KRW or USD',
      'must be a time zone, for example Asia/Seoul or Europe/Berlin',
      'must be a colour as #rrggbb',
      'must be light, dark, or system',
      'must be true or false',
      'must be days from 0 to 3650',
      'must be a path below the folder',
      'or one the store serves (/media/brand/…)',
      'or one the store serves (/media/brand/…)',
      'there is none at this address',
      'must list CARD, BANK or both',
      'theme is a group. Its settings are: theme.accent, theme.surface',
      'must be an email address',
      'the domain of the store, without a path, for example https://films.example.com',
      'the domain of the store, without a path, for example https://films.example.com',
      'must list origins, each http:// or https:// and a domain without a path',
      'or one the store serves (/media/brand/…)',
      'routeRules[0].to',
      'or one the store serves (/media/brand/…)',
    ]
    for (const [at, [name = '', value = '']] of wrong.entries()) {
      const answer = await run(['settings', 'set', '-c', code, name, value])
      expect(answer).toMatchObject({ code: 1, err: expect.stringContaining(says[at]!) })
    }
    // An address at a host of the store leads back to its rules.
    const host = `${code}.example.com`
    expect((await set('redirectOrigins', `https://${host}`)).out).toContain('Changed')
    const loop = `[{"from":"/a","to":"https://${host}/b","permanent":true},{"from":"/b","to":"/a","permanent":true}]`
    expect((await set('routeRules', loop)).err).toContain('must not form a redirect loop: /a → /b → /a')
    // What stands in the currency holds it.
    await run(['catalog', 'import', example, '-c', code])
    expect((await set('base.currency', 'USD')).err).toContain('must stay KRW: the store has products or plans in it')
  },
  patience,
)
