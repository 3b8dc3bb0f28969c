import { count } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import type { EventHandlers } from '#api/platform/context.ts'
import type { DomainEvents } from '#api/platform/events.ts'
import { customerBase } from '#contract/http.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** Signs in as a guest with an id, at an API with other handlers of that event. */
const signIn = async (memberSignedIn: EventHandlers['memberSignedIn']) => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  let guestToken = ''
  const guest = api.client(tenant.code, {
    onAnswer: ({ headers }) => {
      guestToken = headers.get('x-guest-token') ?? guestToken
    },
  })
  await guest.orders.addToCart({ productId: product.id, optionId: product.optionId ?? product.id } as never)
  const before = await openSessions()
  const { fetch } = createApi({ ...api.deps, events: { ...api.deps.events, memberSignedIn } })
  const response = await fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-guest-token': guestToken },
      body: JSON.stringify({ email: member.email, password }),
    }),
  )
  return { status: response.status, opened: (await openSessions()) - before, memberId: member.id, tenant }

  async function openSessions() {
    const [row] = await tenant.within((db) => db.select({ total: count() }).from(sessions))
    return row?.total ?? 0
  }
}

test('a sign-in emits one event, whose handlers run in their order', async () => {
  const calls: [string, DomainEvents['memberSignedIn']][] = []
  const { status, opened, memberId } = await signIn([
    async (_, payload) => void calls.push(['first', payload]),
    async (_, payload) => void calls.push(['second', payload]),
  ])
  expect({ status, opened }).toEqual({ status: 200, opened: 1 })
  const payload = { guestId: expect.any(String), memberId }
  expect(calls).toEqual([
    ['first', payload],
    ['second', payload],
  ])
})

test('a handler that fails rolls back the transaction of the event', async () => {
  const { status, opened } = await signIn([
    async () => {
      throw new Error('It does not work')
    },
  ])
  expect({ status, opened }).toEqual({ status: 500, opened: 0 })
})
