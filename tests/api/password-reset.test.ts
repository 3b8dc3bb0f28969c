import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { joinVerifications, passwordResets } from '#api/modules/identity/identity.schema.ts'
import { tidy } from '#tests/support/chores.ts'
import { keyIn, mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const fresh = 'a fresh and longer word'

const keyFor = async (tenant: Tenant, email: string) => {
  await tenant.guest.joining.requestReset({ email })
  return keyIn(await mailTo(tenant, email))
}

describe('A new password', () => {
  test('is set with the key of the mail: every session ends, and the owner is told', async () => {
    const tenant = await createTenant(api)
    const { email, client } = await tenant.createMember()
    const accessKey = await keyFor(tenant, email)
    expect(await tenant.guest.joining.checkReset({ accessKey })).toEqual({ email })
    await tenant.guest.joining.reset({ accessKey, password: fresh })
    expect(await failureOf(client.accounts.me())).toMatchObject({ code: 'SESSION_EXPIRED' })
    expect(await failureOf(tenant.guest.accounts.login({ email, password }))).toMatchObject({ code: 'LOGIN_FAILED' })
    expect((await tenant.guest.accounts.login({ email, password: fresh })).tokenType).toBe('Bearer')
    expect((await mailsTo(tenant, email)).map(({ template }) => template)).toEqual([
      'password-changed',
      'password-reset',
    ])
  })

  test('the key works once, also for two at once, and looking at it uses nothing up', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const accessKey = await keyFor(tenant, email)
    for (let look = 0; look < 3; look++) await tenant.guest.joining.checkReset({ accessKey })
    const words = ['the first of two words', 'the second of two words']
    const outcomes = await Promise.allSettled(
      words.map((word) => tenant.guest.joining.reset({ accessKey, password: word })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const opened = await Promise.allSettled(words.map((word) => tenant.guest.accounts.login({ email, password: word })))
    expect(opened.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status))
    expect(await failureOf(tenant.guest.joining.checkReset({ accessKey }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.joining.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
  })

  test('a used key closes the member’s others', async () => {
    const own = createTestApi()
    const tenant = await createTenant(own)
    const { email } = await tenant.createMember()
    const older = await keyFor(tenant, email)
    own.clock.advance(9 * 60_000)
    // Asked for again, the first key is good for as long again, and so beside the second.
    await tenant.guest.joining.requestReset({ email })
    own.clock.advance(2 * 60_000)
    const newer = await keyFor(tenant, email)
    expect(newer).not.toBe(older)
    expect(await tenant.guest.joining.checkReset({ accessKey: older })).toEqual({ email })
    await tenant.guest.joining.reset({ accessKey: newer, password: fresh })
    expect(await failureOf(tenant.guest.joining.reset({ accessKey: older, password }))).toMatchObject({ status: 404 })
  })

  test('the key is good for ten minutes, for its own store', async () => {
    const own = createTestApi()
    const [tenant, other] = [await createTenant(own), await createTenant(own)]
    const { email } = await tenant.createMember('same@example.com')
    await other.createMember('same@example.com')
    const accessKey = await keyFor(tenant, email)
    expect(await failureOf(other.guest.joining.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
    own.clock.advance(10 * 60_000)
    expect(await failureOf(tenant.guest.joining.checkReset({ accessKey }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.joining.reset({ accessKey, password: fresh }))).toMatchObject({ status: 404 })
  })

  test('a password that will not do is named, and the key is still good', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember('Someone.Here@example.com')
    const accessKey = await keyFor(tenant, email)
    for (const wrong of ['someone.here@EXAMPLE.com', 'short']) {
      const { status, problem } = await failureOf(tenant.guest.joining.reset({ accessKey, password: wrong }))
      expect([status, Object.keys(problem.errors)]).toEqual([422, ['password']])
    }
    await tenant.guest.joining.reset({ accessKey, password: fresh })
  })

  test('the key is kept as a hash', async () => {
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

  test('its key is forgotten a day after it ran out, and so is a join', async () => {
    const own = createTestApi()
    const tenant = await createTenant(own)
    const { email } = await tenant.createMember()
    await tenant.guest.joining.requestReset({ email })
    const form = { email: 'new@example.com', password: fresh, name: 'Sora', phone: '213 373 4253' }
    await tenant.guest.joining.requestJoin({ ...form, agreeTerms: true, agreePrivacy: true, isOldEnough: true })
    const kept = () =>
      tenant.within(async (db) => [
        (await db.select().from(passwordResets).where(eq(passwordResets.customerId, tenant.id))).length,
        (await db.select().from(joinVerifications).where(eq(joinVerifications.customerId, tenant.id))).length,
      ])
    own.clock.advance(60 * 60_000)
    await tidy(own, tenant)
    expect(await kept()).toEqual([1, 1])
    own.clock.advance(25 * 60 * 60_000)
    await tidy(own, tenant)
    expect(await kept()).toEqual([0, 0])
  })

  test('opens an account that wrong tries had closed', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    for (let round = 0; round < 6; round++) await failureOf(tenant.guest.accounts.login({ email, password: 'not it' }))
    expect(await failureOf(tenant.guest.accounts.login({ email, password }))).toMatchObject({ status: 429 })
    await tenant.guest.joining.reset({ accessKey: await keyFor(tenant, email), password: fresh })
    expect((await tenant.guest.accounts.login({ email, password: fresh })).tokenType).toBe('Bearer')
  })
})

describe('Asking for one', () => {
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
        expect(await tenant.guest.joining.requestReset({ email: address })).toEqual({ mailbox: null })
        times[whose].push(performance.now() - started)
        expect(await mailsTo(tenant, address)).toHaveLength(whose === 'known' ? 1 : 0)
      }
    }
    const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
    expect(Math.abs(known - unknown)).toBeLessThan(50)
    expect(unknown).toBeGreaterThan(240)
  })

  test('is answered by a mail in the asking person’s language, where the member has chosen none', async () => {
    const tenant = await createTenant(api)
    const { email, client } = await tenant.createMember()
    const reader = api.client(tenant.code, { headers: { 'accept-language': 'ko-KR' } })
    await reader.joining.requestReset({ email })
    expect(await mailTo(tenant, email)).toMatchObject({ locale: 'ko' })
    await client.accounts.changeProfile({ locale: 'en' })
    api.clock.advance(11 * 60_000)
    await reader.joining.requestReset({ email })
    expect(await mailTo(tenant, email)).toMatchObject({ locale: 'en' })
  })
})
