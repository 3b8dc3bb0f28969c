import { asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { consents, members } from '#api/modules/identity/identity.schema.ts'
import { exportSections } from '#api/modules/privacy/personal-data.queries.ts'
import { createFullTenant } from '#tests/support/full-tenant.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const fresh = 'a fresh and longer word'

describe('the profile', () => {
  test('is changed field by field, and omitted fields stay', async () => {
    const tenant = await createTenant(api)
    const { client, email } = await tenant.createMember()
    expect(await client.identity.profile()).toMatchObject({
      email,
      name: 'Mina Park',
      phone: null,
      address: null,
      locale: null,
      marketing: false,
      marketingAt: null,
    })
    const address = { postcode: '04524', road: '110 Sejong-daero', detail: '3F' }
    await client.identity.changeProfile({ name: '  Mina Kang ', phone: '(213) 373-4253', address, locale: 'ko' })
    const changed = { name: 'Mina Kang', phone: '+12133734253', address, locale: 'ko' }
    expect(await client.identity.changeProfile({})).toMatchObject(changed)
    expect(await client.identity.changeProfile({ address: null })).toMatchObject({ ...changed, address: null })
    expect((await client.identity.me()).name).toBe('Mina Kang')
  })

  test.each([
    ['phone', { phone: '12345' }],
    ['name', { name: 'two\nlines' }],
    ['locale', { locale: 'ar' as const }],
    ['address.postcode', { address: { postcode: '', road: 'A road', detail: '' } }],
  ])('is refused with the name of the invalid field: %s', async (field, wrong) => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const { status, problem } = await failureOf(client.identity.changeProfile(wrong))
    expect([status, Object.keys(problem.errors)]).toEqual([422, [field]])
  })

  test('records each consent to marketing and each withdrawal once, and keeps them unchanged', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const yes = await client.identity.changeProfile({ marketing: true })
    await client.identity.changeProfile({ marketing: true })
    api.clock.advance(1000)
    const no = await client.identity.changeProfile({ marketing: false })
    expect([yes.marketing, no.marketing]).toEqual([true, false])
    expect(Date.parse(no.marketingAt!)).toBeGreaterThan(Date.parse(yes.marketingAt!))
    const rows = await tenant.within((db) =>
      db.select().from(consents).where(eq(consents.customerId, tenant.id)).orderBy(asc(consents.at)),
    )
    expect(rows.map(({ type, granted }) => [type, granted])).toEqual([
      ['MARKETING', true],
      ['MARKETING', false],
    ])
    const rewritten = tenant.within((db) => db.update(consents).set({ granted: true }))
    await expect(rewritten).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: '42501' }) }),
    )
  })
})

describe('the password', () => {
  test('is changed with the old one, which ends other sessions, keeps this one and notifies the owner', async () => {
    const tenant = await createTenant(api)
    const { client, email } = await tenant.createMember()
    const other = await tenant.guest.identity.login({ email, password })
    await tenant.guest.identity.requestReset({ email })
    await client.identity.changePassword({ currentPassword: password, newPassword: fresh })
    expect((await client.identity.me()).email).toBe(email)
    expect(await failureOf(api.client(tenant.code, { token: other.token }).identity.me())).toMatchObject({
      status: 401,
    })
    expect(await failureOf(tenant.guest.identity.login({ email, password }))).toMatchObject({ code: 'LOGIN_FAILED' })
    expect((await tenant.guest.identity.login({ email, password: fresh })).tokenType).toBe('Bearer')
    expect((await mailTo(tenant, email)).template).toBe('password-changed')
    const key = /key=([\w-]+)/.exec((await mailsTo(tenant, email)).at(-1)!.text)![1]!
    expect(await failureOf(tenant.guest.identity.checkReset({ accessKey: key }))).toMatchObject({ status: 404 })
  })

  test('is not changed with a wrong old one, which is limited to ten tries', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const attempt = () =>
      failureOf(client.identity.changePassword({ currentPassword: 'not it at all', newPassword: fresh }))
    const { status, problem } = await attempt()
    expect([status, Object.keys(problem.errors)]).toEqual([422, ['currentPassword']])
    for (let round = 0; round < 9; round++) await attempt()
    expect(await attempt()).toMatchObject({ status: 429 })
    const right = client.identity.changePassword({ currentPassword: password, newPassword: fresh })
    expect(await failureOf(right)).toMatchObject({ status: 429 })
  })

  test.each([
    ['the email address', 'Mina.Park@example.com'],
    ['the old one', password],
    ['the part of the address before its @', 'mina.park'],
    ['a common one', 'password'],
    ['a common one in capitals', 'QWERTY123'],
    ['a run', '12345678'],
    ['one letter', 'aaaaaaaa'],
    ['invisible', '\u200b'.repeat(8)],
    ['too short', 'short'],
  ])('is refused if it is %s', async (_, newPassword) => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember(`mina.park@example.com`)
    const { status, problem } = await failureOf(
      client.identity.changePassword({ currentPassword: password, newPassword }),
    )
    expect([status, Object.keys(problem.errors)]).toEqual([422, ['newPassword']])
  })

  test('is changed by one of two concurrent requests', async () => {
    const tenant = await createTenant(api)
    const { client, email } = await tenant.createMember()
    const passwords = ['the first of two words', 'the second of two words']
    const outcomes = await Promise.allSettled(
      passwords.map((newPassword) => client.identity.changePassword({ currentPassword: password, newPassword })),
    )
    const opened = await Promise.allSettled(
      passwords.map((word) => tenant.guest.identity.login({ email, password: word })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(opened.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status))
  })
})

describe('the export', () => {
  test('holds the member’s own data, nothing of others, and no secrets', async () => {
    const tenant = await createFullTenant(api, 'export')
    const stranger = await tenant.createMember()
    await stranger.client.engagement.addComment({ id: tenant.product.id, body: 'A stranger said this' })
    const exported = await tenant.member.client.identity.exportMe()
    expect(exported).toMatchObject({
      store: { code: tenant.code },
      member: [{ email: tenant.member.email, name: 'Mina Park' }],
      likes: [{ product_id: tenant.product.id }],
      orders: expect.arrayContaining([expect.objectContaining({ code: tenant.orderCode })]),
    })
    expect((exported.comments as { body: string }[]).map(({ body }) => body).sort()).toEqual([
      'export comment',
      'export reply',
    ])
    const text = JSON.stringify(exported)
    expect(text).not.toContain(stranger.id)
    expect(text).not.toContain('A stranger said this')
    expect(text).not.toContain('argon2')
    expect(text).not.toContain(tenant.id)
    expect(text).not.toMatch(/"(?:token|token_hash|key_hash|password_hash|refund_account)"/)
  })

  test('includes every table with data of a member, except stored idempotent answers', async () => {
    const { rows } = await api.owner.execute<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('member_id', 'viewer')`,
    )
    const exported = new Set(Object.values(exportSections).map(({ table }) => table))
    // Answers stored for two days, for repeated requests with one idempotency key.
    const technical = ['idempotency_keys']
    expect(rows.map(({ name }) => name).filter((name) => !exported.has(name) && !technical.includes(name))).toEqual([])
  })
})

test('the profile of a member who has left is not found', async () => {
  const tenant = await createTenant(api)
  const { client, id } = await tenant.createMember()
  await tenant.within((db) =>
    db.update(members).set({ withdrawnAt: new Date().toISOString() }).where(eq(members.id, id)),
  )
  expect(await failureOf(client.identity.profile())).toMatchObject({ code: 'SESSION_EXPIRED' })
})
