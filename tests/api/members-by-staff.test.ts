import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { consents } from '#api/modules/identity/identity.schema.ts'
import type { MemberId } from '#contract/ids.ts'
import { keyIn, mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const word = 'a fresh and longer word'
const required = { agreeTerms: true, agreePrivacy: true, isOldEnough: true }
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('SUPPORT')
})

const members = () => staff.client.admin.members

const consentsOf = async (id: MemberId) => {
  const rows = await tenant.within((db) => db.select().from(consents).where(eq(consents.memberId, id)))
  return rows.map(({ type, granted }) => `${type} ${granted}`).toSorted()
}

describe('a member whom staff create', () => {
  test('sets the first password with the link of an email, and agrees to what a sign-up requires', async () => {
    const email = 'Invited.One@example.com'
    const { id } = await members().create({ email, name: ' Jun Seo ', locale: 'ko' })
    const created = await members().get({ id })
    expect(created).toMatchObject({ email, name: 'Jun Seo', locale: 'ko', marketing: false, isInvited: true })
    expect(created.history).toMatchObject([
      {
        actor: `staff:${staff.email}`,
        action: 'member.created',
        changes: { locale: { from: null, to: 'ko' } },
      },
    ])
    expect(JSON.stringify(created.history)).not.toMatch(/invited\.one|Jun Seo/i)
    expect(await consentsOf(id)).toEqual([])
    const invitation = await mailTo(tenant, email)
    expect(invitation).toMatchObject({ template: 'member-invitation', locale: 'ko' })
    for (const password of ['', word])
      expect((await failureOf(tenant.guest.identity.login({ email, password }))).problem.code).toMatch(
        /LOGIN_FAILED|VALIDATION_FAILED/,
      )

    const accessKey = keyIn(invitation)
    expect(await tenant.guest.identity.checkReset({ accessKey })).toEqual({ email, needsConsents: true })
    const reset = (agreed: Partial<typeof required> & { agreeMarketing?: boolean }) =>
      tenant.guest.identity.reset({ accessKey, password: word, ...agreed })
    expect(Object.keys((await failureOf(reset({ agreeTerms: true }))).problem.errors)).toEqual([
      'agreePrivacy',
      'isOldEnough',
    ])
    await reset(required)
    expect(await consentsOf(id)).toEqual(['AGE true', 'PRIVACY true', 'TERMS true'])
    expect(await members().get({ id })).toMatchObject({ isInvited: false, marketing: false })
    expect(await tenant.guest.identity.login({ email, password: word })).toMatchObject({ tokenType: 'Bearer' })
    expect((await mailsTo(tenant, email)).map(({ template }) => template)).toEqual(['welcome', 'member-invitation'])
    expect(await failureOf(reset(required))).toMatchObject({ status: 404 })
  })

  test('agrees to marketing only by their own choice', async () => {
    const email = 'invited.two@example.com'
    const { id } = await members().create({ email })
    const accessKey = keyIn(await mailTo(tenant, email))
    await tenant.guest.identity.reset({ accessKey, password: word, ...required, agreeMarketing: true })
    expect(await consentsOf(id)).toContain('MARKETING true')
    expect(await members().get({ id })).toMatchObject({ marketing: true, marketingAt: expect.any(String) })
  })

  test('has a week for it, gets the invitation again, and may also ask for a reset', async () => {
    const later = createTestApi()
    const store = await createTenant(later)
    const { client } = await store.createStaff('SUPPORT')
    const email = 'invited.three@example.com'
    const { id } = await client.admin.members.create({ email })
    const first = keyIn(await mailTo(store, email))
    // A reset in the first minutes extends the recent link, and does not shorten it.
    await store.guest.identity.requestReset({ email })
    later.clock.advance(6 * 24 * 3_600_000)
    expect(await store.guest.identity.checkReset({ accessKey: first })).toMatchObject({ needsConsents: true })
    later.clock.advance(24 * 3_600_000)
    expect(await failureOf(store.guest.identity.checkReset({ accessKey: first }))).toMatchObject({ status: 404 })
    await store.guest.identity.requestReset({ email })
    expect(await mailTo(store, email)).toMatchObject({ template: 'password-reset' })
    const { client: again } = await store.createStaff('SUPPORT')
    await again.admin.members.sendPasswordReset({ id })
    const second = await mailTo(store, email)
    expect(second.template).toBe('member-invitation')
    await store.guest.identity.reset({ accessKey: keyIn(second), password: word, ...required })
  })

  test('gets the invitation at the address that staff correct, and a stranger gets nothing more', async () => {
    const [wrong, right] = ['mistyped@example.com', 'well.typed@example.com']
    const { id } = await members().create({ email: wrong })
    const first = keyIn(await mailTo(tenant, wrong))
    await members().changeEmail({ id, email: right, reason: 'Mistyped' })
    const sentTo = async (email: string) => (await mailsTo(tenant, email)).map(({ template }) => template)
    expect([await sentTo(wrong), await sentTo(right)]).toEqual([['member-invitation'], ['member-invitation']])
    expect(await failureOf(tenant.guest.identity.checkReset({ accessKey: first }))).toMatchObject({ status: 404 })
    const accessKey = keyIn(await mailTo(tenant, right))
    await tenant.guest.identity.reset({ accessKey, password: word, ...required })
    expect(await tenant.guest.identity.login({ email: right, password: word })).toMatchObject({ tokenType: 'Bearer' })
  })

  test('gets one invitation in ten minutes, whose link is extended', async () => {
    const later = createTestApi()
    const store = await createTenant(later)
    const { client } = await store.createStaff('SUPPORT')
    const email = 'invited.often@example.com'
    const { id } = await client.admin.members.create({ email })
    later.clock.advance(9 * 60_000)
    await client.admin.members.sendPasswordReset({ id })
    const invitations = await mailsTo(store, email)
    expect(invitations).toHaveLength(1)
    later.clock.advance(2 * 60_000)
    await client.admin.members.sendPasswordReset({ id })
    expect(await mailsTo(store, email)).toHaveLength(2)
    later.clock.advance((7 * 24 * 60 - 5) * 60_000)
    expect(await store.guest.identity.checkReset({ accessKey: keyIn(invitations[0]!) })).toMatchObject({ email })
  })

  test('counts among the mails of a network', async () => {
    const { id } = await members().create({ email: 'invited.from@example.com' })
    const from = { headers: { 'x-forwarded-for': '203.0.113.77' } }
    const guest = api.client(tenant.code, from)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => guest.identity.requestReset({ email: `nobody-${index}@example.com` })),
    )
    const here = api.client(tenant.code, { ...from, token: staff.token }).admin.members
    expect(await failureOf(here.sendPasswordReset({ id }))).toMatchObject({ code: 'RATE_LIMITED' })
    expect((await members().get({ id })).history.map(({ action }) => action)).toEqual(['member.created'])
    await members().sendPasswordReset({ id })
    expect((await members().get({ id })).history[0]).toMatchObject({ action: 'member.reset-sent' })
  })

  test('is refused for an address that a member has, in any case, with that member', async () => {
    const member = await tenant.createMember()
    const refused = await failureOf(members().create({ email: member.email.toUpperCase() }))
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      problem: {
        errors: { email: ['Another member has this email address.'] },
        data: { memberId: member.id },
      },
    })
    const twice = await Promise.allSettled([1, 2].map(() => members().create({ email: 'at.once@example.com' })))
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['name', { email: 'a@example.com', name: 'two\nlines' }],
    ['locale', { email: 'a@example.com', locale: 'ar' as const }],
  ])('is refused with the name of the invalid field: %s', async (field, input) => {
    const { status, problem } = await failureOf(members().create(input))
    expect([status, Object.keys(problem.errors)]).toEqual([422, [field]])
  })

  test('needs the permission to change members', async () => {
    const finance = await tenant.createStaff('FINANCE')
    expect(await failureOf(finance.client.admin.members.create({ email: 'b@example.com' }))).toMatchObject({
      status: 403,
    })
  })
})

