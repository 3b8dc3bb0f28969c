import { TOTP } from 'otpauth'
import { beforeAll, expect, test } from 'vitest'
import { audit } from '#api/platform/db/platform.schema.ts'
import { mailTo } from '#tests/support/mails.ts'
import { createPasskey } from '#tests/support/passkey.ts'
import { createTenant, password, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  tenant = await createTenant(api)
  other = await createTenant(api)
})

type Passkey = ReturnType<typeof createPasskey>

const add = async ({ client }: Pick<TestStaff, 'client'>, passkey: Passkey, name = 'Phone') =>
  client.staff.addPasskey({ name, credential: passkey.create(await client.staff.startPasskey({ password })) })

const proofOf = async (store: Tenant, passkey: Passkey) => ({
  credential: passkey.get(await store.guest.staff.passkeyChallenge()),
})

const refusedCredential = { status: 422, problem: { errors: { credential: [expect.any(String)] } } }

/** A person with a passkey. */
const createOwner = async () => {
  const person = await tenant.createStaff('OWNER', { isConfirmed: false })
  const passkey = createPasskey({ origin: api.origin })
  const { codes } = await add(person, passkey)
  return { ...person, passkey, codes }
}

test('a passkey signs in without a password, and is a second factor', async () => {
  const { client, email, passkey, codes } = await createOwner()
  expect(codes).toHaveLength(10)
  // Adding it has confirmed the session.
  expect(await client.staff.me()).toMatchObject({
    secondFactor: { isSetUp: false, hasPasskey: true, isConfirmed: true, recoveryCodesLeft: 10 },
  })
  const signedIn = await tenant.guest.staff.signInWithPasskey(await proofOf(tenant, passkey))
  expect(signedIn.stage).toBe('SIGNED_IN')
  const next = api.client(tenant.code, { token: signedIn.token ?? '' })
  await next.staff.invite({ email: 'invited@example.com', grant: { role: 'SUPPORT' } })
  expect((await next.staff.passkeys()).items).toMatchObject([
    { name: 'Phone', host: 'store.test', lastUsedAt: expect.any(String) },
  ])
  expect((await next.staff.people()).items.find((each) => each.email === email)).toMatchObject({
    hasSecondFactor: true,
  })
  const mail = await mailTo(tenant, email)
  expect(mail).toMatchObject({ template: 'staff-passkey-added', text: expect.stringContaining('Phone') })
  const entries = await tenant.within((db) => db.select().from(audit))
  expect(
    entries.find(({ action, actor }) => action === 'staff.passkey-added' && actor === `staff:${email}`),
  ).toBeTruthy()
})

test('a session of a password is confirmed with a passkey, or with a recovery code', async () => {
  const { email, passkey, codes } = await createOwner()
  const signIn = async () => {
    const { token, stage } = await tenant.guest.staff.signIn({ email, password })
    expect(stage).toBe('SECOND_FACTOR_NEEDED')
    return api.client(tenant.code, { token: token ?? '' })
  }
  const first = await signIn()
  expect(await failureOf(first.staff.people())).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  expect(await failureOf(first.staff.startPasskey({ password }))).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  // Of somebody else.
  const { passkey: foreign } = await createOwner()
  expect(await failureOf(first.staff.confirmPasskey(await proofOf(tenant, foreign)))).toMatchObject(refusedCredential)
  await first.staff.confirmPasskey(await proofOf(tenant, passkey))
  expect(await first.staff.people()).toBeTruthy()
  const second = await signIn()
  await second.staff.confirmSecondFactor({ code: codes[0] ?? '' })
  expect(await second.staff.me()).toMatchObject({ secondFactor: { isConfirmed: true, recoveryCodesLeft: 9 } })
})

test('a signature counts once, for a challenge of the store that is at most five minutes old', async () => {
  const { passkey } = await createOwner()
  const signIn = (proof: Awaited<ReturnType<typeof proofOf>>) => tenant.guest.staff.signInWithPasskey(proof)
  const proof = await proofOf(tenant, passkey)
  const answers = await Promise.allSettled([signIn(proof), signIn(proof), signIn(proof)])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await failureOf(signIn(proof))).toMatchObject(refusedCredential)

  const late = await tenant.guest.staff.passkeyChallenge()
  const invented = { ...late, challenge: Buffer.alloc(56, 1).toString('base64url') }
  const foreign = await other.guest.staff.passkeyChallenge()
  const refused = [
    passkey.get(invented),
    passkey.get(foreign),
    passkey.get(late, { from: 'https://store.test.example.com' }),
    passkey.get({ ...late, rpId: 'example.com' }),
    createPasskey({ origin: api.origin }).get(late),
  ]
  for (const credential of refused) expect(await failureOf(signIn({ credential }))).toMatchObject(refusedCredential)
  const good = passkey.get(late)
  const [changed] = [{ ...good, response: { ...good.response, signature: passkey.get(late).response.signature } }]
  expect(await failureOf(signIn({ credential: changed }))).toMatchObject(refusedCredential)
  api.clock.advance(5 * 60_000 + 1)
  expect(await failureOf(signIn({ credential: passkey.get(late) }))).toMatchObject(refusedCredential)
  await signIn(await proofOf(tenant, passkey))
})

