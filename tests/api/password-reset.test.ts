import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { joinVerifications, passwordResets } from '#api/modules/identity/identity.schema.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { keyIn, mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const fresh = 'a fresh and longer word'

const keyFor = async (tenant: Tenant, email: string) => {
  await tenant.guest.identity.requestReset({ email })
  return keyIn(await mailTo(tenant, email))
}

describe('a new password', () => {
  test('set with the key of the mail ends every session and notifies the owner by mail', async () => {
    const tenant = await createTenant(api)
    const { email, client } = await tenant.createMember()
    const accessKey = await keyFor(tenant, email)
    expect(await tenant.guest.identity.checkReset({ accessKey })).toEqual({ email, needsConsents: false })
    await tenant.guest.identity.reset({ accessKey, password: fresh })
    expect(await failureOf(client.identity.me())).toMatchObject({ code: 'SESSION_EXPIRED' })
    expect(await failureOf(tenant.guest.identity.login({ email, password }))).toMatchObject({ code: 'LOGIN_FAILED' })
    expect((await tenant.guest.identity.login({ email, password: fresh })).tokenType).toBe('Bearer')
    expect((await mailsTo(tenant, email)).map(({ template }) => template)).toEqual([
      'password-changed',
      'password-reset',
    ])
  })

  test('is set once per key, also by concurrent requests; reading the key does not use it', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const accessKey = await keyFor(tenant, email)
    for (let look = 0; look < 3; look++) await tenant.guest.identity.checkReset({ accessKey })
    const passwords = ['the first of two words', 'the second of two words']
    const outcomes = await Promise.allSettled(
      passwords.map((word) => tenant.guest.identity.reset({ accessKey, password: word })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const opened = await Promise.allSettled(
      passwords.map((word) => tenant.guest.identity.login({ email, password: word })),
    )
    expect(opened.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status))
    expect(await failureOf(tenant.guest.identity.checkReset({ accessKey }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.identity.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
  })

  test('makes the member’s other keys invalid', async () => {
    const separateApi = createTestApi()
    const tenant = await createTenant(separateApi)
    const { email } = await tenant.createMember()
    const older = await keyFor(tenant, email)
    separateApi.clock.advance(9 * 60_000)
    // A repeated request extends the first key, so that it is valid beside the second.
    await tenant.guest.identity.requestReset({ email })
    separateApi.clock.advance(2 * 60_000)
    const newer = await keyFor(tenant, email)
    expect(newer).not.toBe(older)
    expect(await tenant.guest.identity.checkReset({ accessKey: older })).toEqual({ email, needsConsents: false })
    await tenant.guest.identity.reset({ accessKey: newer, password: fresh })
    expect(await failureOf(tenant.guest.identity.reset({ accessKey: older, password }))).toMatchObject({ status: 404 })
  })

  test('needs a key that is at most ten minutes old and of the same store', async () => {
    const separateApi = createTestApi()
    const [tenant, other] = [await createTenant(separateApi), await createTenant(separateApi)]
    const { email } = await tenant.createMember('same@example.com')
    await other.createMember('same@example.com')
    const accessKey = await keyFor(tenant, email)
    expect(await failureOf(other.guest.identity.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
    separateApi.clock.advance(10 * 60_000)
    expect(await failureOf(tenant.guest.identity.checkReset({ accessKey }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.identity.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
  })

  test('that is too weak is refused by name, and the key stays valid', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember('Someone.Here@example.com')
    const accessKey = await keyFor(tenant, email)
    for (const wrong of ['someone.here@EXAMPLE.com', 'Someone.Here', 'iloveyou', 'short']) {
      const { status, problem } = await failureOf(tenant.guest.identity.reset({ accessKey, password: wrong }))
      expect([status, Object.keys(problem.errors)]).toEqual([422, ['password']])
    }
    await tenant.guest.identity.reset({ accessKey, password: fresh })
  })

  test('is requested with a key that is stored as a hash', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const accessKey = await keyFor(tenant, email)
    const rows = await tenant.within((db) =>
      db.select().from(passwordResets).where(eq(passwordResets.customerId, tenant.id)),
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(accessKey)
    expect(Buffer.from(accessKey, 'base64url')).toHaveLength(32)
  })

  test('has a key whose row is deleted a day after it expires, as an expired join’s is', async () => {
    const separateApi = createTestApi()
    const tenant = await createTenant(separateApi)
    const { email } = await tenant.createMember()
    await tenant.guest.identity.requestReset({ email })
    const form = { email: 'new@example.com', password: fresh, name: 'Sora', phone: '213 373 4253' }
    await tenant.guest.identity.requestJoin({ ...form, agreeTerms: true, agreePrivacy: true, isOldEnough: true })
    const countRows = () =>
      tenant.within(async (db) => [
        (await db.select().from(passwordResets).where(eq(passwordResets.customerId, tenant.id))).length,
        (await db.select().from(joinVerifications).where(eq(joinVerifications.customerId, tenant.id))).length,
      ])
    separateApi.clock.advance(60 * 60_000)
    await cleanUp(separateApi, tenant)
    expect(await countRows()).toEqual([1, 1])
    separateApi.clock.advance(25 * 60 * 60_000)
    await cleanUp(separateApi, tenant)
    expect(await countRows()).toEqual([0, 0])
  })

  test('unlocks an account locked after wrong passwords', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    for (let round = 0; round < 6; round++) await failureOf(tenant.guest.identity.login({ email, password: 'not it' }))
    expect(await failureOf(tenant.guest.identity.login({ email, password }))).toMatchObject({ status: 429 })
    await tenant.guest.identity.reset({ accessKey: await keyFor(tenant, email), password: fresh })
    expect((await tenant.guest.identity.login({ email, password: fresh })).tokenType).toBe('Bearer')
  })
})

describe('a password reset request', () => {
  test('is answered the same for an unknown e-mail, in the same time', async () => {
    const tenant = await createTenant(api)
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 4; round++) {
      const { email } = await tenant.createMember()
      for (const [whose, address] of [
        ['known', email],
        ['unknown', `nobody-${round}@example.com`],
      ] as const) {
        const started = performance.now()
        expect(await tenant.guest.identity.requestReset({ email: address })).toEqual({ mailbox: null })
        times[whose].push(performance.now() - started)
        expect(await mailsTo(tenant, address)).toHaveLength(whose === 'known' ? 1 : 0)
      }
    }
    const [knownTime, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
    expect(Math.abs(knownTime - unknown)).toBeLessThan(50)
    expect(unknown).toBeGreaterThan(240)
  })

  test('sends a mail in the requester’s language where the member has chosen none', async () => {
    const tenant = await createTenant(api)
    const { email, client } = await tenant.createMember()
    const reader = api.client(tenant.code, { headers: { 'accept-language': 'ko-KR' } })
    await reader.identity.requestReset({ email })
    expect(await mailTo(tenant, email)).toMatchObject({ locale: 'ko' })
    await client.identity.changeProfile({ locale: 'en' })
    api.clock.advance(11 * 60_000)
    await reader.identity.requestReset({ email })
    expect(await mailTo(tenant, email)).toMatchObject({ locale: 'en' })
  })
})
