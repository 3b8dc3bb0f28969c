import { expect, test } from 'vitest'
import { rateLimits } from '#api/platform/limits/limits.schema.ts'
import { tidy } from '#tests/support/chores.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

/** Two processes that serve one store. */
const [here, there] = [createTestApi(), createTestApi()]

test('Who guesses a password at several processes has the tries of one, and the right one costs none', async () => {
  const tenant = await createTenant(here)
  const { email } = await tenant.createMember()
  const logins = [here, there].map(({ client }) => client(tenant.code).accounts.login)
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

test('Mails to somebody who has not asked for any are counted for all processes, and forgotten in time', async () => {
  const tenant = await createTenant(here)
  const { email } = await tenant.createMember()
  const ask = (round: number, to: string) =>
    [here, there][round % 2]!.client(tenant.code).joining.requestReset({ email: to })
  await Promise.all(Array.from({ length: 60 }, (_, round) => ask(round, round ? `nobody-${round}@example.com` : email)))
  for (const round of [0, 1]) expect(await failureOf(ask(round, 'another@example.com'))).toMatchObject({ status: 429 })

  const kept = () => tenant.within((db) => db.select().from(rateLimits))
  expect(JSON.stringify(await kept())).not.toContain(email)
  here.clock.advance(2 * 3_600_000)
  await tidy(here, tenant)
  expect(await kept()).toEqual([])
})
