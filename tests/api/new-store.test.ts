import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { attachments } from '#api/modules/catalog/catalog.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'
import { apiBase } from '#contract/http.ts'
import { buy } from '#tests/support/buying.ts'
import { type CommandAnswer, commandOf, quickCommandOf } from '#tests/support/command.ts'
import { addAttachment } from '#tests/support/media.ts'
import { tenantOf } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
/** The command in a process of its own, for tests that need one. */
const runApart = commandOf(api)
const timeout = 180_000
const example = 'docs/example-store'

/** Creates a store for one test by the command. */
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

const isStored = async (url: string) => {
  const key = parseMediaKey(url.replace(/^\/media\//, ''))
  return key !== null && (await api.deps.storage.open(key)) !== null
}

test(
  'a store made by one command and filled with the example catalogue sells to a member',
  async () => {
    const { code, made } = await createStore(runApart)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toContain(`http://${code}.example.com`)
    expect(made.out).toMatch(/The page terms is still a draft/)
    expect(made.out).toContain(`settings set -c ${code} business.company`)
    expect(made.out).toContain('No product is on sale.')
    const bearer = /mqo_\S+/.exec(made.out)?.[0]
    expect(bearer).toBeDefined()

    // Its host resolves to it. It is closed except for the preview link, and drafts are marked as
    // such.
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
      expect(await isStored(url)).toBe(true)
    const [banner] = (await store.guest.content.banners()).items
    expect(banner).toMatchObject({ title: 'The harbour at dusk', link: { target: 'PRODUCT', productCode: 'F100' } })
    expect((await store.guest.tenancy.siteSettings()).base.logoPublicUrl).toMatch(/^\/media\/brand\/.+\.svg$/)
    expect(await isStored((await store.guest.tenancy.siteSettings()).base.logoPublicUrl!)).toBe(true)

    const member = await store.createMember()
    const course = await member.client.catalog.product({ id: 'K100' })
    const order = await buy(api, store, member, { ...course, optionId: course.options[0]!.id })
    expect(order).toMatchObject({ status: 'PAYMENT_COMPLETE', total: { amount: 15_000, currency: 'KRW' } })
    const [workbook] = (await member.client.catalog.attachments({ id: course.id })).items
    expect(workbook).toMatchObject({ name: 'Workbook.pdf', contentType: 'application/pdf', available: true })

    await store.within((db) => db.delete(attachments).where(eq(attachments.id, attachmentId)))
    // A second import adds nothing and writes nothing.
    const version = (await resolveCustomer(api.deps, code))!.version
    const again = await run(['catalog', 'import', example, '-c', code])
    expect(again.out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    expect(again.out).toMatch(/settings\s+0\s+0\s+\d+/)
    expect((await resolveCustomer(api.deps, code))!.version).toBe(version)

    const check = await run(['customer', 'check', code])
    expect(check.code).toBe(0)
    expect(check.out).toMatch(/^Nothing required is missing\. Recommended:\n·/)
    expect(check.out).toContain('· In development, payments go to the sandbox. No money is transferred.')
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
        // What the import has made has a history of its own.
        'banner.created',
        'category.changed',
        'faq.created',
        'notice.created',
        'page.changed',
        'plan.created',
        'product.created',
      ]),
    )
  },
  timeout,
)

test(
  'a store with an invalid code, host, currency or time zone is refused; a valid one is closed, reopened and moved',
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
        args: ['--code', `${code}y`, ...usual, '--host', 'x@example.com'],
        says: 'Enter a host without scheme and port',
      },
      {
        args: ['--code', `${code}y`, ...usual, '--host', 'films.example.c'],
        says: 'Enter a host without scheme and port',
      },
      {
        args: ['--code', `${code}z`, '--name', 'B', '--currency', 'WON', '--timezone', 'UTC'],
        says: 'must be the three-letter code of a currency',
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
    expect((await run(['customers'])).out).not.toContain(`${code}z`)

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
  timeout,
)

