import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDomains } from '#api/worker.ts'
import { headers } from '#contract/http.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { startZoneServer } from '#tests/support/name-server.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const dns = await startZoneServer()
const api = createTestApi({ nameServers: [dns.address] })
/** Another process of the same installation. */
const otherProcess = createTestApi({ nameServers: [dns.address] })
const run = quickCommandOf(api)
let tenant: Tenant
let owner: TestStaff
let domains: TestStaff['client']['admin']['domains']

beforeAll(async () => {
  tenant = await createTenant(api)
  owner = await tenant.createStaff('OWNER')
  domains = owner.client.admin.domains
  dns.set(`${tenant.code}.test`, { addresses: ['192.0.2.7'] })
})
afterAll(() => dns[Symbol.asyncDispose]())

const newHost = () => `${randomUUID()}.example.com`
type Domains = Awaited<ReturnType<typeof domains.list>>
const domainIn = ({ items }: Domains, host: string) => items.find((item) => item.host === host)!
const recordIn = (list: Domains, host: string) => domainIn(list, host).records.find(({ type }) => type === 'TXT')!
/** Publishes the TXT record that the store asks for. */
const publish = (list: Domains, host: string) => {
  const { name, value } = recordIn(list, host)
  dns.set(name, { texts: ['v=spf1 -all', value] })
}
const storeAt = async (host: string, at = otherProcess) => {
  const response = await at.fetch(new Request(`${api.origin}/api/v1/tenants/resolve?host=${host}`))
  return ((await response.json()) as { customerCode: string | null }).customerCode
}

test('a host set by the administrator is verified, and an added one waits until its records are found', async () => {
  const host = newHost()
  const added = await domains.add({ host: ` ${host.toUpperCase()}. ` })
  expect(domainIn(added, `${tenant.code}.test`)).toMatchObject({ state: 'VERIFIED', verifiedBy: 'ADMINISTRATOR' })
  expect(domainIn(added, host)).toMatchObject({
    state: 'WAITING',
    verifiedBy: null,
    pointsHere: false,
    isMain: false,
    answered: true,
    records: [
      { type: 'TXT', name: `_marquee.${host}`, value: expect.stringMatching(/^marquee-verification=[\w-]{24}$/) },
      { type: 'CNAME', name: host, value: `${tenant.code}.test` },
    ],
  })
  expect(await storeAt(host)).toBeNull()

  dns.set(host, { addresses: ['192.0.2.7'] })
  const pointing = await domains.check({ host })
  expect(domainIn(pointing, host)).toMatchObject({ state: 'POINTING', pointsHere: true, records: [{ type: 'TXT' }] })
  expect(await storeAt(host)).toBeNull()

  publish(pointing, host)
  const verified = await domains.check({ host })
  expect(domainIn(verified, host)).toMatchObject({ state: 'VERIFIED', verifiedBy: 'TXT', records: [] })
  expect(verified.history.slice(0, 2)).toMatchObject([
    { action: 'domain.verified', detail: { host } },
    { action: 'domain.added', changes: { domain: { from: null, to: host } } },
  ])
  // Every process shows the store there with its next request.
  expect(await storeAt(host)).toBe(tenant.code)
  const { hostCustomerCode } = await otherProcess
    .client(tenant.code, { headers: { [headers.storeHost]: host } })
    .tenancy.contract()
  expect(hostCustomerCode).toBe(tenant.code)

  await domains.remove({ host })
  expect(await storeAt(host)).toBeNull()
  // Added again, it needs a record of its own.
  expect(domainIn(await domains.add({ host }), host)).toMatchObject({ state: 'POINTING' })
})

test('what is not a domain of its own is refused with a reason for the field', async () => {
  const refusal = async (host: string) => {
    const { code, problem } = await failureOf(domains.add({ host }))
    return [code, problem.errors.host?.[0]]
  }
  const alone = 'Enter a domain, for example films.example.com. IP addresses and * are not accepted.'
  for (const host of [
    ...['https://192.0.2.1/path', 'ftp://films.example.com', '*.example.com', '192.0.2.1', '[2001:db8::1]', '0x7f.1'],
    ...['films', 'films..example.com', '-films.example.com', 'a b.example.com', 'x@example.com'],
  ])
    expect([host, ...(await refusal(host))]).toEqual([host, 'VALIDATION_FAILED', alone])
  expect(await refusal('films.localhost')).toEqual([
    'VALIDATION_FAILED',
    'Enter a public domain. The DNS has no records of hosts of one machine.',
  ])
  expect((await refusal(`${tenant.code}.test`))[1]).toBe('The store has this domain already.')
  const name = randomUUID()
  const { items } = await domains.add({ host: `BÜCHER-${name}.Example` })
  expect(items.map(({ host }) => host)).toContain(new URL(`http://bücher-${name}.example`).hostname)
  expect((await refusal(`bücher-${name}.example`))[1]).toBe('The store has this domain already.')
})

test('the host is taken from an address that was pasted', async () => {
  const addresses = [
    (host: string) => `https://${host}/path?from=mail#top`,
    (host: string) => `HTTP://${host.toUpperCase()}:8443/`,
    (host: string) => `${host}/films`,
  ]
  for (const addressOf of addresses) {
    const host = newHost()
    const { items } = await domains.add({ host: addressOf(host) })
    expect(items.map((domain) => domain.host)).toContain(host)
  }
})

