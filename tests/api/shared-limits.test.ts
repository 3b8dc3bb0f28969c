import { expect, test } from 'vitest'
import { rateLimits } from '#api/platform/db/platform.schema.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

/** Two processes that serve one store. */
const [here, there] = [createTestApi(), createTestApi()]

test('wrong passwords are limited together by all processes, and the right one costs no try', async () => {
  const tenant = await createTenant(here)
  const { email } = await tenant.createMember()
  const logins = [here, there].map(({ client }) => client(tenant.code).identity.login)
  for (let round = 0; round < 12; round++) await logins[round % 2]!({ email, password })
  const guesses = await Promise.all(
    Array.from({ length: 24 }, (_, round) => failureOf(logins[round % 2]!({ email, password: `guess ${round}` }))),
  )
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(19)
  for (const login of logins) expect(await failureOf(login({ email, password }))).toMatchObject({ status: 429 })

  here.clock.advance(15 * 60_000 + 1000)
  expect(await logins[0]!({ email, password })).toMatchObject({ tokenType: 'Bearer' })
})

test('mails to people who did not request any are limited together by all processes, and the counts expire', async () => {
  const tenant = await createTenant(here)
  const { email } = await tenant.createMember()
  const requestReset = (round: number, to: string) =>
    [here, there][round % 2]!.client(tenant.code).identity.requestReset({ email: to })
  await Promise.all(
    Array.from({ length: 60 }, (_, round) => requestReset(round, round ? `nobody-${round}@example.com` : email)),
  )
  for (const round of [0, 1])
    expect(await failureOf(requestReset(round, 'another@example.com'))).toMatchObject({ status: 429 })

  const readLimits = () => tenant.within((db) => db.select().from(rateLimits))
  expect(JSON.stringify(await readLimits())).not.toContain(email)
  here.clock.advance(2 * 3_600_000)
  await cleanUp(here, tenant)
  expect(await readLimits()).toEqual([])
})
