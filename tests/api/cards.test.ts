import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sandboxCards } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { cards as cardRows } from '#api/modules/plans/cards.schema.ts'
import { runTask } from '#api/worker.ts'
import { keyed } from '#tests/support/buying.ts'
import { addCard, beginCard, storedCards } from '#tests/support/card-registration.ts'
import { tidy } from '#tests/support/chores.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  return { tenant, member: await tenant.createMember() }
}

describe('Registering a card', () => {
  test('happens on the page of the provider, and keeps nothing of the number', async () => {
    const { tenant, member } = await arrange()
    const { id, page } = await beginCard(api, tenant, member)
    expect(page.url.pathname).toMatch(/^\/sandbox\/cards\//)
    expect(await member.client.cards.confirmCard({ id })).toMatchObject({ status: 'WAITING', card: null })
    const shown = await page.read()
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    const left = await page.save(storedCards.success, { expiry: '08 / 31' })
    expect(left.status).toBe(303)
    expect(left.headers.get('location')).toBe(`/mypages/cards?card=${id}`)

    const confirmed = await member.client.cards.confirmCard({ id })
    expect(confirmed).toMatchObject({
      status: 'ACTIVE',
      card: { id, issuer: 'Visa', lastFour: '4242', expiryMonth: 8, expiryYear: 2031, isDefault: true, expiry: 'GOOD' },
    })
    const kept = await tenant.within(async (db) => ({
      ours: await db.select().from(cardRows),
      theirs: await db.select().from(sandboxCards),
    }))
    expect(JSON.stringify(kept)).not.toContain('424242424242')
    expect(kept.ours[0]?.token).toMatch(/^v1\./)
    expect(kept.ours[0]?.token).not.toContain(kept.theirs[0]?.token)
    // Twenty browsers that come back find the one card.
    await Promise.all(Array.from({ length: 20 }, () => member.client.cards.confirmCard({ id })))
    expect((await member.client.cards.cards()).items).toHaveLength(1)
  })

  test('marks what is wrong, asks for a code, and may be left or refused', async () => {
    const { tenant, member } = await arrange()
    const challenged = await beginCard(api, tenant, member)
    const wrong = await challenged.page.save('4242 4242 4242 4241', { expiry: '01 / 20' })
    expect(wrong.status).toBe(422)
    expect((await wrong.text()).match(/aria-invalid="true"/g)).toHaveLength(2)
    await challenged.page.save(storedCards.challenge)
    expect(await member.client.cards.confirmCard({ id: challenged.id })).toMatchObject({ status: 'WAITING' })
    expect((await challenged.page.challenge('000000')).status).toBe(422)
    expect((await challenged.page.challenge('123456')).status).toBe(303)
    expect(await member.client.cards.confirmCard({ id: challenged.id })).toMatchObject({ status: 'ACTIVE' })
    expect((await challenged.page.read()).status).toBe(410)

    const refused = await beginCard(api, tenant, member)
    await refused.page.save(storedCards.declined)
    expect(await member.client.cards.confirmCard({ id: refused.id })).toMatchObject({
      ...{ status: 'FAILED', failure: 'CARD_DECLINED' },
    })
    const left = await beginCard(api, tenant, member)
    await left.page.cancel()
    expect(await member.client.cards.confirmCard({ id: left.id })).toMatchObject({
      ...{ status: 'FAILED', failure: 'CANCELLED_BY_BUYER' },
    })
    expect((await member.client.cards.cards()).items).toHaveLength(1)
  })

  test('is found done by the sweep when the browser never comes back, and closed when it was left', async () => {
    const { tenant, member } = await arrange()
    const done = await beginCard(api, tenant, member)
    await done.page.save(storedCards.success)
    const left = await beginCard(api, tenant, member)
    api.clock.advance(61_000)
    await sweep(api, tenant)
    expect((await member.client.cards.cards()).items.map(({ id }) => id)).toEqual([done.id])
    expect(await member.client.cards.confirmCard({ id: left.id })).toMatchObject({ status: 'WAITING' })
    api.clock.advance(31 * 60_000)
    await sweep(api, tenant)
    expect(await member.client.cards.confirmCard({ id: left.id })).toMatchObject({
      ...{ status: 'FAILED', failure: 'ABANDONED' },
    })
  })

  test("belongs to the one who began it, and somebody else's card is none", async () => {
    const { tenant, member } = await arrange()
    const other = await tenant.createMember()
    const card = await addCard(api, tenant, member)
    for (const call of [
      () => other.client.cards.confirmCard({ id: card.id }),
      () => other.client.cards.makeDefault({ id: card.id }),
      () => other.client.cards.removeCard({ id: card.id }),
      () => beginCard(api, tenant, other, card.id),
    ])
      expect(await failureOf(call())).toMatchObject({ status: 404 })
    expect((await other.client.cards.cards()).items).toEqual([])
  })
})

describe('Several cards', () => {
  test('have one default; the one removed gives it to another, and the provider forgets it', async () => {
    const { tenant, member } = await arrange()
    const first = await addCard(api, tenant, member)
    const second = await addCard(api, tenant, member)
    const defaults = async () => (await member.client.cards.cards()).items.map(({ id, isDefault }) => [id, isDefault])
    expect(await defaults()).toEqual([
      [first.id, true],
      [second.id, false],
    ])
    await Promise.all([
      ...Array.from({ length: 5 }, () => member.client.cards.makeDefault({ id: second.id })),
      ...Array.from({ length: 5 }, () => member.client.cards.makeDefault({ id: first.id })),
    ])
    await member.client.cards.makeDefault({ id: second.id })
    expect(await defaults()).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    await member.client.cards.removeCard({ id: second.id })
    expect(await defaults()).toEqual([[first.id, true]])
    await sweep(api, tenant)
    const rows = await tenant.within((db) => db.select().from(cardRows).where(eq(cardRows.id, second.id)))
    expect(rows[0]).toMatchObject({ status: 'REMOVED', token: null })
    const theirs = await tenant.within((db) =>
      db.select().from(sandboxCards).where(eq(sandboxCards.reference, second.id)),
    )
    expect(theirs[0]?.status).toBe('REMOVED')
  })

  test('are paid with as the default says; the last one of a subscription can be replaced, not removed', async () => {
    const { tenant, member } = await arrange()
    const plan = await createPlan(tenant)
    const first = await addCard(api, tenant, member)
    await subscribeWith(api, tenant, member, plan, first.id)
    const paying = async () => (await member.client.cards.cards()).items.find((card) => card.paysSubscription)?.id
    expect(await paying()).toBe(first.id)
    expect(await failureOf(member.client.cards.removeCard({ id: first.id }))).toMatchObject({ code: 'CARD_NEEDED' })

    const second = await addCard(api, tenant, member, 'success', first.id)
    expect(second).toMatchObject({ isDefault: true, paysSubscription: true })
    expect((await member.client.cards.cards()).items.map(({ id }) => id)).toEqual([second.id])

    const third = await addCard(api, tenant, member)
    expect(await paying()).toBe(second.id)
    expect(await member.client.cards.makeDefault({ id: third.id })).toMatchObject({ paysSubscription: true })
    expect(await paying()).toBe(third.id)
    await member.client.cards.removeCard({ id: third.id })
    expect(await paying()).toBe(second.id)
    const { items } = await member.client.plans.subscriptionHistory({})
    expect(items.filter(({ type }) => type === 'CARD_CHANGED')).toHaveLength(3)
  })

  test('are ten at most', async () => {
    const { tenant, member } = await arrange()
    for (let card = 0; card < 10; card++) await addCard(api, tenant, member)
    expect(await failureOf(beginCard(api, tenant, member))).toMatchObject({ status: 409 })
  })
})

test('a card says when it expires, and its owner is told once', async () => {
  const { tenant, member } = await arrange()
  const soon = await addCard(api, tenant, member, 'expiresSoon')
  expect(soon.expiry).toBe('SOON')
  await sweep(api, tenant)
  await sweep(api, tenant)
  const told = await tenant.within((db) => db.select().from(mails).where(eq(mails.template, 'card-expiring')))
  expect(told.map(({ to }) => to)).toEqual([member.email])
  api.clock.advance(32 * 86_400_000)
  const again = await keyed(api, tenant, await relogin(tenant, member.email)).cards.cards()
  expect(again.items.map(({ expiry }) => expiry)).toEqual(['PAST'])
  // Not again either, once the mail has left and is forgotten.
  await runTask(api.deps, api.fetch, { customer: tenant.code, chore: 'mails' })
  api.clock.advance(100 * 86_400_000)
  await tidy(api, tenant)
  await sweep(api, tenant)
  expect(await tenant.within((db) => db.select().from(mails).where(eq(mails.template, 'card-expiring')))).toEqual([])
})

const relogin = async (tenant: Awaited<ReturnType<typeof createPlanTenant>>, email: string) => {
  const { token } = await tenant.guest.accounts.login({ email, password: 'correct horse battery' })
  return { id: '' as never, email, token, client: api.client(tenant.code, { token }) }
}
