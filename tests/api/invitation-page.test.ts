import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { staff } from '#api/modules/staff/staff.schema.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const password = 'a long password'

/** Invites a person, and returns the form that accepts the invitation, as browsers send it. */
const invite = async (tenant: Tenant, email: string) => {
  const owner = await tenant.createStaff('OWNER')
  const { url } = await owner.client.staff.invite({ email, grant: { role: 'SUPPORT' } })
  const link = new URL(url ?? '').searchParams
  return (origin: string, headers: Record<string, string> = {}, typed = password) => {
    const body = new URLSearchParams({ ...Object.fromEntries(link), name: 'Mina', password: typed })
    return api.fetch(new Request(`${origin}/admin/invitation`, { method: 'POST', body, headers }))
  }
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Calls the API with the cookies of an answer, as the console does. */
const asConsole = (tenant: Tenant, origin: string, answer: Response, path: string) => {
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  return api.fetch(
    new Request(`${origin}/api/v1/customers/${tenant.code}${path}`, {
      headers: { ...sameOrigin, 'x-console': '1', cookie },
    }),
  )
}

const signIn = (tenant: Tenant, email: string) => tenant.guest.staff.signIn({ email, password })

test('who accepts an invitation at the store is signed in to its console, once', async () => {
  const tenant = await createTenant(api)
  const accept = await invite(tenant, 'mina.invited@example.com')
  const origin = `http://${tenant.code}.test`
  const answer = await accept(origin, sameOrigin)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin'])
  const [session, device] = answer.headers.getSetCookie()
  expect(session).toMatch(/^staff=mqs_[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
  expect(device).toMatch(/^staff-device=/)
  const me = await asConsole(tenant, origin, answer, '/staff/me')
  expect(await me.json()).toMatchObject({
    email: 'mina.invited@example.com',
    role: 'SUPPORT',
    secondFactor: { isSetUp: false, isConfirmed: false },
  })
  const sessions = await asConsole(tenant, origin, answer, '/staff/me/sessions')
  expect((await sessions.json()).items).toMatchObject([{ current: true }])
  const owner = await tenant.createStaff('OWNER')
  const { items } = await owner.client.admin.audit({})
  expect(items.filter(({ action }) => action === 'staff.joined')).toMatchObject([
    { actor: 'staff:mina.invited@example.com' },
  ])

  const again = await accept(origin, sameOrigin)
  expect([again.status, again.headers.getSetCookie()]).toEqual([404, []])
})

test('the cookie of a session that begins over https is sent over https alone', async () => {
  const tenant = await createTenant(api)
  const accept = await invite(tenant, 'mina.invited@example.com')
  const answer = await accept(`https://${tenant.code}.test`, sameOrigin)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-staff=.*; Secure$/)
})

test('the form of another site, and a host of another store, sign nobody in', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)]
  const ways: [origin: string, headers: Record<string, string>][] = [
    [`http://${tenant.code}.test`, { 'sec-fetch-site': 'cross-site' }],
    [`http://${tenant.code}.test`, {}],
    [`http://${other.code}.test`, sameOrigin],
    ['http://nowhere.test', sameOrigin],
  ]
  for (const [at, [origin, headers]] of ways.entries()) {
    const email = `person-${at}@example.com`
    const accept = await invite(tenant, email)
    const answer = await accept(origin, headers)
    expect([at, answer.status, answer.headers.getSetCookie()]).toEqual([at, 200, []])
    expect(await answer.text()).toContain('Open the console')
    // The session that the API opened has ended.
    const { token } = await signIn(tenant, email)
    const { items } = await api.client(tenant.code, { token: token ?? undefined }).staff.sessions()
    expect(items).toHaveLength(1)
  }
})

test('a wrong password signs nobody in, and the second factor of an account comes next', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)]
  const email = 'two-stores@example.com'
  await (await invite(other, email))(`http://${other.code}.test`)
  await other.within((db) => db.update(staff).set({ totpSecret: 'secret' }).where(eq(staff.emailLower, email)))
  const accept = await invite(tenant, email)
  const origin = `http://${tenant.code}.test`
  const wrong = await accept(origin, sameOrigin, 'another password')
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([422, []])
  const answer = await accept(origin, sameOrigin)
  expect(answer.status).toBe(303)
  const me = await asConsole(tenant, origin, answer, '/staff/me')
  expect(await me.json()).toMatchObject({ secondFactor: { isSetUp: true, isConfirmed: false } })
  // The session is one of the store that invited.
  expect((await asConsole(other, `http://${other.code}.test`, answer, '/staff/me')).status).toBe(403)
})
