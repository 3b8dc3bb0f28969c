import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sandboxCards } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { cards as cardRows } from '#api/modules/plans/cards.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { runTask } from '#api/worker.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { keyed } from '#tests/support/buying.ts'
import { addCard, beginCard, storedTestCards } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  return { tenant, member: await tenant.createMember() }
}

describe('Registering a card', () => {
  test('card registration takes place on the provider’s page and stores no card number', async () => {
    const { tenant, member } = await arrange()
    const { id, page } = await beginCard(api, tenant, member)
    expect(page.url.pathname).toMatch(/^\/sandbox\/cards\//)
    expect(await member.client.billing.confirmCard({ id })).toMatchObject({ status: 'WAITING', card: null })
    const shown = await page.read()
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    const saved = await page.save(storedTestCards.success, { expiry: '08 / 31' })
    expect(saved.status).toBe(303)
    expect(saved.headers.get('location')).toBe(`/mypages/cards?card=${id}`)

    const confirmed = await member.client.billing.confirmCard({ id })
    expect(confirmed).toMatchObject({
      status: 'ACTIVE',
      card: { id, issuer: 'Visa', lastFour: '4242', expiryMonth: 8, expiryYear: 2031, isDefault: true, expiry: 'GOOD' },
    })
    const stored = await tenant.within(async (db) => ({
      ours: await db.select().from(cardRows),
      theirs: await db.select().from(sandboxCards),
    }))
    expect(JSON.stringify(stored)).not.toContain('424242424242')
    expect(stored.ours[0]?.token).toMatch(/^v1\./)
    expect(stored.ours[0]?.token).not.toContain(stored.theirs[0]?.token)
    // Twenty browsers that return at once find the one card.
    await Promise.all(Array.from({ length: 20 }, () => member.client.billing.confirmCard({ id })))
    expect((await member.client.billing.cards()).items).toHaveLength(1)
  })

  test('card registration marks invalid fields, asks for a code, and can be declined or cancelled', async () => {
    const { tenant, member } = await arrange()
    const challenged = await beginCard(api, tenant, member)
    const wrong = await challenged.page.save('4242 4242 4242 4241', { expiry: '01 / 20' })
    expect(wrong.status).toBe(422)
    expect((await wrong.text()).match(/aria-invalid="true"/g)).toHaveLength(2)
    await challenged.page.save(storedTestCards.challenge)
    expect(await member.client.billing.confirmCard({ id: challenged.id })).toMatchObject({ status: 'WAITING' })
    expect((await challenged.page.challenge('000000')).status).toBe(422)
    expect((await challenged.page.challenge('123456')).status).toBe(303)
    expect(await member.client.billing.confirmCard({ id: challenged.id })).toMatchObject({ status: 'ACTIVE' })
    expect((await challenged.page.read()).status).toBe(410)

    const refused = await beginCard(api, tenant, member)
    await refused.page.save(storedTestCards.declined)
    expect(await member.client.billing.confirmCard({ id: refused.id })).toMatchObject({
      status: 'FAILED',
      failure: 'CARD_DECLINED',
    })
    const cancelled = await beginCard(api, tenant, member)
    await cancelled.page.cancel()
    expect(await member.client.billing.confirmCard({ id: cancelled.id })).toMatchObject({
      status: 'FAILED',
      failure: 'CANCELLED_BY_BUYER',
    })
    expect((await member.client.billing.cards()).items).toHaveLength(1)
  })

  test('the sweep completes a card registration whose browser did not return, and fails an abandoned one', async () => {
    const { tenant, member } = await arrange()
    const done = await beginCard(api, tenant, member)
    await done.page.save(storedTestCards.success)
    const abandoned = await beginCard(api, tenant, member)
    api.clock.advance(61_000)
    await sweep(api, tenant)
    expect((await member.client.billing.cards()).items.map(({ id }) => id)).toEqual([done.id])
    expect(await member.client.billing.confirmCard({ id: abandoned.id })).toMatchObject({ status: 'WAITING' })
    api.clock.advance(31 * 60_000)
    await sweep(api, tenant)
    expect(await member.client.billing.confirmCard({ id: abandoned.id })).toMatchObject({
      status: 'FAILED',
      failure: 'ABANDONED',
    })
  })

  test('another member’s card is not found', async () => {
    const { tenant, member } = await arrange()
    const other = await tenant.createMember()
    const card = await addCard(api, tenant, member)
    for (const attempt of [
      () => other.client.billing.confirmCard({ id: card.id }),
      () => other.client.billing.makeDefault({ id: card.id }),
      () => other.client.billing.removeCard({ id: card.id }),
      () => beginCard(api, tenant, other, card.id),
    ])
      expect(await failureOf(attempt())).toMatchObject({ status: 404 })
    expect((await other.client.billing.cards()).items).toEqual([])
  })
})

describe('Cards', () => {
  test('removing the default card makes another the default and removes the card at the provider', async () => {
    const { tenant, member } = await arrange()
    const first = await addCard(api, tenant, member)
    const second = await addCard(api, tenant, member)
    const defaults = async () => (await member.client.billing.cards()).items.map(({ id, isDefault }) => [id, isDefault])
    expect(await defaults()).toEqual([
      [first.id, true],
      [second.id, false],
    ])
    await Promise.all([
      ...Array.from({ length: 5 }, () => member.client.billing.makeDefault({ id: second.id })),
      ...Array.from({ length: 5 }, () => member.client.billing.makeDefault({ id: first.id })),
    ])
    await member.client.billing.makeDefault({ id: second.id })
    expect(await defaults()).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    await member.client.billing.removeCard({ id: second.id })
    expect(await defaults()).toEqual([[first.id, true]])
    await sweep(api, tenant)
    const rows = await tenant.within((db) => db.select().from(cardRows).where(eq(cardRows.id, second.id)))
    expect(rows[0]).toMatchObject({ status: 'REMOVED', token: null })
    const theirs = await tenant.within((db) =>
      db.select().from(sandboxCards).where(eq(sandboxCards.reference, second.id)),
    )
    expect(theirs[0]?.status).toBe('REMOVED')
  })

  test('a subscription is charged to the default card, and its last card can be replaced but not removed', async () => {
    const { tenant, member } = await arrange()
    const plan = await createPlan(tenant)
    const first = await addCard(api, tenant, member)
    await subscribeWith(api, tenant, member, plan, first.id)
    const paying = async () => (await member.client.billing.cards()).items.find((card) => card.paysSubscription)?.id
    expect(await paying()).toBe(first.id)
    expect(await failureOf(member.client.billing.removeCard({ id: first.id }))).toMatchObject({ code: 'CARD_NEEDED' })

    const second = await addCard(api, tenant, member, 'success', first.id)
    expect(second).toMatchObject({ isDefault: true, paysSubscription: true })
    expect((await member.client.billing.cards()).items.map(({ id }) => id)).toEqual([second.id])

    const third = await addCard(api, tenant, member)
    expect(await paying()).toBe(second.id)
    expect(await member.client.billing.makeDefault({ id: third.id })).toMatchObject({ paysSubscription: true })
    expect(await paying()).toBe(third.id)
    await member.client.billing.removeCard({ id: third.id })
    expect(await paying()).toBe(second.id)
    const { items } = await member.client.subscriptions.subscriptionHistory({})
    expect(items.filter(({ type }) => type === 'CARD_CHANGED')).toHaveLength(3)
  })

  test('an eleventh card is refused with 409', async () => {
    const { tenant, member } = await arrange()
    for (let card = 0; card < 10; card++) await addCard(api, tenant, member)
    expect(await failureOf(beginCard(api, tenant, member))).toMatchObject({ status: 409 })
  })
})

test('a card that expires soon is marked, and its owner gets one mail', async () => {
  const { tenant, member } = await arrange()
  const soon = await addCard(api, tenant, member, 'expiresSoon')
  expect(soon.expiry).toBe('SOON')
  await sweep(api, tenant)
  await sweep(api, tenant)
  const notified = await tenant.within((db) => db.select().from(mails).where(eq(mails.template, 'card-expiring')))
  expect(notified.map(({ to }) => to)).toEqual([member.email])
  api.clock.advance(32 * dayMilliseconds)
  const again = await keyed(api, tenant, await signInAgain(tenant, member.email)).billing.cards()
  expect(again.items.map(({ expiry }) => expiry)).toEqual(['PAST'])
  // No second mail follows after the first is sent and deleted.
  await runTask(api.deps, api.fetch, { customer: tenant.code, task: 'mails' })
  api.clock.advance(100 * dayMilliseconds)
  await cleanUp(api, tenant)
  await sweep(api, tenant)
  expect(await tenant.within((db) => db.select().from(mails).where(eq(mails.template, 'card-expiring')))).toEqual([])
})

const signInAgain = async (tenant: Awaited<ReturnType<typeof createPlanTenant>>, email: string) => {
  const { token } = await tenant.guest.identity.login({ email, password: 'correct horse battery' })
  return { id: '' as never, email, token, client: api.client(tenant.code, { token }) }
}
