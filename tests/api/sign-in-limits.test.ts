import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { headers as headerNames } from '#contract/index.ts'
import { tidy } from '#tests/support/chores.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000

/** A caller at an address, with a browser that keeps the device token. */
const callerAt = (tenant: Tenant, address: string, deviceToken?: string) => {
  const kept = { device: deviceToken, retryAfter: null as string | null }
  const headers = () => ({ 'x-forwarded-for': address, ...(kept.device && { [headerNames.deviceToken]: kept.device }) })
  const client = () =>
    api.client(tenant.code, {
      headers: headers(),
      onAnswer: (response) => {
        kept.device = response.headers.get(headerNames.deviceToken) ?? kept.device
        kept.retryAfter = response.headers.get('retry-after')
      },
    })
  return {
    kept,
    signIn: (email: string, word = password, linkKey?: string) =>
      client().accounts.login({ email, password: word, ...(linkKey && { linkKey }) }),
    askLink: (email: string) => client().joining.requestSignInLink({ email }),
    askReset: (email: string) => client().joining.requestReset({ email }),
    reset: (accessKey: string, word: string) => client().joining.reset({ accessKey, password: word }),
  }
}

const statusOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

const linkIn = (text: string) => decodeURIComponent(/\/login\?key=([^\s"&<]+)/.exec(text)?.[1] ?? '')

/** A thousand wrong tries from a hundred addresses, as many at once as an attacker likes. */
const attack = async (tenant: Tenant, email: string) => {
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const attacker = callerAt(tenant, `203.0.113.${at}`)
      const heard: number[] = []
      for (let round = 0; round < 10; round++)
        heard.push(await statusOf(attacker.signIn(email, `guess ${at} ${round}`)))
      return heard
    }),
  )
  return statuses.flat()
}

describe('an account whose password others try', () => {
  test('is signed in to from a known device at once, and from an unknown one by the link of a mail', {
    timeout: 120_000,
  }, async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const home = callerAt(tenant, '198.51.100.1')
    await home.signIn(email)
    const heard = await attack(tenant, email)
    expect(heard.filter((status) => status === 401)).toHaveLength(20)
    expect(heard.filter((status) => status === 429)).toHaveLength(980)

    const abroad = callerAt(tenant, '192.0.2.77', home.kept.device)
    expect((await abroad.signIn(email)).tokenType).toBe('Bearer')

    const fresh = callerAt(tenant, '192.0.2.88')
    const refused = await failureOf(fresh.signIn(email))
    expect(refused).toMatchObject({ status: 429, problem: { data: { signInLink: true } } })
    expect(Number(fresh.kept.retryAfter)).toBeGreaterThan(0)
    await fresh.askLink(email)
    const linkKey = linkIn((await mailTo(tenant, email)).text)
    expect(await statusOf(fresh.signIn(email, 'not it', linkKey))).toBe(401)
    expect((await fresh.signIn(email, password, linkKey)).tokenType).toBe('Bearer')
    expect((await fresh.signIn(email)).tokenType).toBe('Bearer')
  })

  test('is signed in to from a network it was signed in from before; wrong words from there are answered as from anywhere', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    await callerAt(tenant, '198.51.100.1').signIn(email)
    for (let at = 0; at < 20; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(email, 'not it'))
    const [known, unknown] = [callerAt(tenant, '198.51.100.1'), callerAt(tenant, '198.51.100.2')]
    const [here, there] = [
      await failureOf(known.signIn(email, 'not it')),
      await failureOf(unknown.signIn(email, 'not it')),
    ]
    // A second may pass between the two.
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
    expect((await known.signIn(email)).tokenType).toBe('Bearer')
  })

  test('answers for an e-mail nobody has as for one of a member, past every limit', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const heardOf = async (address: string) => {
      const heard: unknown[] = []
      for (let at = 0; at < 24; at++) {
        const refused = await failureOf(callerAt(tenant, `203.0.113.${at}`).signIn(address, 'not it'))
        const { requestId: _, ...said } = refused.problem
        heard.push([refused.status, said.code, said.message, Object.keys((said.data as object) ?? {})])
      }
      return heard
    }
    expect(await heardOf(email)).toEqual(await heardOf('nobody@example.com'))
  })

  test('pauses for longer after each wrong word from one place, and says for how long', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const caller = callerAt(tenant, '198.51.100.5')
    for (let round = 0; round < 5; round++) expect(await statusOf(caller.signIn(email, 'not it'))).toBe(401)
    const waits: number[] = []
    for (let round = 0; round < 4; round++) {
      expect(await statusOf(caller.signIn(email))).toBe(429)
      waits.push(Number(caller.kept.retryAfter))
      api.clock.advance(waits.at(-1)! * 1000)
      expect(await statusOf(caller.signIn(email, 'not it'))).toBe(401)
    }
    expect(waits).toEqual([5, 10, 20, 40])
    expect(await statusOf(caller.signIn(email))).toBe(429)
    api.clock.advance(Number(caller.kept.retryAfter) * 1000)
    expect(await statusOf(caller.signIn(email))).toBe(200)
  })
})

