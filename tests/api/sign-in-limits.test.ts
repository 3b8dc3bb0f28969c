import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { headers as headerNames } from '#contract/http.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000

/** A caller at a network address, with a browser that stores the device token. */
const callerAt = (tenant: Tenant, address: string, deviceToken?: string) => {
  const state = { device: deviceToken, retryAfter: null as string | null }
  const headers = () => ({
    'x-forwarded-for': address,
    ...(state.device && { [headerNames.deviceToken]: state.device }),
  })
  const client = () =>
    api.client(tenant.code, {
      headers: headers(),
      onAnswer: (response) => {
        state.device = response.headers.get(headerNames.deviceToken) ?? state.device
        state.retryAfter = response.headers.get('retry-after')
      },
    })
  return {
    state,
    signIn: (email: string, word = password, linkKey?: string) =>
      client().identity.login({ email, password: word, ...(linkKey && { linkKey }) }),
    requestLink: (email: string) => client().identity.requestSignInLink({ email }),
    requestReset: (email: string) => client().identity.requestReset({ email }),
    reset: (accessKey: string, word: string) => client().identity.reset({ accessKey, password: word }),
  }
}

const statusOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

const linkIn = (text: string) => decodeURIComponent(/\/login\?key=([^\s"&<]+)/.exec(text)?.[1] ?? '')

/** A thousand wrong passwords from a hundred addresses, concurrently. */
const attack = async (tenant: Tenant, email: string) => {
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const attacker = callerAt(tenant, `203.0.113.${at}`)
      const statuses: number[] = []
      for (let round = 0; round < 10; round++)
        statuses.push(await statusOf(attacker.signIn(email, `guess ${at} ${round}`)))
      return statuses
    }),
  )
  return statuses.flat()
}

describe('an account under a password attack', () => {
  test('accepts a sign-in from a known device, and from an unknown one with the link of a mail', {
    timeout: 120_000,
  }, async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const home = callerAt(tenant, '198.51.100.1')
    await home.signIn(email)
    const statuses = await attack(tenant, email)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(980)

    const abroad = callerAt(tenant, '192.0.2.77', home.state.device)
    expect((await abroad.signIn(email)).tokenType).toBe('Bearer')

    const fresh = callerAt(tenant, '192.0.2.88')
    const refused = await failureOf(fresh.signIn(email))
    expect(refused).toMatchObject({ status: 429, problem: { data: { signInLink: true } } })
    expect(Number(fresh.state.retryAfter)).toBeGreaterThan(0)
    await fresh.requestLink(email)
    const linkKey = linkIn((await mailTo(tenant, email)).text)
    expect(await statusOf(fresh.signIn(email, 'not it', linkKey))).toBe(401)
    expect((await fresh.signIn(email, password, linkKey)).tokenType).toBe('Bearer')
    expect((await fresh.signIn(email)).tokenType).toBe('Bearer')
  })

  test('accepts a sign-in from a known network, where wrong passwords get the same answer as from any other', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    await callerAt(tenant, '198.51.100.1').signIn(email)
    for (let at = 0; at < 20; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(email, 'not it'))
    const [knownCaller, unknown] = [callerAt(tenant, '198.51.100.1'), callerAt(tenant, '198.51.100.2')]
    const [here, there] = [
      await failureOf(knownCaller.signIn(email, 'not it')),
      await failureOf(unknown.signIn(email, 'not it')),
    ]
    // Up to a second may pass between the two answers.
    const answer = ({ status, problem }: typeof here) => {
      const data = problem.data as { retryAfterSeconds: number }
      return {
        status,
        ...problem,
        requestId: '',
        data: { ...data, retryAfterSeconds: Math.round(data.retryAfterSeconds / 60) },
      }
    }
    expect(answer(here)).toEqual(answer(there))
    expect(await statusOf(unknown.signIn(email))).toBe(429)
    expect((await knownCaller.signIn(email)).tokenType).toBe('Bearer')
  })

  test('gives the same answers for an unknown e-mail as for a member’s, past every limit', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const answersFor = async (address: string) => {
      const answers: unknown[] = []
      for (let at = 0; at < 24; at++) {
        const refused = await failureOf(callerAt(tenant, `203.0.113.${at}`).signIn(address, 'not it'))
        const { requestId: _, ...body } = refused.problem
        answers.push([refused.status, body.code, body.message, Object.keys((body.data as object) ?? {})])
      }
      return answers
    }
    expect(await answersFor(email)).toEqual(await answersFor('nobody@example.com'))
  })

  test('delays each further try of one caller for longer, and returns Retry-After', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const caller = callerAt(tenant, '198.51.100.5')
    for (let round = 0; round < 5; round++) expect(await statusOf(caller.signIn(email, 'not it'))).toBe(401)
    const waits: number[] = []
    for (let round = 0; round < 4; round++) {
      expect(await statusOf(caller.signIn(email))).toBe(429)
      waits.push(Number(caller.state.retryAfter))
      api.clock.advance(waits.at(-1)! * 1000)
      expect(await statusOf(caller.signIn(email, 'not it'))).toBe(401)
    }
    expect(waits).toEqual([5, 10, 20, 40])
    expect(await statusOf(caller.signIn(email))).toBe(429)
    api.clock.advance(Number(caller.state.retryAfter) * 1000)
    expect(await statusOf(caller.signIn(email))).toBe(200)
  })
})

