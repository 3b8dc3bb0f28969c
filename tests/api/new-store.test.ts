import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { audit } from '#api/db/schema/desk.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { parseMediaKey } from '#api/media/key.ts'
import { apiBase } from '#contract/index.ts'
import { buy } from '#tests/support/buying.ts'
import { type CommandAnswer, commandOf, quickCommandOf } from '#tests/support/command.ts'
import { tenantOf } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

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

    // It opens at its host, with drafts that say they are drafts.
    const at = await api.fetch(new Request(`${api.origin}${apiBase}/tenants/resolve?host=${code}.example.com`))
    expect(await at.json()).toEqual({ customerCode: code })
    expect((await api.client(code).content.page({ type: 'terms' })).body).toContain('[DRAFT]')

    const dry = await run(['catalog', 'import', example, '-c', code, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toContain('A dry run: nothing was kept.')
    expect((await api.client(code).catalog.search({})).total).toBe(0)

    const imported = await runApart(['catalog', 'import', example, '-c', code, '--by', 'Jo'])
    expect(imported).toMatchObject({ code: 0, err: '' })
    expect(imported.out).toMatch(/products\.csv\s+3\s+0\s+0\s+0/)
    expect(imported.out).toMatch(/pages\.csv\s+0\s+4\s+0\s+0/)
    expect((await runApart(['payment-provider', '-c', code, 'sandbox'])).code).toBe(0)

    const store = await storeNamed(code)
    const { items } = await store.guest.catalog.search({ sort: 'sort,DESC' })
    expect(items.map(({ title }) => title)).toEqual(['The harbour at dusk', 'Drawing with one line', 'Sketch sheets'])
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

    // Nothing is added twice, and nothing is written where nothing changed.
    const version = (await resolveCustomer(api.deps, code))!.version
    const again = await run(['catalog', 'import', example, '-c', code])
    expect(again.out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    expect(again.out).toMatch(/settings\s+0\s+0\s+\d+/)
    expect((await resolveCustomer(api.deps, code))!.version).toBe(version)

    const check = await run(['customer', 'check', code])
    expect(check.code).toBe(1)
    expect(check.out).toContain('The sandbox takes its payments')
    expect(check.out).toContain('One product of the kind VOD: no video.')
    expect(check.out).not.toMatch(/draft|logo|company|No product/)
    const acts = await store.within((db) => db.select().from(audit))
    expect(new Set(acts.map(({ action }) => action))).toEqual(
      new Set([
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
        says: 'Give a host without scheme and port',
      },
      {
        args: ['--code', `${code}z`, '--name', 'B', '--currency', 'WON', '--timezone', 'UTC'],
        says: 'must be a currency',
      },
      {
        args: ['--code', `${code}z`, '--name', 'B', '--currency', 'USD', '--timezone', 'Mars'],
        says: 'must be a time zone',
      },
    ]
    const answers: CommandAnswer[] = []
    for (const { args } of refused) answers.push(await run(['customer', 'create', ...args]))
    for (const [at, { says }] of refused.entries()) {
      expect(answers[at]?.err).toContain(says)
      expect(answers[at]?.code).not.toBe(0)
    }
    expect((await run(['customer', 'list'])).out).not.toContain(`${code}z`)

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
  'settings are changed by name, and what is wrong is named with what would be right',
  async () => {
    const { code } = await createStore()
    const set = (name: string, value: string) => run(['settings', 'set', '-c', code, name, value])
    expect((await set('base.name', 'Neon & Söhne')).out).toContain('Changed: base.name.')
    expect((await run(['settings', 'get', '-c', code, 'base.name'])).out.trim()).toBe('"Neon & Söhne"')
    expect((await api.client(code).tenancy.siteSettings()).base.name).toBe('Neon & Söhne')
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
      ['business.email', 'nobody'],
    ]
    const says = [
      'Is base.name meant?',
      'must be a currency by its three letters, for example KRW or USD',
      'must be a time zone, for example Asia/Seoul or Europe/Berlin',
      'must be a colour as #rrggbb',
      'must be light, dark, system',
      'must be true or false',
      'must be days from 0 to 3650',
      'must be a path below the folder',
      'must be an e-mail address',
    ]
    for (const [at, [name = '', value = '']] of wrong.entries()) {
      const answer = await run(['settings', 'set', '-c', code, name, value])
      expect(answer).toMatchObject({ code: 1, err: expect.stringContaining(says[at]!) })
    }
    // What stands in the currency holds it.
    await run(['catalog', 'import', example, '-c', code])
    expect((await set('base.currency', 'USD')).err).toContain('must stay KRW: the store has products or plans in it')
  },
  patience,
)
