import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { pages } from '#api/modules/content/content.schema.ts'
import { consents, joinVerifications, members } from '#api/modules/identity/identity.schema.ts'
import { headers as headerNames } from '#contract/http.ts'
import type { JoinForm } from '#contract/identity.ts'
import { codeIn, mailsTo, mailTo } from '#tests/support/mails.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000

const newEmail = () => `new-${randomUUID().slice(0, 12)}@example.com`
const formOf = (given: Partial<JoinForm> = {}): JoinForm => ({
  email: newEmail(),
  password: 'a long enough word',
  name: 'Sora Lee',
  phone: '213 373 4253',
  agreeTerms: true,
  agreePrivacy: true,
  isOldEnough: true,
  ...given,
})

const wrongCodeFor = (code: string) => (code === '000000' ? '000001' : '000000')

/** Requests a join and confirms its code. */
const verifiedJoin = async (tenant: Tenant, given: Partial<JoinForm> = {}) => {
  const form = formOf(given)
  const { token } = await tenant.guest.identity.requestJoin(form)
  const code = codeIn(await mailTo(tenant, form.email))
  await tenant.guest.identity.confirmJoin({ token, code })
  return { form, token }
}

const memberBy = async (tenant: Tenant, email: string) => {
  const [row] = await tenant.within((db) =>
    db
      .select()
      .from(members)
      .where(and(eq(members.customerId, tenant.id), eq(members.emailLower, email.toLowerCase()))),
  )
  return row
}

