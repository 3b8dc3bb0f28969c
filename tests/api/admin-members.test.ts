import { beforeAll, expect, test } from 'vitest'
import { dayAt } from '#api/platform/clock.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { beginToDeposit, createBankTenant } from '#tests/support/bank.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant, type TestMember, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('SUPPORT')
})

const members = () => staff.client.admin.members
const signIn = ({ email }: Pick<TestMember, 'email'>, word = password) =>
  tenant.guest.identity.login({ email, password: word })

test('a blocked member is signed out and cannot sign in until unblocked', async () => {
  const member = await tenant.createMember()
  await members().block({ id: member.id, reason: 'Shares the password' })
  expect(await failureOf(member.client.identity.me())).toMatchObject({ status: 401 })
  expect(await failureOf(signIn(member))).toMatchObject({ status: 403, code: 'MEMBER_BLOCKED' })
  // Who does not know the password learns nothing.
  expect(await failureOf(signIn(member, 'another password'))).toMatchObject({ status: 401, code: 'LOGIN_FAILED' })

  const shown = await members().get({ id: member.id })
  expect(shown).toMatchObject({ blockedAt: expect.any(String), sessions: [] })
  expect(shown.history[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'member.blocked',
    changes: { blockedAt: { from: null, to: shown.blockedAt } },
    detail: { reason: 'Shares the password' },
  })
  await members().block({ id: member.id, reason: 'Again' })
  expect((await members().get({ id: member.id })).history).toHaveLength(1)
  expect((await members().list({ q: member.email })).items).toMatchObject([{ blockedAt: shown.blockedAt }])

  await members().unblock({ id: member.id, reason: 'Settled' })
  expect((await members().get({ id: member.id })).history[0]).toMatchObject({ action: 'member.unblocked' })
  expect(await signIn(member)).toMatchObject({ tokenType: 'Bearer' })
})

test('no session of a member outlives a block at the same time', async () => {
  const member = await tenant.createMember()
  await Promise.allSettled([
    ...Array.from({ length: 5 }, () => signIn(member)),
    members().block({ id: member.id, reason: 'Now' }),
    ...Array.from({ length: 5 }, () => signIn(member)),
  ])
  expect((await members().get({ id: member.id })).sessions).toEqual([])
})

test('a member signs in with the address that staff have set, and both addresses are told', async () => {
  const member = await tenant.createMember()
  const email = `New-${member.email}`
  await members().changeEmail({ id: member.id, email, reason: 'Lost the mailbox' })
  expect(await failureOf(member.client.identity.me())).toMatchObject({ status: 401 })
  expect(await failureOf(signIn(member))).toMatchObject({ status: 401, code: 'LOGIN_FAILED' })
  const { token } = await signIn({ email: email.toLowerCase() })
  expect((await api.client(tenant.code, { token: token ?? '' }).identity.me()).email).toBe(email)
  const mails = await Promise.all([member.email, email].map((to) => staff.client.admin.mails.list({ to })))
  expect(mails.map(({ items }) => items[0]?.template)).toEqual(['email-changed', 'email-changed'])
  expect((await members().get({ id: member.id })).history[0]).toMatchObject({
    action: 'member.email-changed',
    changes: {},
    detail: { changedFields: ['email'], reason: 'Lost the mailbox' },
  })
})

test('the address of another member is refused, in any case', async () => {
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const change = members().changeEmail({ id: member.id, email: other.email.toUpperCase(), reason: 'Wrong' })
  expect(await failureOf(change)).toMatchObject({
    status: 422,
    problem: { errors: { email: ['Another member has this email address.'] } },
  })
  expect(await signIn(member)).toMatchObject({ tokenType: 'Bearer' })
})

const erase = ({ id, email }: Pick<TestMember, 'id' | 'email'>) =>
  members().erase({ id, email, reason: 'Asked by letter' })