describe('the profile of a member', () => {
  test('is changed by staff field by field, without what leads to the member in the history', async () => {
    const { id } = await tenant.createMember()
    const before = await members().get({ id })
    const address = { postcode: '04524', road: '110 Sejong-daero', detail: '' }
    const change = {
      id,
      name: 'Mina Kang',
      phone: '(213) 373-4253',
      address,
      locale: 'ko' as const,
      reason: 'By phone',
    }
    await staff.withVersion(before.version).admin.members.change(change)
    const after = await members().get({ id })
    expect(after).toMatchObject({ name: 'Mina Kang', phone: '+12133734253', address, locale: 'ko' })
    expect(after.history[0]).toMatchObject({
      actor: `staff:${staff.email}`,
      action: 'member.changed',
      detail: { changedFields: ['name', 'phone', 'address'], reason: 'By phone' },
    })
    // The log outlasts the member.
    expect(after.history[0]?.changes).toEqual({ locale: { from: null, to: 'ko' } })
    expect(JSON.stringify(after.history)).not.toMatch(/Mina Kang|2133734253|Sejong/)
    // The same again changes nothing and is no entry.
    await staff.withVersion(after.version).admin.members.change(change)
    expect((await members().get({ id })).history).toHaveLength(after.history.length)
  })

  test('is not changed over what another person has changed since', async () => {
    const { id } = await tenant.createMember()
    const { version } = await members().get({ id })
    const { change } = staff.withVersion(version).admin.members
    expect(await failureOf(members().change({ id, name: 'A', reason: 'None' }))).toMatchObject({
      code: 'VERSION_MISSING',
    })
    await change({ id, name: 'First', reason: 'None' })
    expect(await failureOf(change({ id, name: 'Second', reason: 'None' }))).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect((await members().get({ id })).name).toBe('First')
  })

  test('loses the consent to marketing by staff, who cannot give it', async () => {
    const member = await tenant.createMember()
    const { id } = member
    await member.client.identity.changeProfile({ marketing: true })
    const { version } = await members().get({ id })
    const { change } = staff.withVersion(version).admin.members
    // @ts-expect-error The contract has no consent that staff give.
    expect(await failureOf(change({ id, marketing: true, reason: 'Wants it' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await change({ id, marketing: false, reason: 'Asked by phone' })
    expect(await consentsOf(id)).toEqual(expect.arrayContaining(['MARKETING false', 'MARKETING true']))
    expect((await members().get({ id })).history[0]).toMatchObject({
      changes: { marketing: { from: true, to: false } },
    })
    expect(await member.client.identity.profile()).toMatchObject({ marketing: false })
  })

  test.each([
    ['phone', { phone: '12345' }],
    ['name', { name: 'two\nlines' }],
    ['locale', { locale: 'ar' as const }],
    ['address.postcode', { address: { postcode: '', road: 'A road', detail: '' } }],
  ])('is refused with the name of the invalid field: %s', async (field, wrong) => {
    const { id } = await tenant.createMember()
    const { version } = await members().get({ id })
    const change = staff.withVersion(version).admin.members.change({ id, reason: 'None', ...wrong })
    const { status, problem } = await failureOf(change)
    expect([status, Object.keys(problem.errors)]).toEqual([422, [field]])
  })
})
