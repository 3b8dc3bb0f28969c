import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { customerBase, headers as headerNames } from '#contract/http.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const command = quickCommandOf(api)
const timeout = 60_000
let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  tenant = await createTenant(api)
  other = await createTenant(api)
})

const keyIn = (text: string) =>
  decodeURIComponent(/\/admin\/invitation\?store=[^&]+&key=([^\s"&<]+)/.exec(text)?.[1] ?? '')
const clientOf = (store: Tenant, token: string | null) => api.client(store.code, { token: token ?? '' })
/** The client of a person of the staff who has seen the present role of another. */
const changing = async (by: TestStaff, { id }: TestStaff) => {
  const { items } = await by.client.staff.people()
  return by.withVersion(items.find((person) => person.id === id)?.version ?? '')
}
const entriesOf = (store: Tenant) => store.within((db) => db.select().from(audit))

describe('an invitation', () => {
  test('has a page that creates the account, once, and says what is wrong with an entry', async () => {
    const invited = await command([
      'staff',
      'invite',
      'page@example.com',
      '-c',
      other.code,
      '--role',
      'SUPPORT',
      '--by',
      'Jo',
    ])
    const url = new URL(/\/admin\/invitation\S+/.exec(invited.out)?.[0] ?? '', api.origin)
    const open = async (form?: Record<string, string>) => {
      const method = form ? 'POST' : 'GET'
      const body = form ? new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...form }) : null
      const answer = await api.fetch(new Request(url, { method, body }))
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    const page = await open()
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('page@example.com') })
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await open({ name: '', password: 'a long password' })).toMatchObject({
      status: 422,
      text: expect.stringMatching(/aria-describedby="name-error"[\s\S]*id="name-error"/),
    })
    // What a password must not be is said before one is refused, and stays beside the refusal.
    const rules = /id="password-hint"[\s\S]*Not your email address[\s\S]*No password that many people use/
    expect(page.text).toMatch(rules)
    const common = await open({ name: 'Pat', password: 'password1' })
    expect(common).toMatchObject({ status: 422, text: expect.stringMatching(rules) })
    expect(common.text).toContain('aria-describedby="password-error password-hint"')
    const script = '"><script>alert(1)</script>'
    expect((await open({ name: script, password: 'short' })).text).not.toContain('<script>')
    expect(await open({ name: 'Pat', password: 'a long password' })).toMatchObject({ status: 200 })
    expect(await open()).toMatchObject({ status: 404 })
    expect(await open({ name: 'Pat', password: 'a long password' })).toMatchObject({ status: 404 })
    const signedIn = await other.guest.staff.signIn({ email: 'page@example.com', password: 'a long password' })
    expect(signedIn.token).toEqual(expect.any(String))
    // The page leaves no session behind.
    expect((await clientOf(other, signedIn.token).staff.sessions()).items).toHaveLength(1)
    url.searchParams.set('store', 'no-such-store')
    expect(await open()).toMatchObject({ status: 404 })
  })

  test(
    'of the command line makes the first owner, who invites others by mail',
    async () => {
      const made = await command([
        ...['staff', 'invite', 'first@example.com', '-c', tenant.code],
        ...['--role', 'OWNER', '--by', 'Jo'],
      ])
      expect(made).toMatchObject({ code: 0 })
      const key = keyIn(made.out)
      expect(await tenant.guest.staff.checkInvitation({ key })).toEqual({
        email: 'first@example.com',
        storeName: 'Test store',
        role: 'OWNER',
        roleId: null,
        roleName: null,
        hasAccount: false,
      })
      const form = { key, password: 'a long password' }
      expect((await failureOf(tenant.guest.staff.acceptInvitation(form))).problem.errors).toHaveProperty('name')
      const common = tenant.guest.staff.acceptInvitation({ ...form, name: 'Ada', password: 'password1' })
      expect((await failureOf(common)).problem.errors).toHaveProperty('password')
      const { token, stage } = await tenant.guest.staff.acceptInvitation({ ...form, name: 'Ada' })
      expect(stage).toBe('SIGNED_IN')
      const owner = clientOf(tenant, token)
      expect(await owner.staff.me()).toMatchObject({
        email: 'first@example.com',
        name: 'Ada',
        role: 'OWNER',
        secondFactor: { isSetUp: false, isConfirmed: false, isRequired: true },
      })
      expect(await failureOf(tenant.guest.staff.checkInvitation({ key }))).toMatchObject({ status: 404 })

      // Rights for others need a second factor.
      const invite = { email: 'second@example.com', grant: { role: 'SUPPORT' } } as const
      expect(await failureOf(owner.staff.invite(invite))).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
      const listed = await command(['staff', 'list', '-c', tenant.code])
      expect(listed.out).toMatch(/Ada\s+first@example\.com\s+OWNER/)
    },
    timeout,
  )

  test('is accepted once, until it expires, is revoked or is replaced', async () => {
    const { client: owner } = await tenant.createStaff('OWNER')
    const invite = (email: string) => owner.staff.invite({ email, grant: { role: 'FINANCE' } })
    const keyOf = async (email: string) => keyIn((await mailTo(tenant, email)).text)
    const accept = (key: string) =>
      tenant.guest.staff.acceptInvitation({ key, name: 'Bo', password: 'a long password' })

    // Without a mail server nobody gets the email, so whoever invites passes the link on.
    const { url } = await invite('bo@example.com')
    expect(url).toContain(`/admin/invitation?store=${tenant.code}&key=`)
    const replaced = await keyOf('bo@example.com')
    await invite('bo@example.com')
    expect(await failureOf(accept(replaced))).toMatchObject({ status: 404 })
    const key = await keyOf('bo@example.com')
    const both = await Promise.allSettled([accept(key), accept(key)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failureOf(invite('bo@example.com'))).toMatchObject({ code: 'CONFLICT' })

    const { id } = await invite('cy@example.com')
    const revoked = await keyOf('cy@example.com')
    await owner.staff.revokeInvitation({ id })
    expect(await failureOf(accept(revoked))).toMatchObject({ status: 404 })

    await invite('di@example.com')
    const late = await keyOf('di@example.com')
    api.clock.advance(8 * dayMilliseconds)
    expect(await failureOf(accept(late))).toMatchObject({ status: 404 })
  })

  test('to an account of another store needs its password and keeps the stores apart', async () => {
    const email = 'both@example.com'
    const here = await tenant.createStaff('OWNER', { email })
    const { client: owner } = await other.createStaff('OWNER')
    await owner.staff.invite({ email, grant: { role: 'ANALYST' } })
    const key = keyIn((await mailTo(other, email)).text)
    expect(await other.guest.staff.checkInvitation({ key })).toMatchObject({ hasAccount: true })
    const accept = (word: string) => other.guest.staff.acceptInvitation({ key, password: word })
    expect((await failureOf(accept('not the password'))).problem.errors).toHaveProperty('password')
    const there = clientOf(other, (await accept(password)).token)
    expect(await there.staff.me()).toMatchObject({ id: here.id, role: 'ANALYST' })
    expect(await here.client.staff.me()).toMatchObject({ id: here.id, role: 'OWNER' })
    expect((await there.staff.sessions()).items).toHaveLength(1)

    // A new password ends the sessions at both stores, except the one that changed it.
    const common = here.client.staff.changePassword({ currentPassword: password, newPassword: 'qwertyuiop' })
    expect((await failureOf(common)).problem.errors).toHaveProperty('newPassword')
    await here.client.staff.changePassword({ currentPassword: password, newPassword: 'another long one' })
    expect(await failureOf(there.staff.me())).toMatchObject({ status: 401 })
    expect(await here.client.staff.me()).toMatchObject({ id: here.id })
  })
})

