import { traverseContractProcedures } from '@orpc/server'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pages } from '#api/modules/content/content.schema.ts'
import { isOfOperators } from '#api/platform/http/procedures.ts'
import { contract } from '#contract/procedures/contract.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)

const previewTokenOf = async ({ code }: Pick<Tenant, 'code'>, ...more: string[]) => {
  const { out } = await run(['customer', 'preview-link', code, ...more])
  return /\/\?preview=(\S+)/.exec(out)?.[1] ?? ''
}
const previewOf = (tenant: Tenant, token: string, more: { token?: string } = {}) =>
  api.client(tenant.code, { ...more, headers: { 'x-preview-token': token } })

const addPage = ({ id, within }: Tenant, type: string, title: string, body: string) =>
  within((db) => db.insert(pages).values({ customerId: id, type, title, body }))

test('a closed store answers STORE_NOT_OPEN except with the preview link', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'FREE', price: null })
  expect((await run(['customer', 'close', tenant.code])).out).toContain('temporarily closed')
  expect(await tenant.guest.tenancy.contract()).toMatchObject({ opened: false, preview: false, useSite: true })
  expect((await tenant.guest.tenancy.siteSettings()).base.name).toBe('Test store')
  const attempts = [
    () => tenant.guest.catalog.search({}),
    () => tenant.guest.catalog.product({ id: film.id }),
    () => tenant.guest.orders.cart(),
    () => tenant.guest.content.pages(),
    () => member.client.identity.me(),
    () => member.client.orders.orders({}),
  ]
  for (const attempt of attempts) expect((await failureOf(attempt())).code).toBe('STORE_NOT_OPEN')

  const token = await previewTokenOf(tenant)
  const preview = previewOf(tenant, token)
  expect(await preview.tenancy.contract()).toMatchObject({ opened: false, preview: true })
  expect((await preview.catalog.search({})).total).toBe(1)
  expect((await previewOf(tenant, token, { token: member.token }).identity.me()).email).toBe(member.email)
  const { client } = await tenant.createOperator()
  expect((await client.media.videoJobs({})).items).toEqual([])
})

test('a preview link is refused when it is expired, altered, or of another store', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)]
  for (const { code } of [tenant, other]) await run(['customer', 'close', code])
  const token = await previewTokenOf(tenant, '--valid-for', '12h')
  const [expires = '', signature = ''] = token.split('.')
  const wrong = [
    [tenant, `${Number(expires) + 60}.${signature}`],
    [tenant, `${expires}.${signature.slice(0, -1)}`],
    [tenant, 'nonsense'],
    [other, token],
  ] as const
  expect((await previewOf(tenant, token).catalog.search({})).total).toBe(0)
  for (const [at, forged] of wrong)
    expect((await failureOf(previewOf(at, forged).catalog.search({}))).code).toBe('STORE_NOT_OPEN')
  api.clock.advance(13 * 3_600_000)
  expect((await failureOf(previewOf(tenant, token).catalog.search({}))).code).toBe('STORE_NOT_OPEN')
})