describe('a known device', () => {
  test('is known for its account and store alone, for a year, and cannot be made up', async () => {
    const own = await createTenant(api)
    const other = await createTenant(api)
    const [{ email }, second] = [await own.createMember(), await own.createMember()]
    await other.createMember(email)
    const home = callerAt(own, '198.51.100.1')
    await home.signIn(email)
    for (const [tenant, address] of [
      [own, email],
      [own, second.email],
      [other, email],
    ] as const)
      for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(address, 'not it'))
    const token = home.kept.device!
    const from = (tenant: Tenant, device: string) => callerAt(tenant, '192.0.2.9', device)
    expect(await statusOf(from(own, token).signIn(second.email))).toBe(429)
    expect(await statusOf(from(other, token).signIn(email))).toBe(429)
    expect(await statusOf(from(own, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`).signIn(email))).toBe(429)
    expect(await statusOf(from(own, token).signIn(email))).toBe(200)
  })

  test('remembers several accounts, and is an unknown one after twenty wrong words', async () => {
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

  test('is one after joining and after setting a new password, too', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const caller = callerAt(tenant, '198.51.100.1')
    await caller.askReset(email)
    const key = /key=([\w-]+)/.exec((await mailTo(tenant, email)).text)![1]!
    await caller.reset(key, 'a fresh and longer word')
    for (let at = 0; at < 21; at++) await statusOf(callerAt(tenant, `203.0.113.${at}`).signIn(email, 'not it'))
    expect(
      await statusOf(callerAt(tenant, '192.0.2.9', caller.kept.device).signIn(email, 'a fresh and longer word')),
    ).toBe(200)
  })
})

describe('one network', () => {
  test('may be wrong fifty times about one account without refusing anybody else behind it', async () => {
    const tenant = await createTenant(api)
    const [victim, neighbour] = [await tenant.createMember(), await tenant.createMember()]
    const caller = callerAt(tenant, '198.51.100.40')
    for (let round = 0; round < 50; round++) await statusOf(caller.signIn(victim.email, `guess ${round}`))
    expect(await statusOf(caller.signIn(neighbour.email))).toBe(200)
  })

  test('that tries fifty accounts is stopped, and lets known devices and links in all the same', async () => {
    const tenant = await createTenant(api)
    const [owner, stranger] = [await tenant.createMember(), await tenant.createMember()]
    const known = callerAt(tenant, '192.0.2.200')
    await known.signIn(owner.email)
    const at = '198.51.100.41'
    for (let index = 0; index < 50; index++)
      await statusOf(callerAt(tenant, at).signIn(`nobody-${index}@example.com`, 'not it'))
    expect(await statusOf(callerAt(tenant, at).signIn(stranger.email))).toBe(429)
    expect(await statusOf(callerAt(tenant, at).signIn(stranger.email))).toBe(429)
    expect(await statusOf(callerAt(tenant, at, known.kept.device).signIn(owner.email))).toBe(200)
    const fresh = callerAt(tenant, at)
    await fresh.askLink(stranger.email)
    expect(
      await statusOf(fresh.signIn(stranger.email, password, linkIn((await mailTo(tenant, stranger.email)).text))),
    ).toBe(200)
  })
})

describe('mails that a stranger asks for', () => {
  test('count once while their key is good: the answer is the same, and the key is good for as long again', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const stranger = callerAt(tenant, '203.0.113.200')
    for (let round = 0; round < 8; round++) expect(await stranger.askReset(email)).toEqual({ mailbox: null })
    api.clock.advance(9 * minute)
    expect(await callerAt(tenant, '192.0.2.1').askReset(email)).toEqual({ mailbox: null })
    expect(await mailsTo(tenant, email)).toHaveLength(1)
    api.clock.advance(5 * minute)
    const key = /key=([\w-]+)/.exec((await mailTo(tenant, email)).text)![1]!
    expect(await tenant.guest.joining.checkReset({ accessKey: key })).toEqual({ email })
    await callerAt(tenant, '192.0.2.1').askReset(email)
    expect(await mailsTo(tenant, email)).toHaveLength(2)
  })

  test('are one when many are asked for at once', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    await Promise.all(Array.from({ length: 10 }, (_, at) => callerAt(tenant, `203.0.113.${at}`).askReset(email)))
    await Promise.all(Array.from({ length: 10 }, (_, at) => callerAt(tenant, `203.0.113.${at}`).askLink(email)))
    expect((await mailsTo(tenant, email)).map(({ template }) => template).toSorted()).toEqual([
      'password-reset',
      'sign-in-link',
    ])
  })

  test('never stop a known device behind the same network', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const home = callerAt(tenant, '203.0.113.201')
    await home.signIn(email)
    const stranger = callerAt(tenant, '203.0.113.201')
    const heard = await Promise.all(
      Array.from({ length: 61 }, (_, at) => statusOf(stranger.askReset(`nobody-${at}@example.com`))),
    )
    expect(heard.filter((status) => status === 429)).toHaveLength(1)
    expect(await statusOf(stranger.askReset('another@example.com'))).toBe(429)
    expect(await statusOf(home.askReset(email))).toBe(200)
  })

  test('a link to sign in is nobody’s but the account’s, and ends after twenty minutes', async () => {
    const tenant = await createTenant(api)
    const [{ email }, other] = [await tenant.createMember(), await tenant.createMember()]
    const caller = callerAt(tenant, '192.0.2.3')
    await caller.askLink(email)
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

test('the password again is counted for each session of a member', async () => {
  const tenant = await createTenant(api)
  const { email, client } = await tenant.createMember()
  const thief = api.client(tenant.code, { token: (await callerAt(tenant, '192.0.2.6').signIn(email)).token })
  const change = (from: typeof client, word: string) =>
    statusOf(from.accounts.changePassword({ currentPassword: word, newPassword: 'a fresh and longer word' }))
  for (let round = 0; round < 10; round++) expect(await change(thief, 'not it')).toBe(422)
  expect(await change(thief, password)).toBe(429)
  expect(await change(client, password)).toBe(200)
})

test('networks a member signed in from are kept as hashes, twenty at most, and forgotten after a year', async () => {
  const own = createTestApi()
  const tenant = await createTenant(own)
  const { email } = await tenant.createMember()
  for (let at = 0; at < 22; at++)
    await own
      .client(tenant.code, { headers: { 'x-forwarded-for': `192.0.2.${at}` } })
      .accounts.login({ email, password })
  const kept = () => tenant.within(async (db) => (await db.execute(sql`SELECT * FROM known_networks`)).rows)
  expect(await kept()).toHaveLength(20)
  expect(JSON.stringify(await kept())).not.toContain('192.0.2')
  own.clock.advance(366 * 24 * 60 * minute)
  await tidy(own, tenant)
  expect(await kept()).toEqual([])
})