test('a passkey of one store signs in at no other', async () => {
  const { passkey } = await createOwner()
  expect(await failureOf(other.guest.staff.signInWithPasskey(await proofOf(other, passkey)))).toMatchObject(
    refusedCredential,
  )
})

test('a passkey is added with the password, by an authenticator that verifies the person, once', async () => {
  const person = await tenant.createStaff('SUPPORT')
  const { staff } = person.client
  expect((await failureOf(staff.startPasskey({ password: 'wrong' }))).problem.errors).toHaveProperty('password')
  const careless = createPasskey({ origin: api.origin, verifies: false })
  expect(await failureOf(add(person, careless))).toMatchObject(refusedCredential)
  expect(await failureOf(add(person, createPasskey({ origin: 'https://example.com' })))).toMatchObject(
    refusedCredential,
  )
  const passkey = createPasskey({ origin: api.origin })
  const challengeOfSignIn = await tenant.guest.staff.passkeyChallenge()
  const options = await staff.startPasskey({ password })
  const unrelated = passkey.create({ ...options, challenge: challengeOfSignIn.challenge })
  expect(await failureOf(staff.addPasskey({ name: 'Phone', credential: unrelated }))).toMatchObject(refusedCredential)
  // A challenge belongs to the session that asked for it.
  const { client: stranger } = await tenant.createStaff('SUPPORT')
  const credential = passkey.create(options)
  expect(await failureOf(stranger.staff.addPasskey({ name: 'Phone', credential }))).toMatchObject(refusedCredential)
  await staff.addPasskey({ name: 'Phone', credential })
  expect(await failureOf(staff.addPasskey({ name: 'Again', credential }))).toMatchObject({ code: 'CONFLICT' })
  expect((await staff.startPasskey({ password })).excludeCredentials).toEqual([
    { type: 'public-key', id: credential.id },
  ])
  // A second one brings no new codes.
  expect(await add(person, createPasskey({ origin: api.origin }), 'Laptop')).toEqual({ codes: [] })
  for (let at = 2; at < 20; at++) await add(person, createPasskey({ origin: api.origin }), `Key ${at}`)
  expect(await failureOf(add(person, createPasskey({ origin: api.origin })))).toMatchObject({ code: 'CONFLICT' })
})

test('a removed passkey no longer signs in, and without it a password is enough', async () => {
  const { client, email, passkey } = await createOwner()
  const { client: stranger } = await tenant.createStaff('OWNER')
  const [{ id } = { id: '' as never }] = (await client.staff.passkeys()).items
  expect(await failureOf(stranger.staff.removePasskey({ id, password }))).toMatchObject({ status: 404 })
  expect((await failureOf(client.staff.removePasskey({ id, password: 'wrong' }))).problem.errors).toHaveProperty(
    'password',
  )
  await client.staff.removePasskey({ id, password })
  expect(await failureOf(client.staff.removePasskey({ id, password }))).toMatchObject({ status: 404 })
  expect(await failureOf(tenant.guest.staff.signInWithPasskey(await proofOf(tenant, passkey)))).toMatchObject(
    refusedCredential,
  )
  expect(await tenant.guest.staff.signIn({ email, password })).toMatchObject({ stage: 'SIGNED_IN' })
})

test('the authenticator app may be removed while a passkey remains, and the recovery codes stay', async () => {
  const { client, codes } = await createOwner()
  const { secret } = await client.staff.startTotp({ password })
  const code = new TOTP({ secret }).generate({ timestamp: api.clock.now().getTime() })
  const renewed = await client.staff.confirmTotp({ code })
  expect(renewed.codes).not.toEqual(codes)
  await client.staff.removeTotp({ password })
  expect(await client.staff.me()).toMatchObject({
    secondFactor: { isSetUp: false, hasPasskey: true, isConfirmed: true, recoveryCodesLeft: 10 },
  })
})

test('wrong passkeys of a network are limited', async () => {
  const limited = await createTenant(api)
  const signIn = async () => {
    const passkey = createPasskey({ origin: api.origin })
    return failureOf(limited.guest.staff.signInWithPasskey(await proofOf(limited, passkey)))
  }
  const refusals = await Promise.all(Array.from({ length: 70 }, signIn))
  expect(refusals.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10)
})