describe('a known device', () => {
  test('is known for its account and store alone, for a year, and cannot be forged', async () => {
    const separateTenant = await createTenant(api)
    const other = await createTenant(api)
    const [{ email }, second] = [await separateTenant.createMember(), await separateTenant.createMember()]
    await other.createMember(email)
    const home = callerAt(separateTenant, '198.51.100.1')
    await home.signIn(email)
    for (const [tenant, address] of [
      [separateTenant, email],
      [separateTenant, second.email],
      [other, email],
    ] as const)
      for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(address, 'not it'))
    const token = home.state.device!
    const from = (tenant: Tenant, device: string) => callerAt(tenant, '192.0.2.9', device)
    expect(await statusOf(from(separateTenant, token).signIn(second.email))).toBe(429)
    expect(await statusOf(from(other, token).signIn(email))).toBe(429)
    expect(
      await statusOf(from(separateTenant, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`).signIn(email)),
    ).toBe(429)
    expect(await statusOf(from(separateTenant, token).signIn(email))).toBe(200)
  })

  test('is known for several accounts, until twenty wrong passwords', async () => {
    const tenant = await createTenant(api)
    const family = [await tenant.createMember(), await tenant.createMember()]
    const home = callerAt(tenant, '198.51.100.1')
    for (const { email } of family) await home.signIn(email)
    const { email } = family[0]!
    for (let at = 0; at < 20; at++) expect(await statusOf(home.signIn(email, 'not it'))).toBe(401)
    for (let at = 0; at < 5; at++) expect(await statusOf(home.signIn(email, 'not it'))).toBe(401)
    expect(await statusOf(home.signIn(email, 'not it'))).toBe(429)
    expect(await statusOf(home.signIn(family[1]!.email))).toBe(200)
  })

  test('is remembered after joining and after setting a new password, too', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const caller = callerAt(tenant, '198.51.100.1')
    await caller.requestReset(email)
    const key = /key=([\w-]+)/.exec((await mailTo(tenant, email)).text)![1]!
    await caller.reset(key, 'a fresh and longer word')
    for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(email, 'not it'))
    expect(
      await statusOf(callerAt(tenant, '192.0.2.9', caller.state.device).signIn(email, 'a fresh and longer word')),
    ).toBe(200)
  })
})

describe('one network', () => {
  test('may enter fifty wrong passwords for one account without a limit for its other members', async () => {
    const tenant = await createTenant(api)
    const [victim, neighbour] = [await tenant.createMember(), await tenant.createMember()]
    const caller = callerAt(tenant, '198.51.100.40')
    for (let round = 0; round < 50; round++) await statusOf(caller.signIn(victim.email, `guess ${round}`))
    expect(await statusOf(caller.signIn(neighbour.email))).toBe(200)
  })

  test('is limited after tries of fifty accounts, except for known devices and links', async () => {
    const tenant = await createTenant(api)
    const [owner, stranger] = [await tenant.createMember(), await tenant.createMember()]
    const knownCaller = callerAt(tenant, '192.0.2.200')
    await knownCaller.signIn(owner.email)
    const at = '198.51.100.41'
    for (let index = 0; index < 50; index++)
      await statusOf(callerAt(tenant, at).signIn(`nobody-${index}@example.com`, 'not it'))
    expect(await statusOf(callerAt(tenant, at).signIn(stranger.email))).toBe(429)
    expect(await statusOf(callerAt(tenant, at).signIn(stranger.email))).toBe(429)
    expect(await statusOf(callerAt(tenant, at, knownCaller.state.device).signIn(owner.email))).toBe(200)
    const fresh = callerAt(tenant, at)
    await fresh.requestLink(stranger.email)
    expect(
      await statusOf(fresh.signIn(stranger.email, password, linkIn((await mailTo(tenant, stranger.email)).text))),
    ).toBe(200)
  })
})

describe('mails requested by strangers', () => {
  test('count once while their key is valid: the answer is the same, and the key’s time begins again', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const stranger = callerAt(tenant, '203.0.113.200')
    for (let round = 0; round < 8; round++) expect(await stranger.requestReset(email)).toEqual({ mailbox: null })
    api.clock.advance(9 * minute)
    expect(await callerAt(tenant, '192.0.2.1').requestReset(email)).toEqual({ mailbox: null })
    expect(await mailsTo(tenant, email)).toHaveLength(1)
    api.clock.advance(5 * minute)
    const key = /key=([\w-]+)/.exec((await mailTo(tenant, email)).text)![1]!
    expect(await tenant.guest.identity.checkReset({ accessKey: key })).toEqual({ email, needsConsents: false })
    await callerAt(tenant, '192.0.2.1').requestReset(email)
    expect(await mailsTo(tenant, email)).toHaveLength(2)
  })

  test('are sent once for concurrent requests', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    await Promise.all(Array.from({ length: 10 }, (_, at) => callerAt(tenant, `203.0.113.${at}`).requestReset(email)))
    await Promise.all(Array.from({ length: 10 }, (_, at) => callerAt(tenant, `203.0.113.${at}`).requestLink(email)))
    expect((await mailsTo(tenant, email)).map(({ template }) => template).toSorted()).toEqual([
      'password-reset',
      'sign-in-link',
    ])
  })

  test('never limit a known device in the same network', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const home = callerAt(tenant, '203.0.113.201')
    await home.signIn(email)
    const stranger = callerAt(tenant, '203.0.113.201')
    const statuses = await Promise.all(
      Array.from({ length: 61 }, (_, at) => statusOf(stranger.requestReset(`nobody-${at}@example.com`))),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(await statusOf(stranger.requestReset('another@example.com'))).toBe(429)
    expect(await statusOf(home.requestReset(email))).toBe(200)
  })

  test('a link to sign in is valid for its account alone, for twenty minutes', async () => {
    const tenant = await createTenant(api)
    const [{ email }, other] = [await tenant.createMember(), await tenant.createMember()]
    const caller = callerAt(tenant, '192.0.2.3')
    await caller.requestLink(email)
    const key = linkIn((await mailTo(tenant, email)).text)
    for (const address of [email, other.email])
      for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(address, 'not it'))
    expect(await statusOf(caller.signIn(other.email, password, key))).toBe(429)
    expect(await statusOf(callerAt(tenant, '192.0.2.4').signIn(email, password, key))).toBe(200)
    api.clock.advance(20 * minute)
    for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(email, 'not it'))
    expect(await statusOf(callerAt(tenant, '192.0.2.5').signIn(email, password, key))).toBe(429)
  })
})

test('wrong current passwords are counted for each session of a member', async () => {
  const tenant = await createTenant(api)
  const { email, client } = await tenant.createMember()
  const thief = api.client(tenant.code, { token: (await callerAt(tenant, '192.0.2.6').signIn(email)).token })
  const change = (from: typeof client, word: string) =>
    statusOf(from.identity.changePassword({ currentPassword: word, newPassword: 'a fresh and longer word' }))
  for (let round = 0; round < 10; round++) expect(await change(thief, 'not it')).toBe(422)
  expect(await change(thief, password)).toBe(429)
  expect(await change(client, password)).toBe(200)
})

test('networks a member signed in from are stored as hashes, twenty at most, and deleted after a year', async () => {
  const separateApi = createTestApi()
  const tenant = await createTenant(separateApi)
  const { email } = await tenant.createMember()
  for (let at = 0; at < 22; at++)
    await separateApi
      .client(tenant.code, { headers: { 'x-forwarded-for': `192.0.2.${at}` } })
      .identity.login({ email, password })
  const readNetworks = () => tenant.within(async (db) => (await db.execute(sql`SELECT * FROM known_networks`)).rows)
  expect(await readNetworks()).toHaveLength(20)
  expect(JSON.stringify(await readNetworks())).not.toContain('192.0.2')
  separateApi.clock.advance(366 * 24 * 60 * minute)
  await cleanUp(separateApi, tenant)
  expect(await readNetworks()).toEqual([])
})
