import { TOTP } from 'otpauth'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '#api/platform/db/client.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant(api)
})

const setUpApp = async ({ client }: Pick<TestStaff, 'client'>) => {
  const { secret } = await client.staff.startTotp({ password })
  await client.staff.confirmTotp({ code: new TOTP({ secret }).generate({ timestamp: api.clock.now().getTime() }) })
}

const invitationKeyIn = ({ text }: { text: string }) =>
  decodeURIComponent(/invitation\?store=[^&]+&key=([^\s"&<]+)/.exec(text)?.[1] ?? '')

const joinAnotherStore = async ({ email }: TestStaff) => {
  const other = await createTenant(api)
  const inviter = await other.createStaff('OWNER')
  await inviter.client.staff.invite({ email, grant: { role: 'SUPPORT' } })
  const key = invitationKeyIn(await mailTo(other, email))
  await other.guest.staff.acceptInvitation({ key, password })
}

const reset = (by: Pick<TestStaff, 'client'>, { id }: Pick<TestStaff, 'id'>) =>
  by.client.staff.resetSecondFactor({ id, reason: 'Lost the phone' })

describe('the second factor of a colleague', () => {
  test('is reset by who manages staff, which ends the sessions and is told by email', async () => {
    const [owner, lost] = [await tenant.createStaff('OWNER'), await tenant.createStaff('SUPPORT')]
    expect((await failureOf(reset(owner, lost))).problem.errors).toEqual({
      id: ['This person has no authenticator app and no passkey.'],
    })
    await setUpApp(lost)
    await reset(owner, lost)
    expect(await failureOf(lost.client.staff.me())).toMatchObject({ status: 401 })
    expect(await tenant.guest.staff.signIn({ email: lost.email, password })).toMatchObject({ stage: 'SIGNED_IN' })
    expect((await mailTo(tenant, lost.email)).template).toBe('staff-second-factor-removed')
    const { items } = await owner.client.admin.audit({
      subject: `staff:${lost.id}`,
      action: 'staff.second-factor-removed',
    })
    expect(items).toMatchObject([
      { actor: `staff:${owner.email}`, detail: { email: lost.email, reason: 'Lost the phone' } },
    ])
  })

  test('is reset neither by who has fewer rights, nor by the person without the password', async () => {
    const owner = await tenant.createStaff('OWNER')
    const { id } = await owner.client.staff.createRole({ name: 'Lead', permissions: ['staff:read', 'staff:write'] })
    const lead = await tenant.createStaff('SUPPORT')
    const { version } = (await owner.client.staff.people()).items.find((person) => person.id === lead.id)!
    await owner.withVersion(version).staff.changeRole({ id: lead.id, grant: { roleId: id! } })
    await setUpApp(owner)
    expect(await failureOf(reset(lead, owner))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await failureOf(reset(await tenant.createStaff('MANAGER'), lead))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await failureOf(reset(owner, owner))).toMatchObject({ code: 'CONFLICT' })
    expect((await owner.client.staff.me()).secondFactor.isSetUp).toBe(true)
  })

  test('is reset by people alone: a program has no second factor', async () => {
    const [lost, program] = [await tenant.createStaff('SUPPORT'), await tenant.createOperator()]
    await setUpApp(lost)
    expect(await failureOf(reset(program, lost))).toMatchObject({ code: 'FORBIDDEN' })
    expect((await lost.client.staff.me()).secondFactor.isSetUp).toBe(true)
  })

  test('is looked up at other stores only where it may be reset, and 20 times an hour', async () => {
    const [owner, colleague, lost] = [
      await tenant.createStaff('OWNER'),
      await tenant.createStaff('SUPPORT'),
      await tenant.createStaff('SUPPORT'),
    ]
    await setUpApp(lost)
    await joinAnotherStore(lost)
    const codesOf = async (person: Pick<TestStaff, 'id'>) => {
      const codes: string[] = []
      for (let count = 0; count < 21; count++) codes.push((await failureOf(reset(owner, person))).code)
      return codes
    }
    const never = Array.from({ length: 21 }, () => 'CONFLICT')
    expect(await codesOf(colleague)).toEqual(never)
    expect(await codesOf(lost)).toEqual([...never.slice(1), 'RATE_LIMITED'])
  })

  test('is not reset by a store where it protects another store too', async () => {
    const [owner, lost] = [await tenant.createStaff('OWNER'), await tenant.createStaff('SUPPORT')]
    await setUpApp(lost)
    await joinAnotherStore(lost)
    const refused = await failureOf(reset(owner, lost))
    expect([refused.code, Object.values(refused.problem.errors).flat()]).toEqual([
      'CONFLICT',
      ['This person belongs to other stores too. Ask the administrator of the installation to reset it.'],
    ])
    expect((await lost.client.staff.me()).secondFactor.isSetUp).toBe(true)
  })
})

test('the stores of a person are listed for that person alone, with the addresses of their consoles', async () => {
  const [person, colleague] = [await tenant.createStaff('SUPPORT'), await tenant.createStaff('OWNER')]
  const urlOf = (store: Tenant) => expect.stringMatching(new RegExp(`^https?://${store.code}\\.test(:\\d+)?/admin$`))
  const own = { code: tenant.code, isCurrent: true, isInstallation: false, url: urlOf(tenant) }
  expect((await person.client.staff.stores()).items).toEqual([{ ...own, name: 'Test store' }])
  const other = await createTenant(api)
  const owner = await other.createStaff('OWNER')
  await owner.client.staff.invite({ email: person.email, grant: { role: 'ANALYST' } })
  const key = invitationKeyIn(await mailTo(other, person.email))
  const { token } = await other.guest.staff.acceptInvitation({ key, password })
  const there = api.client(other.code, { token: token! })
  const both = (await person.client.staff.stores()).items
  expect(both).toHaveLength(2)
  expect(both).toContainEqual({ ...own, name: 'Test store' })
  expect(both).toContainEqual({ ...own, code: other.code, name: 'Test store', isCurrent: false, url: urlOf(other) })
  const fromThere = (await there.staff.stores()).items
  expect(fromThere.find(({ isCurrent }) => isCurrent)?.code).toBe(other.code)

  // Nobody else learns of it, neither at the one store nor at the other.
  for (const client of [colleague.client, owner.client]) expect((await client.staff.stores()).items).toHaveLength(1)
  expect(await failureOf(tenant.guest.staff.stores())).toMatchObject({ status: 401 })
  await owner.client.staff.remove({ id: person.id })
  expect((await person.client.staff.stores()).items).toHaveLength(1)
})

test('all stores are searched for a person once in a while, and one that is away hides no other', async () => {
  const person = await tenant.createStaff('SUPPORT')
  await joinAnotherStore(person)
  const away = await createTenant(api)
  const original = pg.Client.prototype.query
  const begun = new Set<string>()
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...sent: unknown[]
  ) {
    const [text] = sent
    const store = typeof text === 'string' && text.startsWith('BEGIN') && /'([\da-f-]{36})'/.exec(text)?.[1]
    if (store) begun.add(store)
    if (store === away.id)
      return Promise.reject(new DatabaseUnavailable(new Error('could not connect to any active placements')))
    return Reflect.apply(original, this, sent)
    // The type declares only the form with a callback.
  } as never)
  try {
    expect((await person.client.staff.stores()).items).toHaveLength(2)
    expect(begun).toContain(away.id)
    begun.clear()
    expect((await person.client.staff.stores()).items).toHaveLength(2)
    expect(begun.size).toBe(2)
  } finally {
    query.mockRestore()
  }
})

test('whoever lists the own stores too often waits for a minute', async () => {
  const [person, colleague] = [await tenant.createStaff('SUPPORT'), await tenant.createStaff('SUPPORT')]
  for (let count = 0; count < 60; count++) await person.client.staff.stores()
  expect(await failureOf(person.client.staff.stores())).toMatchObject({ code: 'RATE_LIMITED' })
  expect((await colleague.client.staff.stores()).items).toHaveLength(1)
  api.clock.advance(61_000)
  expect((await person.client.staff.stores()).items).toHaveLength(1)
})

const emailKeyIn = ({ text }: { text: string }) => decodeURIComponent(/\/admin#email=([^\s"&<]+)/.exec(text)?.[1] ?? '')

/** Changes the address with the link of the mail, and returns its key. */
const changeAddress = async (person: TestStaff, email: string) => {
  await person.client.staff.requestEmailChange({ email, password })
  const key = emailKeyIn(await mailTo(tenant, email))
  expect(await tenant.guest.staff.confirmEmailChange({ key })).toEqual({ email })
  return key
}

describe('the email address of a person of the staff', () => {
  test('is changed with the link at the new address, once, and the former address is told', async () => {
    const person = await tenant.createStaff('OWNER')
    const email = `New-${person.email}`
    await person.client.staff.requestEmailChange({ email, password })
    expect((await person.client.staff.me()).email).toBe(person.email)
    const mail = await mailTo(tenant, email)
    expect(mail.template).toBe('staff-email-change')
    const key = emailKeyIn(mail)
    expect(await tenant.guest.staff.confirmEmailChange({ key })).toEqual({ email })
    expect(await failureOf(tenant.guest.staff.confirmEmailChange({ key }))).toMatchObject({ status: 404 })
    expect((await person.client.staff.me()).email).toBe(email)
    expect(await failureOf(tenant.guest.staff.signIn({ email: person.email, password }))).toMatchObject({
      code: 'LOGIN_FAILED',
    })
    expect(await tenant.guest.staff.signIn({ email: email.toLowerCase(), password })).toMatchObject({
      stage: 'SIGNED_IN',
    })
    expect((await mailsTo(tenant, person.email)).map(({ template }) => template)).toEqual(['staff-email-changed'])
    const { items } = await person.client.admin.audit({ subject: `staff:${person.id}` })
    expect(items[0]).toMatchObject({
      action: 'staff.email-changed',
      changes: { email: { from: person.email, to: email } },
    })
  })

  test('ends with a change: links that were mailed before, and the sessions elsewhere', async () => {
    const person = await tenant.createStaff('OWNER')
    const signedInElsewhere = await tenant.guest.staff.signIn({ email: person.email, password })
    const elsewhere = api.client(tenant.code, { token: signedInElsewhere.token! })
    expect((await elsewhere.staff.me()).id).toBe(person.id)
    await tenant.guest.staff.requestReset({ email: person.email })
    const mailed = (await mailTo(tenant, person.email)).text
    const key = decodeURIComponent(/\/admin#reset=([^\s"&<]+)/.exec(mailed)?.[1] ?? '')
    await changeAddress(person, `moved-${person.email}`)
    expect(await failureOf(tenant.guest.staff.reset({ key, password: 'a word of a stranger' }))).toMatchObject({
      status: 404,
    })
    expect(await failureOf(elsewhere.staff.me())).toMatchObject({ status: 401 })
    expect((await person.client.staff.me()).email).toBe(`moved-${person.email}`)
  })

  test('is changed once by a link, also where it was changed back since, or only its case', async () => {
    const person = await tenant.createStaff('OWNER')
    const upper = person.email.toUpperCase()
    for (const there of [`there-${person.email}`, upper]) {
      const key = await changeAddress(person, there)
      expect(await failureOf(tenant.guest.staff.confirmEmailChange({ key }))).toMatchObject({ status: 404 })
      await changeAddress(person, person.email)
      expect(await failureOf(tenant.guest.staff.confirmEmailChange({ key }))).toMatchObject({ status: 404 })
      expect((await person.client.staff.me()).email).toBe(person.email)
    }
  })

  test('needs the password, a link of the last 30 minutes and an address that nobody has', async () => {
    const later = createTestApi()
    const store = await createTenant(later)
    const [person, colleague] = [await store.createStaff('OWNER'), await store.createStaff('SUPPORT')]
    const request = (email: string, word = password) =>
      person.client.staff.requestEmailChange({ email, password: word })
    expect(Object.keys((await failureOf(request('a@example.com', 'wrong word'))).problem.errors)).toEqual(['password'])
    expect(Object.keys((await failureOf(request(person.email))).problem.errors)).toEqual(['email'])
    await request(colleague.email.toUpperCase())
    const taken = emailKeyIn(await mailTo(store, colleague.email.toUpperCase()))
    expect((await failureOf(store.guest.staff.confirmEmailChange({ key: taken }))).problem.errors).toEqual({
      email: ['Another person has this email address.'],
    })
    await request('late@example.com')
    const late = emailKeyIn(await mailTo(store, 'late@example.com'))
    const forged = late.replace(/\.[\w-]+\.([\w-]{43})$/, `.${Buffer.from('x@example.com').toString('base64url')}.$1`)
    expect(await failureOf(store.guest.staff.confirmEmailChange({ key: forged }))).toMatchObject({ status: 404 })
    later.clock.advance(31 * 60_000)
    expect(await failureOf(store.guest.staff.confirmEmailChange({ key: late }))).toMatchObject({ status: 404 })
  })
})