describe('signing in', () => {
  test('answers alike for a wrong password, a member and nobody', async () => {
    const { email } = await tenant.createStaff('SUPPORT')
    const member = await tenant.createMember()
    for (const address of [email, member.email, 'nobody@example.com'])
      expect(await failureOf(tenant.guest.staff.signIn({ email: address, password: 'wrong' }))).toMatchObject({
        status: 401,
        code: 'LOGIN_FAILED',
      })
    expect(await failureOf(tenant.guest.identity.login({ email, password }))).toMatchObject({ status: 401 })
  })

  test('on a known device stays possible while others try passwords', async () => {
    const { email } = await tenant.createStaff('SUPPORT')
    const attempts = Array.from({ length: 40 }, (_, at) =>
      api
        .client(tenant.code, { headers: { 'x-forwarded-for': `203.0.113.${at}` } })
        .staff.signIn({ email, password: 'wrong' })
        .catch((error) => error.status),
    )
    expect(await Promise.all(attempts)).toContain(429)
    const signIn = (headers: Record<string, string>) =>
      api
        .client(tenant.code, { headers: { 'x-forwarded-for': '198.51.100.7', ...headers } })
        .staff.signIn({ email, password })
    expect(await failureOf(signIn({}))).toMatchObject({ status: 429 })
    let device = ''
    // The network of an earlier session counts as known.
    await api
      .client(tenant.code, { onAnswer: ({ headers }) => (device = headers.get(headerNames.deviceToken) ?? '') })
      .staff.signIn({ email, password })
    expect(await signIn({ [headerNames.deviceToken]: device })).toMatchObject({ stage: 'SIGNED_IN' })
  })

  test('in the console sets a cookie that counts for the same origin alone', async () => {
    const { email } = await tenant.createStaff('SUPPORT')
    const send = (path: string, method: string, headers: Record<string, string>, body?: object) =>
      api.fetch(
        new Request(`https://store.test${customerBase(tenant.code)}${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
    const ownHeaders = { 'sec-fetch-site': 'same-origin', [headerNames.console]: '1' }
    const signedIn = await send('/staff/sessions', 'POST', ownHeaders, { email, password })
    expect(await signedIn.json()).toMatchObject({ token: null, stage: 'SIGNED_IN' })
    const [session = '', device = ''] = signedIn.headers.getSetCookie()
    expect(session).toMatch(/^__Host-staff=mqs_[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
    expect(device).toMatch(/^__Host-staff-device=/)
    const cookie = session.split(';')[0] ?? ''

    const statusOf = async (path: string, method: string, headers: Record<string, string>) =>
      (await send(path, method, { cookie, ...headers }, method === 'GET' ? undefined : {})).status
    expect(await statusOf('/staff/me', 'GET', ownHeaders)).toBe(200)
    expect(await statusOf('/staff/me', 'GET', { 'sec-fetch-site': 'same-origin' })).toBe(200)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await statusOf('/staff/me', 'GET', { ...ownHeaders, 'sec-fetch-site': site })).toBe(401)
    expect(await statusOf('/staff/me', 'GET', {})).toBe(401)
    expect(await statusOf('/staff/me', 'PATCH', { 'sec-fetch-site': 'same-origin' })).toBe(401)
    expect(await statusOf('/staff/me', 'PATCH', ownHeaders)).toBe(204)
    // Procedures of members and guests do not read it.
    expect(await statusOf('/me', 'GET', ownHeaders)).toBe(401)

    const signedOut = await send('/staff/session', 'DELETE', { cookie, ...ownHeaders })
    expect(signedOut.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')])
    expect(await statusOf('/staff/me', 'GET', ownHeaders)).toBe(401)
  })

  test('is possible in a store that is closed', async () => {
    const closed = await createTenant(api, { useSite: false })
    const { client } = await closed.createStaff('OWNER')
    expect(await client.staff.me()).toMatchObject({ role: 'OWNER' })
  })
})

const setUpApp = async ({ client }: Pick<TestStaff, 'client'>) => {
  const { secret } = await client.staff.startTotp({ password })
  const code = new TOTP({ secret }).generate({ timestamp: api.clock.now().getTime() })
  await client.staff.confirmTotp({ code })
}

describe('a forgotten password', () => {
  const resetKeyIn = (text: string) => decodeURIComponent(/\/admin#reset=([^\s"&<]+)/.exec(text)?.[1] ?? '')
  const resetMailTo = async (email: string) => resetKeyIn((await mailTo(tenant, email)).text)

  test('is replaced once by the link of a mail, at all stores, while the second factor stays', async () => {
    const { client, email, id } = await tenant.createStaff('OWNER')
    await setUpApp({ client })
    const { client: owner } = await other.createStaff('OWNER')
    await owner.staff.invite({ email, grant: { role: 'ANALYST' } })
    const invitation = keyIn((await mailTo(other, email)).text)
    const there = clientOf(other, (await other.guest.staff.acceptInvitation({ key: invitation, password })).token)

    await tenant.guest.staff.requestReset({ email: email.toUpperCase() })
    const key = await resetMailTo(email)
    const reset = (word: string) => tenant.guest.staff.reset({ key, password: word })
    expect((await failureOf(reset(email))).problem.errors).toHaveProperty('password')
    // The key is the store's, and nobody changes it to that of another person.
    expect(await failureOf(other.guest.staff.reset({ key, password: 'a new password' }))).toMatchObject({ status: 404 })
    const { id: colleague } = await tenant.createStaff('SUPPORT')
    for (const forged of [key.replace(id, colleague), key.replace(/\.\w+\./, '.zzzzzzzz.'), `${key.slice(0, -1)}!`])
      expect(await failureOf(tenant.guest.staff.reset({ key: forged, password: 'a new password' }))).toMatchObject({
        status: 404,
      })
    const both = await Promise.allSettled([reset('a new password'), reset('another password')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const session of [client, there]) expect(await failureOf(session.staff.me())).toMatchObject({ status: 401 })
    expect(await failureOf(tenant.guest.staff.signIn({ email, password }))).toMatchObject({ status: 401 })
    const chosen = both[0]?.status === 'fulfilled' ? 'a new password' : 'another password'
    expect(await tenant.guest.staff.signIn({ email, password: chosen })).toMatchObject({
      stage: 'SECOND_FACTOR_NEEDED',
    })
    expect((await mailTo(tenant, email)).template).toBe('staff-password-changed')
    expect(await entriesOf(tenant)).toContainEqual(
      expect.objectContaining({ action: 'staff.password-reset', subject: `staff:${id}`, actor: `staff:${email}` }),
    )
  })

  test('is answered alike for nobody and for staff of another store, and its link expires', async () => {
    const { email } = await tenant.createStaff('SUPPORT')
    const foreign = (await other.createStaff('SUPPORT')).email
    for (const nobody of ['nobody@example.com', foreign]) {
      await tenant.guest.staff.requestReset({ email: nobody })
      expect(await tenant.within((db) => db.select().from(mails).where(eq(mails.to, nobody)))).toEqual([])
    }
    await tenant.guest.staff.requestReset({ email })
    const key = await resetMailTo(email)
    api.clock.advance(31 * 60_000)
    expect(await failureOf(tenant.guest.staff.reset({ key, password: 'a new password' }))).toMatchObject({
      status: 404,
    })
  })

  test('stays usable after wrong keys of others', async () => {
    const from = (address: string) => api.client(tenant.code, { headers: { 'x-forwarded-for': address } })
    const tries = Array.from({ length: 61 }, () =>
      from('203.0.113.99')
        .staff.reset({ key: 'x'.repeat(43), password: 'a new password' })
        .catch(({ status }) => status),
    )
    expect(await Promise.all(tries)).toContain(429)
    const { email } = await tenant.createStaff('SUPPORT')
    await tenant.guest.staff.requestReset({ email })
    const call = { key: await resetMailTo(email), password: 'a new password' }
    await from('198.51.100.77').staff.reset(call)
    expect(await tenant.guest.staff.signIn({ email, password: call.password })).toMatchObject({ stage: 'SIGNED_IN' })
  })
})

describe('sessions', () => {
  test('are listed and ended by their person alone, and expire', async () => {
    const { client, email } = await tenant.createStaff('SUPPORT')
    const second = clientOf(tenant, (await tenant.guest.staff.signIn({ email, password })).token)
    const { items } = await client.staff.sessions()
    expect(items.map(({ current }) => current).sort()).toEqual([false, true])
    const colleague = await tenant.createStaff('OWNER')
    const [theirs] = (await colleague.client.staff.sessions()).items
    expect(await failureOf(client.staff.endSession({ id: theirs!.id }))).toMatchObject({ status: 404 })
    await client.staff.endOtherSessions()
    expect(await failureOf(second.staff.me())).toMatchObject({ status: 401 })
    // Where none is left, nothing has happened.
    await client.staff.endOtherSessions()
    expect((await colleague.client.admin.audit({ actor: `staff:${email}`, action: 'staff' })).items).toMatchObject([
      { actor: `staff:${email}`, action: 'staff.sessions-ended', changes: { sessions: { from: 2, to: 1 } } },
    ])
    api.clock.advance(15 * dayMilliseconds)
    expect(await failureOf(client.staff.me())).toMatchObject({ status: 401 })
  })
})

describe('a second factor', () => {
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: api.clock.now().getTime() + steps * 30_000 })

  test('admits sessions after its code, each code once, and a recovery code once', async () => {
    const { client: first, email } = await tenant.createStaff('OWNER', { isConfirmed: false })
    expect((await failureOf(first.staff.startTotp({ password: 'wrong' }))).problem.errors).toHaveProperty('password')
    const { secret, uri } = await first.staff.startTotp({ password })
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    expect((await failureOf(first.staff.confirmTotp({ code: '000000' }))).problem.errors).toHaveProperty('code')
    const { codes } = await first.staff.confirmTotp({ code: codeOf(secret) })
    expect(codes).toHaveLength(10)
    expect((await first.staff.people()).items.find((one) => one.email === email)).toMatchObject({
      hasSecondFactor: true,
    })
    await first.staff.invite({ email: 'confirmed@example.com', grant: { role: 'SUPPORT' } })

    const { token, stage } = await tenant.guest.staff.signIn({ email, password })
    expect(stage).toBe('SECOND_FACTOR_NEEDED')
    const next = clientOf(tenant, token)
    expect(await failureOf(next.staff.people())).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    expect(await failureOf(next.staff.startTotp({ password }))).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    expect(await next.staff.me()).toMatchObject({ secondFactor: { isSetUp: true, isConfirmed: false } })
    // The code that completed the setup was used.
    expect(await failureOf(next.staff.confirmSecondFactor({ code: codeOf(secret) }))).toMatchObject({ status: 422 })
    await next.staff.confirmSecondFactor({ code: codeOf(secret, 1) })
    expect(await next.staff.people()).toBeTruthy()

    const third = clientOf(tenant, (await tenant.guest.staff.signIn({ email, password })).token)
    const [recovery = ''] = codes
    await third.staff.confirmSecondFactor({ code: recovery.toLowerCase() })
    expect(await third.staff.me()).toMatchObject({ secondFactor: { recoveryCodesLeft: 9 } })
    const fourth = clientOf(tenant, (await tenant.guest.staff.signIn({ email, password })).token)
    expect(await failureOf(fourth.staff.confirmSecondFactor({ code: recovery }))).toMatchObject({ status: 422 })
    for (let tries = 0; tries < 12; tries++)
      await fourth.staff.confirmSecondFactor({ code: '000000' }).catch(() => undefined)
    expect(await failureOf(fourth.staff.confirmSecondFactor({ code: codeOf(secret, 2) }))).toMatchObject({
      status: 429,
    })

    await third.staff.removeTotp({ password })
    expect(await third.staff.me()).toMatchObject({ secondFactor: { isSetUp: false, isConfirmed: false } })
  })
})

test('a lost second factor is removed by the command line, which ends the sessions and is told by mail', async () => {
  const lost = await tenant.createStaff('OWNER')
  const remove = () => command(['staff', 'remove-app', lost.email, '-c', tenant.code, '--by', 'Jo'])
  expect(await remove()).toMatchObject({ code: 1, err: 'This person has no authenticator app and no passkey.\n' })
  await setUpApp(lost)
  expect(await remove()).toMatchObject({ code: 0 })
  expect(await failureOf(lost.client.staff.me())).toMatchObject({ status: 401 })
  expect(await tenant.guest.staff.signIn({ email: lost.email, password })).toMatchObject({ stage: 'SIGNED_IN' })
  expect((await mailTo(tenant, lost.email)).template).toBe('staff-second-factor-removed')
})

describe('rights', () => {
  test('of others are limited to those of who grants them', async () => {
    const owner = await tenant.createStaff('OWNER')
    const role = await owner.client.staff.createRole({
      name: 'Lead',
      permissions: ['staff:read', 'staff:write', 'orders:read'],
    })
    const lead = await tenant.createStaff('SUPPORT')
    const roleId = role.id!
    await (await changing(owner, lead)).staff.changeRole({ id: lead.id, grant: { roleId } })
    expect((await lead.client.staff.me()).permissions).toEqual(role.permissions)
    const invite = (grant: { role: 'OWNER' } | { roleId: typeof roleId }) =>
      lead.client.staff.invite({ email: 'new@example.com', grant })
    expect(await failureOf(invite({ role: 'OWNER' }))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await invite({ roleId })).toMatchObject({ roleName: 'Lead' })
    const refusals = [
      () => lead.client.staff.remove({ id: owner.id }),
      () => lead.client.staff.changeRole({ id: lead.id, grant: { role: 'OWNER' } }),
      () => lead.client.staff.createToken({ name: 'mine', scopes: ['refunds:write'] }),
      () =>
        lead
          .withVersion(role.version!)
          .staff.changeOwnRole({ id: roleId, name: 'Lead', permissions: ['settings:write'] }),
    ]
    for (const attempt of refusals) expect(await failureOf(attempt())).toMatchObject({ code: 'FORBIDDEN' })
    const { token } = await lead.client.staff.createToken({ name: 'mine', scopes: ['orders:read'] })
    expect(await clientOf(tenant, token).identity.operator()).toMatchObject({ scopes: ['orders:read'] })
    const made = (await owner.client.staff.tokens()).items.find(({ name }) => name === 'mine')
    await owner.client.staff.revokeToken({ id: made!.id })
    expect(await failureOf(clientOf(tenant, token).identity.operator())).toMatchObject({ status: 401 })
    expect(await failureOf(owner.client.staff.deleteRole({ id: roleId }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('of a role are changed as they were seen, and a role that somebody is invited to stays', async () => {
    const store = await createTenant(api)
    const owner = await store.createStaff('OWNER')
    const { staff } = owner.client
    const role = await staff.createRole({ name: 'Editor', permissions: ['content:read'] })
    const [id, version] = [role.id!, role.version!]
    const change = (permissions: ('content:read' | 'content:write' | 'mails:read')[]) =>
      owner.withVersion(version).staff.changeOwnRole({ id, name: 'Editor', permissions })
    await change(['content:read', 'content:write'])
    expect(await failureOf(change(['content:read', 'mails:read']))).toMatchObject({
      status: 412,
      code: 'VERSION_CONFLICT',
      problem: { data: { changes: [{ action: 'staff-role.changed' }, { action: 'staff-role.created' }] } },
    })
    const own = (await staff.roles()).items.find((each) => each.id === id)
    expect(own).toMatchObject({ permissions: ['content:read', 'content:write'] })
    // What changes nothing is not recorded.
    await owner.withVersion(own!.version!).staff.changeOwnRole({ id, name: own!.name, permissions: own!.permissions })
    const { items } = await owner.client.admin.audit({ action: 'staff-role.changed' })
    expect(items).toHaveLength(1)

    const invitation = await staff.invite({ email: 'editor@example.com', grant: { roleId: id } })
    expect((await failureOf(staff.deleteRole({ id }))).problem.errors).toEqual({
      id: ['editor@example.com is invited with this role. Revoke the invitation first.'],
    })
    expect((await staff.invitations()).items).toHaveLength(1)
    await staff.revokeInvitation({ id: invitation.id })
    await staff.deleteRole({ id })
    expect((await staff.roles()).items.map((each) => each.id)).not.toContain(id)
  })

  test('of the last owner remain, also when two owners remove each other at once', async () => {
    const store = await createTenant(api)
    const [first, second] = [await store.createStaff('OWNER'), await store.createStaff('OWNER')]
    const both = await Promise.allSettled([
      first.client.staff.remove({ id: second.id }),
      second.client.staff.remove({ id: first.id }),
    ])
    const remaining = both[0]?.status === 'fulfilled' ? first : second
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { client, id } = remaining
    expect((await client.staff.people()).items).toHaveLength(1)
    expect(await failureOf(client.staff.remove({ id }))).toMatchObject({ code: 'LAST_OWNER' })
    expect(await failureOf(client.staff.changeRole({ id, grant: { role: 'ANALYST' } }))).toMatchObject({
      code: 'LAST_OWNER',
    })
    const person = (await client.staff.people()).items[0]!
    expect(await command(['staff', 'remove', person.email, '-c', store.code])).toMatchObject({
      code: 1,
      err: 'This person is the only owner. Give another person the role OWNER first.\n',
    })
  })

  test('end at once when a person is removed, and every change is in the audit log with its values', async () => {
    const store = await createTenant(api)
    const [owner, person] = [await store.createStaff('OWNER'), await store.createStaff('SUPPORT')]
    const { version } = (await owner.client.staff.people()).items.find(({ id }) => id === person.id)!
    const grant = { role: 'FINANCE' as const }
    expect(await failureOf(owner.client.staff.changeRole({ id: person.id, grant }))).toMatchObject({
      code: 'VERSION_MISSING',
    })
    await owner.withVersion(version).staff.changeRole({ id: person.id, grant })
    // Who has the list of before is told who has changed it.
    const late = await store.createStaff('OWNER')
    expect(
      await failureOf(late.withVersion(version).staff.changeRole({ id: person.id, grant: { role: 'ANALYST' } })),
    ).toMatchObject({
      code: 'VERSION_CONFLICT',
      problem: { data: { changes: [{ actor: `staff:${owner.email}`, action: 'staff.role-changed' }] } },
    })
    expect((await person.client.staff.me()).role).toBe('FINANCE')
    await owner.client.staff.remove({ id: person.id })
    expect(await failureOf(person.client.staff.me())).toMatchObject({ status: 401 })
    const entries = await entriesOf(store)
    const actor = `staff:${owner.email}`
    const subject = `staff:${person.id}`
    expect(entries.find(({ action }) => action === 'staff.role-changed')).toMatchObject({
      actor,
      subject,
      changes: { role: { from: 'SUPPORT', to: 'FINANCE' } },
    })
    expect(entries.find(({ action }) => action === 'staff.removed')).toMatchObject({ actor, subject })
  })
})

test('a store sees its own staff alone', async () => {
  const { email } = await other.createStaff('OWNER')
  const seen = await tenant.within(async (db) => {
    const { rows } = await db.$client.query('SELECT email FROM staff WHERE email = $1', [email])
    return rows
  })
  expect(seen).toEqual([])
})