test(
  'the audit list prints no control characters of an operator’s name',
  async () => {
    const { code } = await createStore()
    await run(['settings', 'set', '-c', code, '--by', 'Jo\u001b[2J\u0007', 'base.name', 'Neon'])
    const { out } = await runApart(['audit', '-c', code])
    expect(out).toContain('admin:Jo')
    expect(out).not.toMatch(/[^\P{Cc}\n]/u)
  },
  timeout,
)

test(
  'settings are changed by name, and a wrong name or value is refused with the right ones',
  async () => {
    const { code } = await createStore()
    const set = (name: string, value: string) => run(['settings', 'set', '-c', code, name, value])
    expect((await set('base.name', 'Neon & Söhne')).out).toMatch(/base\.name: ".*" → "Neon & Söhne"\nChanged: 1\./)
    expect((await run(['settings', 'get', '-c', code, 'base.name'])).out.trim()).toBe('"Neon & Söhne"')
    expect((await api.client(code).tenancy.siteSettings()).base.name).toBe('Neon & Söhne')
    expect((await set('order.methods', 'CARD')).out).toContain('order.methods: ["CARD","BANK"] → ["CARD"]')
    expect((await set('base.locales', 'ko, ja')).out).toContain('→ ["ko","ja"]')
    const settings = await api.client(code).tenancy.siteSettings()
    expect([settings.order.methods, settings.base.locales]).toEqual([['CARD'], ['ko', 'ja']])
    const group = await run(['settings', 'get', '-c', code, 'theme'])
    expect(group.out).toMatch(/theme\.accent +"#[0-9a-f]{6}"\s+theme\.surface/)
    expect(group.out).not.toContain('base.')
    // An absolute path works as a relative one does.
    expect((await set('base.logoPublicUrl', resolve(example, 'media/logo.svg'))).out).toContain('Changed')
    const logo = (await api.client(code).tenancy.siteSettings()).base.logoPublicUrl!
    expect(logo).toMatch(/^\/media\/brand\/.+\.svg$/)
    expect(await isStored(logo)).toBe(true)
    const wrong = [
      ['bas.name', 'x'],
      ['base.currency', 'EURO'],
      // An offset from UTC is not a time zone: the database reads its sign inversely.
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
      'must be the three-letter code of a currency, for example KRW or USD',
      'must be a time zone, for example Asia/Seoul or Europe/Berlin',
      'must be a color in the form #rrggbb',
      'must be light, dark, or system',
      'must be true or false',
      'must be a number of days from 0 to 3650',
      'must be a path below the folder',
      'a path that the store serves (/media/brand/…)',
      'a path that the store serves (/media/brand/…)',
      'There is none at this path',
      'must list CARD, BANK or both',
      'theme is a group. Its settings are: theme.accent, theme.surface',
      'must be an email address',
      'must be the origin of the store without a path, for example https://films.example.com',
      'must be the origin of the store without a path, for example https://films.example.com',
      'must be a list of origins without a path',
      'a path that the store serves (/media/brand/…)',
      'routeRules[0].to',
      'a path that the store serves (/media/brand/…)',
    ]
    for (const [at, [name = '', value = '']] of wrong.entries()) {
      const answer = await run(['settings', 'set', '-c', code, name, value])
      expect(answer).toMatchObject({ code: 1, err: expect.stringContaining(says[at]!) })
    }
    // An address at the store's own host is checked against its rules as well.
    const host = `${code}.example.com`
    expect((await set('redirectOrigins', `https://${host}`)).out).toContain('Changed')
    const loop = `[{"from":"/a","to":"https://${host}/b","permanent":true},{"from":"/b","to":"/a","permanent":true}]`
    expect((await set('routeRules', loop)).err).toContain('must not form a redirect loop: /a → /b → /a')
    // Existing prices fix the currency.
    await run(['catalog', 'import', example, '-c', code])
    expect((await set('base.currency', 'USD')).err).toContain(
      'cannot be changed from KRW, because products or plans have prices in it',
    )
  },
  timeout,
)