test('a member who asks staff for it is erased once, is told, and can join again', async () => {
  const member = await tenant.createMember()
  expect(await failureOf(erase({ id: member.id, email: 'other@example.com' }))).toMatchObject({
    status: 422,
    problem: { errors: { email: ['Type the email address of this member.'] } },
  })
  const outcomes = await Promise.allSettled([erase(member), erase(member), erase(member)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await failureOf(member.client.identity.me())).toMatchObject({ status: 401 })
  expect(await failureOf(members().get({ id: member.id }))).toMatchObject({ status: 404 })
  expect((await members().list({ q: member.email })).items).toEqual([])
  const owner = await tenant.createStaff('OWNER')
  const { items } = await owner.client.admin.audit({ subject: `member:${member.id}` })
  expect(items).toMatchObject([
    { actor: `staff:${staff.email}`, action: 'member.erased', detail: { reason: 'Asked by letter' } },
  ])
  expect(JSON.stringify(items)).not.toContain(member.email)
  expect((await staff.client.admin.mails.list({ to: member.email })).items[0]?.template).toBe('goodbye')
  expect(await tenant.createMember(member.email)).toMatchObject({ email: member.email })
})

test('a member who asks staff for their data gets what their own export has, and the log says why', async () => {
  const member = await tenant.createMember()
  await member.client.support.createInquiry({ type: 'ETC', title: 'My data', body: 'Please send it.' })
  const exported = await members().exportData({ id: member.id, reason: 'Asked by letter' })
  const { exportedAt: _, ...own } = await member.client.identity.exportMe()
  expect(exported).toEqual({ ...own, exportedAt: expect.any(String) })
  expect(JSON.stringify(exported)).toContain('Please send it.')
  expect((await members().get({ id: member.id })).history).toMatchObject([
    { actor: `staff:${staff.email}`, action: 'member.exported', detail: { reason: 'Asked by letter' } },
  ])
  expect(await failureOf(members().exportData({ id: member.id, reason: ' ' }))).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
})

test('an account with a deposit that is awaited is not erased', async () => {
  const store = await createBankTenant(api)
  const { client } = await store.createStaff('SUPPORT')
  const member = await store.createMember()
  const { order } = await beginToDeposit(api, store, member, await store.createProduct())
  const erasure = client.admin.members.erase({ id: member.id, email: member.email, reason: 'Asked' })
  const refused = await failureOf(erasure)
  expect(refused.code).toBe('WITHDRAWAL_BLOCKED')
  expect(refused.problem.data).toMatchObject({ blockedBy: [{ code: order.code }] })
  expect(await member.client.identity.me()).toMatchObject({ email: member.email })
})

test('a partnership opens all titles of plans until its last day, and is ended', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const { members } = client.admin
  const [member, film] = [await tenant.createMember(), await tenant.createProduct({ access: 'PLAN' })]
  const { id } = member
  const isEntitled = async () => (await member.client.catalog.product({ id: film.id })).viewer?.entitled
  const past = await failureOf(members.setPartnership({ id, until: '2020-01-01', name: null, reason: 'A contract' }))
  expect(Object.keys(past.problem.errors ?? {})).toEqual(['until'])
  expect(await isEntitled()).toBe(false)

  await members.setPartnership({ id, until: '2999-12-31', name: 'Harbour Ltd', reason: 'A contract' })
  expect(await isEntitled()).toBe(true)
  expect((await member.client.subscriptions.subscription()).partnership).toMatchObject({ name: 'Harbour Ltd' })
  const granted = await members.get({ id })
  expect(granted).toMatchObject({
    partnershipName: 'Harbour Ltd',
    history: [
      {
        action: 'partnership.granted',
        changes: { name: { from: null, to: 'Harbour Ltd' } },
        detail: { reason: 'A contract' },
      },
    ],
  })

  await members.setPartnership({ id, until: null, name: null, reason: 'It has ended' })
  expect(await isEntitled()).toBe(false)
  expect((await members.get({ id })).history[0]).toMatchObject({ action: 'partnership.ended' })

  api.clock.advance(1000)
  await members.setPartnership({ id, until: null, name: null, reason: 'It has ended' })
  const other = await tenant.createMember()
  await members.setPartnership({ id: other.id, until: null, name: null, reason: 'There is none' })
  expect((await members.get({ id })).history.map(({ action }) => action)).toEqual([
    'partnership.ended',
    'partnership.granted',
  ])
  expect((await members.get({ id: other.id })).history).toEqual([])
})

test('a partner gets an email in their language when a partnership begins and when it ends', async () => {
  const tenant = await createTenant(api)
  const { members } = (await tenant.createStaff('SUPPORT')).client.admin
  const [member, korean] = [await tenant.createMember(), await tenant.createMember()]
  await korean.client.identity.changeProfile({ locale: 'ko' })
  const sent = async ({ email }: typeof member) =>
    (await mailsTo(tenant, email)).map(({ template }) => template).filter((name) => name.startsWith('partnership'))
  const until = (day: string | null, id = member.id) =>
    members.setPartnership({ id, until: day, name: day && 'Harbour Ltd', reason: 'A contract' })

  await until('2998-12-31')
  const began = await mailTo(tenant, member.email)
  expect(began.subject).toMatch(/^Your partnership with .+ has begun$/)
  expect(began.text).toContain('Harbour Ltd')
  // A longer one neither begins nor ends.
  await until('2999-12-31')
  await until(null)
  expect(await sent(member)).toEqual(['partnership-ended', 'partnership-started'])
  expect((await mailTo(tenant, member.email)).text).toContain('Harbour Ltd')
  await until('2999-12-31', korean.id)
  expect((await mailTo(tenant, korean.email)).subject).toMatch(/제휴/)

  // Its last day ends it too, once.
  // Days are those of the store's time zone.
  const today = dayAt(api.clock.now(), 'Asia/Seoul')
  await until(today, korean.id)
  await cleanUp(api, tenant)
  expect(await sent(korean)).toEqual(['partnership-started'])
  api.clock.advance(26 * 3_600_000)
  await cleanUp(api, tenant)
  await cleanUp(api, tenant)
  expect(await sent(korean)).toEqual(['partnership-ended', 'partnership-started'])
  expect(await sent(member)).toHaveLength(2)
})

test('a password reset is mailed to the member, and staff do not see the link', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const { id, email } = await tenant.createMember()
  await client.admin.members.sendPasswordReset({ id })
  const sent = (await client.admin.mails.list({ to: email })).items
  expect(sent).toMatchObject([{ template: 'password-reset', to: email }])
  const { history } = await client.admin.members.get({ id })
  expect(history).toMatchObject([{ action: 'member.reset-sent', changes: {}, detail: {} }])

  // Another one within ten minutes is the same link.
  await client.admin.members.sendPasswordReset({ id })
  expect((await client.admin.mails.list({ to: email })).items).toHaveLength(1)
})