describe('Joining', () => {
  test('joining with the form and the code from the mail creates a signed-in member', async () => {
    const tenant = await createTenant(api)
    const form = formOf({ address: { postcode: '04524', road: '110 Sejong-daero', detail: 'Room 3' } })
    const begun = await tenant.guest.identity.requestJoin(form)
    expect(begun).toMatchObject({ stage: 'VERIFY', email: form.email, triesLeft: 5, mailbox: null })
    expect(Date.parse(begun.expiresAt) - Date.parse(begun.now)).toBe(10 * minute)
    expect(Date.parse(begun.resendAt) - Date.parse(begun.now)).toBe(minute)
    const mail = await mailTo(tenant, form.email)
    expect(mail).toMatchObject({ template: 'join-code', status: 'QUEUED', memberId: null })
    expect(await memberBy(tenant, form.email)).toBeUndefined()

    const { token } = begun
    expect(await tenant.guest.identity.confirmJoin({ token, code: codeIn(mail) })).toMatchObject({ stage: 'READY' })
    const { token: session, tokenType } = await tenant.guest.identity.join({ token })
    expect(tokenType).toBe('Bearer')
    const client = api.client(tenant.code, { token: session })
    expect(await client.identity.me()).toMatchObject({ email: form.email, name: 'Sora Lee', locale: 'en' })
    expect(await memberBy(tenant, form.email)).toMatchObject({
      phone: '+12133734253',
      address: { postcode: '04524', road: '110 Sejong-daero', detail: 'Room 3' },
    })
    expect((await mailTo(tenant, form.email)).template).toBe('welcome')
    expect(await tenant.guest.identity.joinStage({ token })).toMatchObject({ stage: 'COMPLETED' })
    expect((await tenant.guest.identity.login({ email: form.email, password: form.password })).tokenType).toBe('Bearer')
  })

  test('an email, a password and the required consents are enough to join', async () => {
    const tenant = await createTenant(api)
    const form = { email: newEmail(), password: 'a long enough word', agreeTerms: true, agreePrivacy: true } as const
    const { token } = await tenant.guest.identity.requestJoin({ ...form, isOldEnough: true })
    await tenant.guest.identity.confirmJoin({ token, code: codeIn(await mailTo(tenant, form.email)) })
    const client = api.client(tenant.code, { token: (await tenant.guest.identity.join({ token })).token })
    expect(await client.identity.profile()).toMatchObject({ name: '', phone: null, address: null, marketing: false })
    const welcome = await mailTo(tenant, form.email)
    expect(welcome.template).toBe('welcome')
    expect(welcome.text).toContain('Hi, your account is ready.')
    expect(await client.identity.changeProfile({ name: 'Sora', phone: '213 373 4253' })).toMatchObject({
      name: 'Sora',
      phone: '+12133734253',
    })
    expect(await client.identity.changeProfile({ name: '', phone: null })).toMatchObject({ name: '', phone: null })
  })

  test('each consent is stored with the version that was accepted', async () => {
    const tenant = await createTenant(api)
    const updatedAt = '2026-03-01T00:00:00.000Z'
    await tenant.within((db) =>
      db.insert(pages).values([
        { customerId: tenant.id, type: 'terms', title: 'Terms', body: '<p>…</p>', updatedAt },
        // Nobody agrees to what visitors do not see.
        { customerId: tenant.id, type: 'privacy', title: 'Privacy', body: '<p>…</p>', updatedAt, isDraft: true },
      ]),
    )
    const { form, token } = await verifiedJoin(tenant, { agreeMarketing: true })
    await tenant.guest.identity.join({ token })
    const rows = await tenant.within((db) =>
      db.select().from(consents).where(eq(consents.customerId, tenant.id)).orderBy(asc(consents.type)),
    )
    expect(rows.map(({ type, version, granted }) => [type, version, granted])).toEqual([
      ['AGE', '14', true],
      ['MARKETING', 'none', true],
      ['PRIVACY', 'none', true],
      ['TERMS', updatedAt, true],
    ])
    expect((await memberBy(tenant, form.email))?.marketing).toBe(true)
    const without = await verifiedJoin(tenant)
    await tenant.guest.identity.join({ token: without.token })
    expect((await memberBy(tenant, without.form.email))?.marketing).toBe(false)
  })

  test('joining without a required consent is refused with its field', async () => {
    const tenant = await createTenant(api)
    for (const field of ['agreeTerms', 'agreePrivacy', 'isOldEnough'] as const) {
      const refused = await failureOf(tenant.guest.identity.requestJoin(formOf({ [field]: false as never })))
      expect(refused).toMatchObject({ status: 422 })
      expect(Object.keys(refused.problem.errors)).toEqual([field])
    }
  })

  test('joining moves the guest’s cart to the member', async () => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct()
    let guestToken: string | null = null
    const guest = api.client(tenant.code, {
      onAnswer: (response) => {
        guestToken ??= response.headers.get(headerNames.guestToken)
      },
    })
    await guest.orders.addToCart({ productId: product.id, optionId: product.optionId! })
    const { token } = await verifiedJoin(tenant)
    const joiner = api.client(tenant.code, { guestToken: guestToken! })
    const session = await joiner.identity.join({ token })
    const { cartCount } = await api.client(tenant.code, { token: session.token }).identity.me()
    expect(cartCount).toBe(1)
  })

  test('a join that is sent several times at once creates one member', async () => {
    const tenant = await createTenant(api)
    const { token } = await verifiedJoin(tenant)
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => tenant.guest.identity.join({ token })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failureOf(tenant.guest.identity.join({ token }))).toMatchObject({ status: 410, code: 'GONE' })
  })

  test('the second of two joins with one email is refused with CONFLICT', async () => {
    const tenant = await createTenant(api)
    const email = newEmail()
    const [one, other] = [
      await verifiedJoin(tenant, { email }),
      await verifiedJoin(tenant, { email: email.toUpperCase() }),
    ]
    await tenant.guest.identity.join({ token: one.token })
    expect(await failureOf(tenant.guest.identity.join({ token: other.token }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('joining before the code is confirmed is refused with 409', async () => {
    const tenant = await createTenant(api)
    const { token } = await tenant.guest.identity.requestJoin(formOf())
    expect(await failureOf(tenant.guest.identity.join({ token }))).toMatchObject({ status: 409 })
  })

  test('joining a store that is closed to new members is refused with JOIN_DISABLED', async () => {
    const settings = plainSettings()
    settings.operation.useJoin = false
    const tenant = await createTenant(api, { settings })
    expect(await failureOf(tenant.guest.identity.requestJoin(formOf()))).toMatchObject({
      status: 403,
      code: 'JOIN_DISABLED',
    })
  })

  test('joining a store for members only is possible', async () => {
    const settings = plainSettings()
    settings.operation.useLogin = true
    const tenant = await createTenant(api, { settings })
    const { token } = await verifiedJoin(tenant)
    expect((await tenant.guest.identity.join({ token })).tokenType).toBe('Bearer')
  })

  test('the same email joins two stores with separate passwords', async () => {
    const [first, second] = [await createTenant(api), await createTenant(api)]
    const email = newEmail()
    const one = await verifiedJoin(first, { email, password: 'the first word of it' })
    await first.guest.identity.join({ token: one.token })
    const other = await verifiedJoin(second, { email, password: 'another word of it' })
    await second.guest.identity.join({ token: other.token })
    expect(await failureOf(second.guest.identity.login({ email, password: 'the first word of it' }))).toMatchObject({
      code: 'LOGIN_FAILED',
    })
    expect(await failureOf(second.guest.identity.joinStage({ token: one.token }))).toMatchObject({ status: 404 })
  })
})

describe('The code', () => {
  test('a join code allows five tries, in parallel too, and then a new code is needed', async () => {
    const tenant = await createTenant(api)
    const form = formOf()
    const { token } = await tenant.guest.identity.requestJoin(form)
    const code = codeIn(await mailTo(tenant, form.email))
    const wrong = wrongCodeFor(code)
    const attempts = await Promise.all(
      Array.from({ length: 8 }, () => failureOf(tenant.guest.identity.confirmJoin({ token, code: wrong }))),
    )
    expect(attempts.every(({ status, problem }) => status === 422 && problem.errors.code?.length === 1)).toBe(true)
    const remaining = attempts.map(({ problem }) => (problem.data as { triesLeft: number }).triesLeft)
    expect(remaining.sort((a, b) => b - a)).toEqual([4, 3, 2, 1, 0, 0, 0, 0])
    expect(await failureOf(tenant.guest.identity.confirmJoin({ token, code }))).toMatchObject({ status: 422 })

    api.clock.advance(61_000)
    expect(await tenant.guest.identity.resendJoinCode({ token })).toMatchObject({ stage: 'VERIFY', triesLeft: 5 })
    const next = codeIn(await mailTo(tenant, form.email))
    expect(await tenant.guest.identity.confirmJoin({ token, code: next })).toMatchObject({ stage: 'READY' })
  })

  test('a join code is valid for ten minutes and until the next one is sent', async () => {
    const tenant = await createTenant(api)
    const form = formOf()
    const { token } = await tenant.guest.identity.requestJoin(form)
    const first = codeIn(await mailTo(tenant, form.email))
    expect(await failureOf(tenant.guest.identity.resendJoinCode({ token }))).toMatchObject({ status: 429 })
    api.clock.advance(10 * minute)
    expect(await failureOf(tenant.guest.identity.confirmJoin({ token, code: first }))).toMatchObject({ status: 422 })
    await tenant.guest.identity.resendJoinCode({ token })
    const second = codeIn(await mailTo(tenant, form.email))
    if (second !== first)
      expect(await failureOf(tenant.guest.identity.confirmJoin({ token, code: first }))).toMatchObject({ status: 422 })
    expect(await tenant.guest.identity.confirmJoin({ token, code: second })).toMatchObject({ stage: 'READY' })
  })

  test('a new join code within a minute is refused with the time to wait', async () => {
    const tenant = await createTenant(api)
    const { token } = await tenant.guest.identity.requestJoin(formOf())
    let retryAfter = 0
    const resending = api.client(tenant.code, {
      onAnswer: (response) => {
        retryAfter = Number(response.headers.get('retry-after'))
      },
    })
    expect(await failureOf(resending.identity.resendJoinCode({ token }))).toMatchObject({ code: 'RATE_LIMITED' })
    expect(retryAfter).toBeGreaterThan(50)
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  test('a join code and the password are stored only as hashes', async () => {
    const tenant = await createTenant(api)
    const form = formOf()
    await tenant.guest.identity.requestJoin(form)
    const code = codeIn(await mailTo(tenant, form.email))
    const [row] = await tenant.within((db) =>
      db.select().from(joinVerifications).where(eq(joinVerifications.customerId, tenant.id)),
    )
    expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(code)
    expect(JSON.stringify(row)).not.toContain(form.password)
  })

  test('an unfinished join expires after an hour', async () => {
    const tenant = await createTenant(api)
    const { token } = await verifiedJoin(tenant)
    api.clock.advance(61 * minute)
    expect(await failureOf(tenant.guest.identity.join({ token }))).toMatchObject({ status: 410 })
  })
})

describe('An email that has an account', () => {
  test('joining with a registered email gets the usual response, and its owner is notified by mail', async () => {
    const tenant = await createTenant(api)
    const { email } = await tenant.createMember()
    const knownAnswer = await tenant.guest.identity.requestJoin(formOf({ email }))
    const unknown = await tenant.guest.identity.requestJoin(formOf())
    const shape = ({ stage, triesLeft, mailbox, token }: typeof knownAnswer) => [
      stage,
      triesLeft,
      mailbox,
      token.length,
    ]
    expect(shape(knownAnswer)).toEqual(shape(unknown))
    const notice = await mailTo(tenant, email)
    expect(notice.template).toBe('have-account')
    expect(notice.text).not.toMatch(/\d{6}/)

    const refusals = await Promise.all(
      [knownAnswer, unknown].map(({ token }) =>
        failureOf(tenant.guest.identity.confirmJoin({ token, code: '123456' })),
      ),
    )
    const bare = refusals.map(({ problem, status }) => [status, problem.code, problem.errors])
    expect(bare[0]).toEqual(bare[1])
    api.clock.advance(61_000)
    await tenant.guest.identity.resendJoinCode({ token: knownAnswer.token })
    expect((await mailsTo(tenant, email)).map(({ template }) => template)).toEqual(['have-account', 'have-account'])
  })

  test('joining with a registered email takes the same time', async () => {
    const tenant = await createTenant(api)
    const knownTimes: number[] = []
    const unknown: number[] = []
    // The minimum of several rounds is the work itself. A busy machine needs more rounds until both
    // have an undisturbed one.
    const ratio = () => Math.min(...knownTimes) / Math.min(...unknown)
    const alike = () => ratio() > 0.5 && ratio() < 2
    for (let round = 0; round < 5 || (round < 12 && !alike()); round++) {
      const { email } = await tenant.createMember()
      for (const [times, address] of [
        [knownTimes, email],
        [unknown, newEmail()],
      ] as const) {
        const form = formOf({ email: address })
        const started = performance.now()
        await tenant.guest.identity.requestJoin(form)
        times.push(performance.now() - started)
      }
    }
    expect(ratio()).toBeGreaterThan(0.5)
    expect(ratio()).toBeLessThan(2)
  })
})

describe('The form', () => {
  test.each([
    ['phone', { phone: '12' + '345' }],
    ['password', { email: 'some.body@example.com', password: 'Some.Body@example.com' }],
    ['password', { email: 'some.body@example.com', password: 'some.body' }],
    ['password', { password: 'Password1' }],
    ['password', { password: '87654321' }],
    ['name', { name: 'Kim\u202eeciN' }],
    ['password', { password: 'short' }],
  ])('an invalid join form is refused with the invalid field: %s', async (field, wrong) => {
    const tenant = await createTenant(api)
    const { status, problem } = await failureOf(tenant.guest.identity.requestJoin(formOf(wrong)))
    expect(status).toBe(422)
    expect(Object.keys(problem.errors)).toEqual([field])
  })

  test('errors and mails of a join are in the language of the request', async () => {
    const tenant = await createTenant(api)
    const reader = api.client(tenant.code, { headers: { 'accept-language': 'ko-KR,ko;q=0.9' } })
    const { problem } = await failureOf(reader.identity.requestJoin(formOf({ phone: '12345' })))
    expect(problem.errors.phone?.[0]).toMatch(/전화번호/)
    const form = formOf()
    await reader.identity.requestJoin(form)
    expect(await mailTo(tenant, form.email)).toMatchObject({
      locale: 'ko',
      subject: expect.stringContaining('인증번호'),
    })
  })

  test.each([
    ['KRW', '010-1234-5678', '+821012345678'],
    ['JPY', '090-1234-5678', '+819012345678'],
    ['USD', '+82 10 1234 5678', '+821012345678'],
  ])('a phone number is stored as E.164: %s %s', async (currency, phone, stored) => {
    const settings = plainSettings()
    settings.base.currency = currency
    const tenant = await createTenant(api, { settings })
    const { form, token } = await verifiedJoin(tenant, { phone })
    await tenant.guest.identity.join({ token })
    expect((await memberBy(tenant, form.email))?.phone).toBe(stored)
  })

  test('join mails to one email are limited to five an hour for each network', async () => {
    const tenant = await createTenant(api)
    const email = newEmail()
    for (let round = 0; round < 5; round++) await tenant.guest.identity.requestJoin(formOf({ email }))
    let retryAfter = 0
    const again = api.client(tenant.code, {
      onAnswer: (response) => {
        retryAfter = Number(response.headers.get('retry-after'))
      },
    })
    expect(await failureOf(again.identity.requestJoin(formOf({ email: email.toUpperCase() })))).toMatchObject({
      status: 429,
    })
    expect(retryAfter).toBeGreaterThan(0)
    expect(await mailsTo(tenant, email)).toHaveLength(5)
    const owner = api.client(tenant.code, { headers: { 'x-forwarded-for': '192.0.2.60' } })
    expect(await owner.identity.requestJoin(formOf({ email }))).toMatchObject({ stage: 'VERIFY' })
  })
})

test('join mails requested from one address are limited to sixty an hour', async () => {
  const separateApi = createTestApi()
  const tenant = await createTenant(separateApi)
  const requestJoin = (peer: string) =>
    separateApi.fetch(
      new Request(`${separateApi.origin}/api/v1/customers/${tenant.code}/join/verifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(formOf()),
      }),
      { address: peer },
    )
  const statuses: number[] = []
  for (let round = 0; round < 62; round++) statuses.push((await requestJoin('198.51.100.9')).status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(60)
  expect(statuses.slice(60)).toEqual([429, 429])
  expect((await requestJoin('198.51.100.10')).status).toBe(201)
}, 30_000)