test('two stores may want a host: the one with the record gets it, and the other learns that it is in use', async () => {
  const host = newHost()
  const other = await createTenant(api)
  const others = (await other.createStaff('OWNER')).client.admin.domains
  const own = await domains.add({ host })
  const foreign = await others.add({ host })
  expect(recordIn(own, host).value).not.toBe(recordIn(foreign, host).value)
  publish(own, host)
  expect(domainIn(await others.check({ host }), host).state).toBe('WAITING')
  expect(domainIn(await domains.check({ host }), host).state).toBe('VERIFIED')
  const seen = await others.check({ host })
  expect(domainIn(seen, host)).toMatchObject({ state: 'IN_USE', verifiedBy: null })
  expect(JSON.stringify(seen)).not.toContain(tenant.code)
  expect(await storeAt(host)).toBe(tenant.code)

  // A store whose record is there gets the host once the other has removed it.
  publish(foreign, host)
  expect(domainIn(await others.check({ host }), host).state).toBe('IN_USE')
  await domains.remove({ host })
  expect(domainIn(await others.check({ host }), host).state).toBe('VERIFIED')
  expect(await storeAt(host)).toBe(other.code)
})

test('the database takes no host of the serving role that the store has not verified', async () => {
  const host = newHost()
  const other = await createTenant(api)
  await domains.add({ host })
  const insert = (of: Tenant, id: string) =>
    of.within((db) => db.$client.query('INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2)', [id, host]))
  await expect(insert(tenant, tenant.id)).rejects.toThrow(/row-level security/)
  const verified = `UPDATE domain_verifications SET verified_at = now() WHERE customer_id = $1 AND host = $2`
  await tenant.within((db) => db.$client.query(verified, [tenant.id, host]))
  await expect(insert(other, tenant.id)).rejects.toThrow(/row-level security/)
  await expect(insert(other, other.id)).rejects.toThrow(/row-level security/)
  await insert(tenant, tenant.id)
  // Another store can neither remove nor change it.
  await other.within((db) => db.$client.query('DELETE FROM customer_domains WHERE host = $1', [host]))
  const change = other.within((db) =>
    db.$client.query('UPDATE customer_domains SET host = $1 WHERE host = $2', ['x', host]),
  )
  await expect(change).rejects.toThrow(/permission denied/)
  expect(await storeAt(host)).toBe(tenant.code)
})

test('a silent name server changes nothing that is known, and the answer says so', async () => {
  const host = newHost()
  dns.set(host, { addresses: ['192.0.2.7'] })
  publish(await domains.add({ host }), host)
  dns.setSilent(true)
  const silent = await domains.check({ host })
  dns.setSilent(false)
  expect(domainIn(silent, host)).toMatchObject({ state: 'POINTING', answered: false })
  expect(domainIn(await domains.check({ host }), host)).toMatchObject({ state: 'VERIFIED', answered: true })
  dns.setSilent(true)
  expect(domainIn(await domains.check({ host }), host)).toMatchObject({
    state: 'VERIFIED',
    pointsHere: true,
    answered: false,
  })
  dns.setSilent(false)
}, 30_000)

test('hosts are checked in the background, ever less often', async () => {
  const store = await createTenant(api)
  const list = (await store.createStaff('OWNER')).client.admin.domains
  const host = newHost()
  publish(await list.add({ host }), host)
  const check = async (minutes: number) => {
    api.clock.advance(minutes * 60_000)
    await checkDomains(api.deps)
    return domainIn(await list.list(), host)
  }
  expect((await check(0)).state).toBe('WAITING')
  expect((await check(1)).state).toBe('VERIFIED')
  expect((await list.list()).history[0]).toMatchObject({ action: 'domain.verified', actor: 'rule' })
  const { checkedAt } = await check(60)
  expect((await check(2)).checkedAt).toBe(checkedAt)
  expect((await check(10)).checkedAt).not.toBe(checkedAt)
})

test('the main domain is the store’s address in links, and is none after it is removed', async () => {
  const store = await createTenant(api)
  const staff = await store.createStaff('OWNER')
  const list = staff.client.admin.domains
  const host = newHost()
  const added = await list.add({ host })
  expect((await failureOf(list.setMain({ host }))).code).toBe('CONFLICT')
  publish(added, host)
  await list.check({ host })
  const chosen = await list.setMain({ host })
  expect(chosen.items[0]).toMatchObject({ host, isMain: true })
  const publicUrl = async () => (await staff.client.admin.settings.read()).settings.seo.publicUrl
  expect(await publicUrl()).toBe(`http://${host}:3000`)
  await list.remove({ host })
  expect(await publicUrl()).toBeNull()
  expect(await failureOf(list.remove({ host: `${store.code}.test` }))).toMatchObject({
    problem: { errors: { host: ['The store needs a domain. Add another one first.'] } },
  })
})

test('a host that the administrator removes is not taken back by a former proof', async () => {
  const host = newHost()
  publish(await domains.add({ host }), host)
  await domains.check({ host })
  await run(['customer', 'domains', tenant.code, '--remove', host])
  expect((await failureOf(domains.check({ host }))).code).toBe('NOT_FOUND')
  expect(await storeAt(host)).toBeNull()
})

test('two people who add or remove a host at once do it once', async () => {
  const host = newHost()
  const added = await Promise.allSettled([domains.add({ host }), domains.add({ host })])
  expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const removed = await Promise.allSettled([domains.remove({ host }), domains.remove({ host })])
  expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
