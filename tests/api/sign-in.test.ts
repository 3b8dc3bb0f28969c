import { describe, expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { hashPassword } from '#api/platform/crypto.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
/** The API of another process on the same database. */
const secondApi = createTestApi()

describe('Signing in', () => {
  test('sign-in with the right password returns a Bearer token that authorizes the member’s requests', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember('Kim@Example.com')
    const answer = await tenant.guest.identity.login({ email: 'kim@example.COM', password })
    expect(answer.tokenType).toBe('Bearer')
    const me = await api.client(tenant.code, { token: answer.token }).identity.me()
    expect(me).toMatchObject({
      id: member.id,
      email: 'Kim@Example.com',
      usePlan: { partnership: false, regular: false },
    })
  })

  test('a wrong password and an unknown email get the same response', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const wrong = await failureOf(tenant.guest.identity.login({ email, password: 'not it' }))
    const unknown = await failureOf(tenant.guest.identity.login({ email: 'nobody@example.com', password: 'not it' }))
    const { requestId: _a, ...first } = wrong.problem
    const { requestId: _b, ...second } = unknown.problem
    expect(first).toEqual(second)
    expect(wrong).toMatchObject({ status: 401, code: 'LOGIN_FAILED' })
  })

  test('a wrong password and an unknown email cost the same time of the processor', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const passwordHash = await hashPassword(password)
    await tenant.within((db) => db.update(members).set({ passwordHash }))
    // CPU time of this process: unlike the time that passes, it does not grow with other programs.
    const timeOf = async (address: string) => {
      const before = process.cpuUsage()
      await failureOf(tenant.guest.identity.login({ email: address, password: 'not it' }))
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const knownTimes: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 5; round++) {
      knownTimes.push(await timeOf(email))
      unknown.push(await timeOf(`nobody-${round}@example.com`))
    }
    // The minimum of each, because other work of this process only adds time.
    const ratio = Math.min(...knownTimes) / Math.min(...unknown)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('sign-in after five wrong passwords is refused with 429 and Retry-After until the wait is over', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => failureOf(tenant.guest.identity.login({ email, password: 'not it' }))),
    )
    expect(tries.filter((attempt) => attempt.status === 401)).toHaveLength(5)
    let retryAfter: string | null = null
    const locked = api.client(tenant.code, {
      onAnswer: (response) => {
        retryAfter = response.headers.get('retry-after')
      },
    })
    expect(await failureOf(locked.identity.login({ email, password }))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    })
    expect(Number(retryAfter)).toBeGreaterThan(0)
    api.clock.advance(16 * 60 * 1000)
    expect((await tenant.guest.identity.login({ email, password })).tokenType).toBe('Bearer')
  })

  test('sign-in attempts from one address are limited, and a forged X-Forwarded-For does not change the address', async () => {
    const tenant = await createTenant(api)
    const attempt = (index: number, peer: string) =>
      api.fetch(
        new Request(`${api.origin}/api/v1/customers/${tenant.code}/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${index}` },
          body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'not it' }),
        }),
        { address: peer },
      )
    const statuses: number[] = []
    for (let index = 0; index < 52; index++) statuses.push((await attempt(index, '198.51.100.7')).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.slice(50)).toEqual([429, 429])
    expect((await attempt(99, '198.51.100.8')).status).toBe(401)
  })

  test('the limit of sign-in attempts per address is shared by all processes', async () => {
    const tenant = await createTenant(api)
    secondApi.clock.advance(api.clock.now().getTime() - secondApi.clock.now().getTime())
    const attempt = async (process: typeof api, index: number) => {
      const request = new Request(`${api.origin}/api/v1/customers/${tenant.code}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'not it' }),
      })
      return (await process.fetch(request, { address: '198.51.100.9' })).status
    }
    const statuses: number[] = []
    for (let index = 0; index < 52; index++) statuses.push(await attempt(index % 2 ? api : secondApi, index))
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.slice(50)).toEqual([429, 429])
  })

  test('addresses of one IPv6 network share the limit of sign-in attempts, and another network has its own', async () => {
    const tenant = await createTenant(api)
    const attempt = async (index: number, peer: string) => {
      const request = new Request(`${api.origin}/api/v1/customers/${tenant.code}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'not it' }),
      })
      return (await api.fetch(request, { address: peer })).status
    }
    for (let index = 0; index < 50; index++) await attempt(index, `2001:db8:0:7::${index.toString(16)}`)
    expect(await attempt(50, '2001:db8:0:7:ffff:1:2:3')).toBe(429)
    expect(await attempt(51, '2001:0DB8:0000:0007::1')).toBe(429)
    expect(await attempt(52, '2001:db8:0:8::1')).toBe(401)
    expect(await attempt(53, '2001:db8::7')).toBe(401)
  })

  test('the same email at two customers is two members with separate sessions', async () => {
    const [first, second] = [await createTenant(api), await createTenant(api)]
    const a = await first.createMember('same@example.com')
    const b = await second.createMember('same@example.com')
    expect(a.id).not.toBe(b.id)
    await a.client.identity.logout()
    expect((await b.client.identity.me()).id).toBe(b.id)
    expect(await failureOf(a.client.identity.me())).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
  })
})

describe('Sessions', () => {
  test('signing out ends the session on the server at once', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    await member.client.identity.logout()
    expect(await failureOf(member.client.identity.me())).toMatchObject({ code: 'SESSION_EXPIRED' })
  })

  test('a member lists their sessions, ends one of them, and ends all others', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const phone = await api
      .client(tenant.code, { headers: { 'user-agent': 'Phone' } })
      .identity.login({ email: member.email, password })
    const tablet = await tenant.guest.identity.login({ email: member.email, password })
    const { items } = await member.client.identity.sessions()
    expect(items).toHaveLength(3)
    expect(items.filter((session) => session.current)).toHaveLength(1)
    const onPhone = items.find((session) => session.device === 'Phone')!
    await member.client.identity.endSession({ id: onPhone.id })
    expect(await failureOf(api.client(tenant.code, { token: phone.token }).identity.me())).toMatchObject({
      status: 401,
    })
    await member.client.identity.endOtherSessions()
    expect(await failureOf(api.client(tenant.code, { token: tablet.token }).identity.me())).toMatchObject({
      status: 401,
    })
    expect((await member.client.identity.me()).id).toBe(member.id)
  })

  test('another member’s session cannot be ended', async () => {
    const tenant = await createTenant(api)
    const [one, other] = [await tenant.createMember(), await tenant.createMember()]
    const [session] = (await one.client.identity.sessions()).items
    expect(await failureOf(other.client.identity.endSession({ id: session!.id }))).toMatchObject({ status: 404 })
    expect((await one.client.identity.me()).id).toBe(one.id)
  })

  test('a session expires after thirty days', async () => {
    const separateApi = createTestApi()
    const tenant = await createTenant(separateApi)
    const member = await tenant.createMember()
    separateApi.clock.advance(31 * 24 * 60 * 60 * 1000)
    expect(await failureOf(member.client.identity.me())).toMatchObject({ code: 'SESSION_EXPIRED' })
  })
})