test('a stream of a closed store stops except with the preview link', async () => {
  const tenant = await createTenant(api)
  const media = await openMedia(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  const { manifestUrl } = await member.client.playback.startPlayback({ id: film.id })
  const { cookie } = asMember(member.token)
  expect((await media.get(manifestUrl, { cookie })).status).toBe(200)
  const token = await previewTokenOf(tenant)
  await run(['customer', 'close', tenant.code])
  expect((await media.get(manifestUrl, { cookie })).status).toBe(403)
  expect((await media.get(manifestUrl, { cookie: `${cookie}; preview=${token}` })).status).toBe(200)
})

test('a draft page is shown and listed only with the preview link, in an open store too', async () => {
  const tenant = await createTenant(api)
  await addPage(tenant, 'terms', 'Terms', '<p><strong>[DRAFT] An example.</strong></p>')
  await addPage(tenant, 'privacy', 'Privacy', '<p>[FILL IN: company] keeps your name.</p>')
  await addPage(tenant, 'about', '[FILL IN: title]', '<p>We are here.</p>')
  await addPage(tenant, 'refund', 'Refunds', '<p>Within seven days.</p>')
  const types = async (client: Tenant['guest']) => (await client.content.pages()).items.map(({ type }) => type).sort()
  const preview = previewOf(tenant, await previewTokenOf(tenant))
  // Requested with and without the link, because neither answer may be cached for the other.
  expect(await types(preview)).toEqual(['about', 'privacy', 'refund', 'terms'])
  expect(await types(tenant.guest)).toEqual(['refund'])
  for (const type of ['terms', 'privacy', 'about']) {
    expect((await preview.content.page({ type })).type).toBe(type)
    expect((await failureOf(tenant.guest.content.page({ type }))).status).toBe(404)
  }
  await tenant.within((db) => db.update(pages).set({ body: '<p>Agreed.</p>' }).where(eq(pages.type, 'terms')))
  expect((await tenant.guest.content.page({ type: 'terms' })).body).toContain('Agreed.')
})

test('opening an incomplete store is refused with what is missing, except with --force', async () => {
  const code = `t-${crypto.randomUUID().slice(0, 13)}`
  const created = await run([
    ...['customer', 'create', '--code', code, '--name', 'Acme', '--currency', 'USD', '--timezone', 'UTC'],
  ])
  expect(created.out).toContain('Visitors see a coming-soon page.')
  expect((await run(['customer', 'show', code])).out).toMatch(/^payments +test payments, no money is transferred$/m)
  expect((await run(['customers'])).out).toMatch(new RegExp(`${code}\\s+Acme\\s+coming soon`))
  const refused = await run(['customer', 'open', code])
  expect(refused.code).toBe(1)
  for (const reason of [
    'The store has no host.',
    'The page terms is still a draft.',
    'No product is on sale.',
    '--force',
  ])
    expect(refused.err).toContain(reason)
  expect(refused.err).not.toContain('is closed to visitors')
  expect(await api.client(code).tenancy.contract()).toMatchObject({ opened: false })
  expect((await run(['customer', 'preview-link', code])).err).toContain('has no host')
  expect(await run(['customer', 'open', code, '--force'])).toMatchObject({ code: 0 })
  expect(await api.client(code).tenancy.contract()).toMatchObject({ opened: true })
  // A store that was open before is opened again without the checks.
  await run(['customer', 'suspend', code])
  expect(await run(['customer', 'open', code])).toMatchObject({ code: 0 })
  expect(await api.client(code).tenancy.contract()).toMatchObject({ opened: true, useSite: true })
  expect((await run(['customer', 'open', code])).out).toBe(`${code} is already open.\n`)
})

test('every procedure except those of tenancy, staff and operators answers STORE_NOT_OPEN in a closed store', async () => {
  const tenant = await createTenant(api)
  await run(['customer', 'close', tenant.code])
  const requests: { method: string; path: string }[] = []
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path: [area] }) => {
    const { route, meta } = procedure['~orpc']
    // Operators prepare a closed store, and staff sign in to it.
    if (area === 'tenancy' || area === 'staff' || isOfOperators(meta.access)) return
    const path = (route.path ?? '').replaceAll(/\{(\w+)\}/g, (_: string, name: string) =>
      /code|type|key/i.test(name) ? 'x' : '0199a0c0-0000-7000-8000-000000000000',
    )
    requests.push({ method: route.method ?? 'GET', path })
  })
  for (const { method, path } of requests) {
    const answer = await api.fetch(
      new Request(`${api.origin}/api/v1/customers/${tenant.code}${path}`, {
        method,
        headers: { 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      }),
    )
    expect(await answer.json(), `${method} ${path}`).toMatchObject({ code: 'STORE_NOT_OPEN' })
  }
  expect(requests.length).toBeGreaterThan(60)
})
