import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { consents } from '#api/modules/identity/identity.schema.ts'
import { plans, subscriptionCharges, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { formatDateTime } from '#contract/dates.ts'
import { keyed } from '#tests/support/buying.ts'
import { addCard, openRegistrationPage, storedTestCards } from '#tests/support/card-registration.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant, type TestPlan } from '#tests/support/plans.ts'
import { day, passDays, subscriber, subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const body = (plan: TestPlan) => ({
  id: plan.id,
  returnUrl: '/plans/payment-result',
  expectedPrice: plan.price,
  agreeRecurring: true as const,
})

/** Signs in again, because sessions expire over months. */
const signInAgain = async (tenant: Tenant, member: TestMember): Promise<TestMember> => {
  const { token } = await tenant.guest.identity.login({ email: member.email, password })
  return { ...member, token, client: api.client(tenant.code, { token }) }
}

const chargesOf = (tenant: Tenant, member: TestMember) =>
  tenant.within((db) =>
    db
      .select()
      .from(subscriptionCharges)
      .where(and(eq(subscriptionCharges.customerId, tenant.id), eq(subscriptionCharges.memberId, member.id)))
      .orderBy(subscriptionCharges.createdAt, subscriptionCharges.id),
  )

const historyOf = async (member: TestMember) =>
  (await member.client.subscriptions.subscriptionHistory({ size: 100 })).items.map(({ type }) => type).reverse()

const regularOf = async (member: TestMember) => (await member.client.subscriptions.subscription()).regular

const covers = async (member: TestMember) =>
  (await member.client.subscriptions.subscriptionProducts({})).total > 0 &&
  (await member.client.identity.me()).usePlan.regular

const arrange = async (options: Parameters<typeof createPlan>[1] = {}) => {
  const tenant = await createPlanTenant(api)
  await tenant.createProduct({ access: 'PLAN' })
  return { tenant, plan: await createPlan(tenant, options) }
}

describe('subscribing', () => {
  test('with a stored card charges once, grants access to the plan’s products and records the consent', async () => {
    const { tenant, plan } = await arrange()
    const { member, cardId, confirmed } = await subscriber(api, tenant, plan)
    expect(confirmed).toMatchObject({ result: 'ACTIVE', failure: null })
    const regular = await regularOf(member)
    expect(regular).toMatchObject({
      status: 'PROCEEDING',
      price: plan.price,
      cycle: 'MONTH',
      cancelAt: null,
      overdue: null,
      nextPlan: null,
      plan: { id: plan.id, relation: 'CURRENT' },
      card: { id: cardId, paysSubscription: true },
      nextCharge: { at: regular?.periodEnd, amount: plan.price },
    })
    expect(await covers(member)).toBe(true)
    expect(await historyOf(member)).toEqual(['STARTED', 'CHARGED'])
    expect((await chargesOf(tenant, member)).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
      ['FIRST', 'PAID', 900],
    ])
    const agreed = await tenant.within((db) => db.select().from(consents).where(eq(consents.memberId, member.id)))
    expect(agreed).toMatchObject([{ type: 'RECURRING', granted: true }])
    expect(agreed[0]?.version).toContain('900 USD')
    expect((await mailsTo(tenant, member.email))[0]).toMatchObject({ template: 'subscription-receipt' })
  })

  test('with a card registered on the way has the same result', async () => {
    const { tenant, plan } = await arrange()
    const member = await tenant.createMember()
    const { subscriptionId, redirectUrl } = await keyed(api, tenant, member).subscriptions.subscribe(body(plan))
    expect(await member.client.subscriptions.subscription()).toEqual({ regular: null, partnership: null })
    expect(await member.client.subscriptions.confirmSubscription({ id: subscriptionId })).toMatchObject({
      result: 'WAITING',
    })
    const page = openRegistrationPage(api, redirectUrl)
    const abandoned = await page.save(storedTestCards.success)
    expect(abandoned.headers.get('location')).toBe(`/plans/payment-result?subscription=${subscriptionId}`)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => member.client.subscriptions.confirmSubscription({ id: subscriptionId })),
    )
    expect(answers.map(({ result }) => result)).toContain('ACTIVE')
    expect(await member.client.subscriptions.confirmSubscription({ id: subscriptionId })).toMatchObject({
      result: 'ACTIVE',
    })
    expect(await chargesOf(tenant, member)).toHaveLength(1)
    expect((await member.client.billing.cards()).items).toMatchObject([{ isDefault: true, paysSubscription: true }])
  })

  test('completes without the browser’s return, and is closed when the registration page was abandoned', async () => {
    const { tenant, plan } = await arrange()
    const [done, gone] = [await tenant.createMember(), await tenant.createMember()]
    const begun = await keyed(api, tenant, done).subscriptions.subscribe(body(plan))
    await openRegistrationPage(api, begun.redirectUrl).save(storedTestCards.success)
    const abandoned = await keyed(api, tenant, gone).subscriptions.subscribe(body(plan))
    api.clock.advance(61_000)
    await sweep(api, tenant)
    expect(await regularOf(done)).toMatchObject({ status: 'PROCEEDING' })
    api.clock.advance(31 * 60_000)
    await sweep(api, tenant)
    expect(await gone.client.subscriptions.confirmSubscription({ id: abandoned.subscriptionId })).toMatchObject({
      result: 'FAILED',
      failure: 'ABANDONED',
    })
  })

  test('in twenty concurrent requests creates one subscription and charges once', async () => {
    const { tenant, plan } = await arrange()
    const member = await tenant.createMember()
    const { id: cardId } = await addCard(api, tenant, member)
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => keyed(api, tenant, member).subscriptions.subscribe({ ...body(plan), cardId })),
    )
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(19)
    expect(new Set(refused.map(({ reason }) => reason.problem.code))).toEqual(new Set(['SUBSCRIBED_ALREADY']))
    const rows = await tenant.within((db) => db.select().from(subscriptions))
    expect(rows.filter(({ endedAt }) => endedAt === null)).toHaveLength(1)
    expect(await chargesOf(tenant, member)).toHaveLength(1)
    expect(await tenant.within((db) => db.select().from(sandboxPayments))).toHaveLength(1)
  }, 30_000)

  test('again with the same key returns the same answer; an abandoned try gives way to the next', async () => {
    const { tenant, plan } = await arrange()
    const member = await tenant.createMember()
    const key = randomUUID()
    const first = await keyed(api, tenant, member, key).subscriptions.subscribe(body(plan))
    expect(await keyed(api, tenant, member, key).subscriptions.subscribe(body(plan))).toEqual(first)
    const second = await keyed(api, tenant, member).subscriptions.subscribe(body(plan))
    expect(second.subscriptionId).not.toBe(first.subscriptionId)
    await openRegistrationPage(api, first.redirectUrl).save(storedTestCards.success)
    expect(await member.client.subscriptions.confirmSubscription({ id: first.subscriptionId })).toMatchObject({
      result: 'FAILED',
      failure: 'SUPERSEDED',
    })
    await openRegistrationPage(api, second.redirectUrl).save(storedTestCards.success)
    expect(await member.client.subscriptions.confirmSubscription({ id: second.subscriptionId })).toMatchObject({
      result: 'ACTIVE',
    })
    expect(await chargesOf(tenant, member)).toHaveLength(1)
  })

  test('is refused for another price, a plan off sale or without products, an unknown card, and without consent', async () => {
    const { tenant, plan } = await arrange()
    const gone = await createPlan(tenant, { onSale: false })
    const empty = await createPlan(tenant, { productIds: [] })
    const member = await tenant.createMember()
    const other = await addCard(api, tenant, await tenant.createMember())
    const call = (input: object) =>
      failureOf(keyed(api, tenant, member).subscriptions.subscribe({ ...body(plan), ...input }))
    expect(await call({ expectedPrice: { amount: 800, currency: 'USD' } })).toMatchObject({
      status: 409,
      code: 'PRICE_CHANGED',
      problem: { data: { price: plan.price } },
    })
    // The member was shown a trial.
    expect(await call({ expectedTrialDays: 14 })).toMatchObject({ status: 409, code: 'PRICE_CHANGED' })
    expect(await call({ id: gone.id })).toMatchObject({ code: 'PLAN_NOT_ON_SALE' })
    expect(await call({ id: empty.id })).toMatchObject({ status: 409, code: 'PLAN_NOT_ON_SALE' })
    expect(await call({ cardId: other.id })).toMatchObject({ status: 404 })
    expect(await call({ agreeRecurring: false })).toMatchObject({ status: 422 })
    expect(await failureOf(member.client.subscriptions.subscribe(body(plan)))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_MISSING',
    })
    expect(await tenant.within((db) => db.select().from(subscriptions))).toEqual([])
  })

  test('with a declined card starts nothing, and may be tried again', async () => {
    const { tenant, plan } = await arrange()
    const { member, confirmed } = await subscriber(api, tenant, plan, 'insufficientFunds')
    expect(confirmed).toMatchObject({ result: 'FAILED', failure: 'INSUFFICIENT_FUNDS', subscription: null })
    expect(await member.client.subscriptions.subscription()).toEqual({ regular: null, partnership: null })
    expect(await covers(member)).toBe(false)
    const good = await addCard(api, tenant, member)
    expect(await subscribeWith(api, tenant, member, plan, good.id)).toMatchObject({ result: 'ACTIVE' })
  })

  test('is settled once, later, when the provider’s answer is lost or late', async () => {
    const { tenant, plan } = await arrange()
    for (const card of ['timeout', 'late'] as const) {
      const { member, confirmed } = await subscriber(api, tenant, plan, card)
      expect(confirmed).toMatchObject({ result: 'WAITING' })
      expect(await regularOf(member)).toMatchObject({ status: 'PENDING' })
      expect(await covers(member)).toBe(false)
      const { id } = (await member.client.billing.cards()).items[0]!
      expect(
        await failureOf(keyed(api, tenant, member).subscriptions.subscribe({ ...body(plan), cardId: id })),
      ).toMatchObject({
        code: 'SUBSCRIBED_ALREADY',
      })
      api.clock.advance(6_000)
      // A webhook reports a late charge; the sweep finds a lost one.
      if (card === 'late')
        await api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code } as never, (sent) => api.fetch(sent))
      else {
        api.clock.advance(60_000)
        await sweep(api, tenant)
      }
      expect(await covers(member)).toBe(true)
      expect((await chargesOf(tenant, member)).map(({ status }) => status)).toEqual(['PAID'])
    }
  })
})

describe('a trial', () => {
  test('grants access at once, announces its end three days before, charges then, and is granted once', async () => {
    const { tenant, plan } = await arrange({ trialDays: 14 })
    const { member, cardId } = await subscriber(api, tenant, plan)
    expect(await historyOf(member)).toEqual(['TRIAL_STARTED'])
    const regular = await regularOf(member)
    expect(regular).toMatchObject({ trialEndsAt: regular?.periodEnd, nextCharge: { at: regular?.trialEndsAt } })
    expect(await covers(member)).toBe(true)
    expect(await chargesOf(tenant, member)).toEqual([])

    const begun = await mailsTo(tenant, member.email)
    expect(begun.map(({ template }) => template)).toEqual(['trial-started'])
    expect(begun[0]?.text).toContain('your card will be charged $9.00')

    await passDays(api, tenant, 10)
    expect(await mailsTo(tenant, member.email)).toHaveLength(1)
    await passDays(api, tenant, 3)
    const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
    expect(templates).toEqual(['trial-ending', 'trial-started'])
    await passDays(api, tenant, 2)
    expect((await chargesOf(tenant, member)).map(({ kind, status }) => [kind, status])).toEqual([['RENEWAL', 'PAID']])
    expect(await historyOf(member)).toEqual(['TRIAL_STARTED', 'RENEWED', 'CHARGED'])

    await member.client.subscriptions.cancelSubscription({})
    await passDays(api, tenant, 32)
    const again = await signInAgain(tenant, member)
    expect(await regularOf(again)).toBeNull()
    expect((await again.client.subscriptions.plan({ id: plan.id })).trialAvailable).toBe(false)
    await subscribeWith(api, tenant, again, plan, cardId)
    expect((await chargesOf(tenant, member)).map(({ kind }) => kind)).toEqual(['RENEWAL', 'FIRST'])
  })

  test('is not offered to who has it, who is told of the subscription', async () => {
    const { tenant, plan } = await arrange({ trialDays: 7 })
    const { member } = await subscriber(api, tenant, plan)
    // Another tab shows the page of the plan as it was before.
    const again = keyed(api, tenant, member).subscriptions.subscribe({ ...body(plan), expectedTrialDays: 7 })
    expect(await failureOf(again)).toMatchObject({ code: 'SUBSCRIBED_ALREADY' })
  })

  test('is the one that the member agreed to, whatever the plan has once the card is registered', async () => {
    const { tenant, plan } = await arrange({ trialDays: 7 })
    const member = await tenant.createMember()
    const agreed = { ...body(plan), expectedTrialDays: 7 }
    const { subscriptionId, redirectUrl } = await keyed(api, tenant, member).subscriptions.subscribe(agreed)
    await tenant.within((db) => db.update(plans).set({ trialDays: 0 }).where(eq(plans.id, plan.id)))
    await openRegistrationPage(api, redirectUrl).save(storedTestCards.success)
    const { result, subscription } = await member.client.subscriptions.confirmSubscription({ id: subscriptionId })
    expect(result).toBe('ACTIVE')
    expect(Date.parse(subscription?.trialEndsAt ?? '')).toBe(Date.parse(subscription?.periodStart ?? '') + 7 * day)
    expect(await chargesOf(tenant, member)).toEqual([])
  })

  test('that is cancelled ends without a charge', async () => {
    const { tenant, plan } = await arrange({ trialDays: 7 })
    const { member } = await subscriber(api, tenant, plan)
    const { regular } = await member.client.subscriptions.cancelSubscription({ reason: 'Only looking' })
    expect(regular).toMatchObject({ cancelAt: regular?.periodEnd, nextCharge: null, status: 'PROCEEDING' })
    await passDays(api, tenant, 6)
    expect(await covers(member)).toBe(true)
    await passDays(api, tenant, 2)
    expect(await covers(member)).toBe(false)
    expect(await chargesOf(tenant, member)).toEqual([])
    const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
    expect(templates).toEqual(['subscription-cancelled', 'trial-started'])
  })
})

describe('renewals', () => {
  test('continue for a year, with one charge a month on the store’s calendar days', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan)
    // Every sweep runs twice concurrently, as in two processes.
    for (let passed = 0; passed < 372; passed += 3) {
      api.clock.advance(3 * day)
      await Promise.all([sweep(api, tenant), sweep(api, tenant)])
    }
    const charges = await chargesOf(tenant, member)
    expect(charges.map(({ status }) => status)).toEqual(Array(charges.length).fill('PAID'))
    expect([12, 13]).toContain(charges.length)
    const local = (iso: string) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul', dateStyle: 'short' }).format(new Date(iso))
    const anchor = Number(local(charges[0]!.periodStart).slice(8))
    for (const [index, charge] of charges.entries()) {
      if (index > 0) expect(charge.periodStart).toBe(charges[index - 1]!.periodEnd)
      const [year, month, on] = local(charge.periodEnd).split('-').map(Number) as [number, number, number]
      expect(on).toBe(Math.min(anchor, new Date(Date.UTC(year, month, 0)).getUTCDate()))
    }
    const payments = await tenant.within((db) => db.select().from(sandboxPayments))
    expect(payments).toHaveLength(charges.length)
    expect(
      (await mailsTo(tenant, member.email)).filter((mail) => mail.template === 'subscription-receipt'),
    ).toHaveLength(charges.length)
  }, 60_000)

  test('keep the agreed price when the plan’s price rises', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan)
    await tenant.within((db) => db.update(plans).set({ priceAmount: 1900 }).where(eq(plans.id, plan.id)))
    expect(await regularOf(member)).toMatchObject({
      price: { amount: 900 },
      plan: { price: { amount: 1900 } },
      nextCharge: { amount: { amount: 900 } },
    })
    const shown = { price: { amount: 1900 }, agreedPrice: { amount: 900 } }
    expect((await member.client.subscriptions.plans()).items).toMatchObject([shown])
    expect((await tenant.guest.subscriptions.plans()).items).toMatchObject([{ ...shown, agreedPrice: null }])
    await passDays(api, tenant, 32)
    expect((await chargesOf(tenant, member)).map(({ amount }) => amount)).toEqual([900, 900])
  })

  test('that fail are retried on days 1, 3, 5 and 7 with access until the last, then end; one mail is sent at the first', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan, 'renewalsDeclined')
    const due = Date.parse((await regularOf(member))?.periodEnd ?? '')
    api.clock.advance(due - api.clock.now().getTime() + 1000)
    await sweep(api, tenant)
    let again = await signInAgain(tenant, member)
    const overdue = await regularOf(again)
    expect(overdue).toMatchObject({ status: 'PENDING', overdue: { failure: 'CARD_DECLINED', attempts: 1 } })
    const graceUntil = Date.parse(overdue?.overdue?.graceUntil ?? '')
    expect(Math.round((graceUntil - due) / day)).toBe(7)
    const tried: number[] = []
    for (let hour = 0; hour < 7 * 24; hour += 4) {
      const before = (await chargesOf(tenant, member)).length
      api.clock.advance(4 * 3_600_000)
      if (api.clock.now().getTime() < graceUntil) expect(await covers(again)).toBe(true)
      await sweep(api, tenant)
      if ((await chargesOf(tenant, member)).length > before) tried.push(Math.round((hour + 4) / 24))
    }
    again = await signInAgain(tenant, member)
    expect(tried).toEqual([1, 3, 5, 7])
    expect(await regularOf(again)).toBeNull()
    expect(await covers(again)).toBe(false)
    expect(await historyOf(again)).toEqual([
      ...['STARTED', 'CHARGED', 'OVERDUE', 'CHARGE_FAILED', 'CHARGE_FAILED', 'CHARGE_FAILED', 'CHARGE_FAILED', 'ENDED'],
    ])
    const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template).reverse()
    expect(templates).toEqual(['subscription-receipt', 'renewal-failed', 'subscription-unpaid'])
    const [row] = await tenant.within((db) => db.select().from(subscriptions))
    expect(row?.endReason).toBe('UNPAID')
    // A former subscriber may subscribe again.
    const good = await addCard(api, tenant, again)
    expect(await subscribeWith(api, tenant, again, plan, good.id)).toMatchObject({ result: 'ACTIVE' })
  }, 60_000)

  test('recover by a retry, of the store or the member, or with a replaced card; the new period follows the last one', async () => {
    const { tenant, plan } = await arrange()
    const [itself, requested, replaced] = [
      await subscriber(api, tenant, plan, 'recovers'),
      await subscriber(api, tenant, plan, 'recovers'),
      await subscriber(api, tenant, plan, 'renewalsDeclined'),
    ]
    const due = (await regularOf(itself.member))?.periodEnd ?? ''
    api.clock.advance(Date.parse(due) - api.clock.now().getTime() + 60_000)
    await sweep(api, tenant)
    const [one, two, three] = [
      await signInAgain(tenant, itself.member),
      await signInAgain(tenant, requested.member),
      await signInAgain(tenant, replaced.member),
    ]
    for (const member of [one, two, three]) expect(await regularOf(member)).toMatchObject({ status: 'PENDING' })

    expect(await failureOf(keyed(api, tenant, two).subscriptions.retryCharge())).toMatchObject({
      status: 409,
      code: 'CARD_REFUSED',
      problem: { data: { failure: 'INSUFFICIENT_FUNDS' } },
    })
    expect(await keyed(api, tenant, two).subscriptions.retryCharge()).toMatchObject({
      regular: { status: 'PROCEEDING' },
    })

    await addCard(api, tenant, three, 'success', replaced.cardId)
    await sweep(api, tenant)
    expect(await regularOf(three)).toMatchObject({ status: 'PROCEEDING', overdue: null })

    await passDays(api, tenant, 4)
    const recovered = await regularOf(await signInAgain(tenant, itself.member))
    expect(recovered).toMatchObject({ status: 'PROCEEDING', periodStart: due, overdue: null })
    expect(await historyOf(one)).toEqual([
      ...['STARTED', 'CHARGED', 'OVERDUE', 'CHARGE_FAILED', 'RECOVERED', 'CHARGED'],
    ])
  }, 30_000)

  test('that are paid after access ended begin a new period, so that nobody pays for time without access', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan)
    api.clock.advance(90 * day)
    let again = await signInAgain(tenant, member)
    expect(await covers(again)).toBe(false)
    const now = api.clock.now().getTime()
    await sweep(api, tenant)
    again = await signInAgain(tenant, member)
    expect(await covers(again)).toBe(true)
    expect(await chargesOf(tenant, member)).toHaveLength(2)
    expect(Date.parse((await regularOf(again))?.periodStart ?? '')).toBeGreaterThanOrEqual(now)
  })
})

describe('cancelling', () => {
  test('can be undone until the period ends, and both may be repeated', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan)
    await member.client.subscriptions.cancelSubscription({})
    await member.client.subscriptions.cancelSubscription({})
    expect((await member.client.catalog.search({})).items[0]?.viewer?.expiresAt).toBe(
      (await regularOf(member))?.periodEnd,
    )
    expect((await member.client.subscriptions.resumeSubscription()).regular).toMatchObject({ cancelAt: null })
    await member.client.subscriptions.resumeSubscription()
    expect(await historyOf(member)).toEqual(['STARTED', 'CHARGED', 'CANCEL_SET', 'CANCEL_UNDONE'])
    const cancelledMails = (await mailsTo(tenant, member.email)).filter(
      ({ template }) => template === 'subscription-cancelled',
    )
    expect(cancelledMails).toHaveLength(1)
    const ends = formatDateTime((await regularOf(member))?.periodEnd ?? '', tenant.settings.base.timeZone)
    expect(cancelledMails[0]?.text).toContain(`you can keep watching until ${ends}`)
    await passDays(api, tenant, 32)
    expect(await chargesOf(tenant, member)).toHaveLength(2)
  })

  test('ends an overdue subscription at once, and is refused where there is none', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan, 'renewalsDeclined')
    await passDays(api, tenant, 32)
    const again = await signInAgain(tenant, member)
    expect((await again.client.subscriptions.cancelSubscription({})).regular).toBeNull()
    expect((await mailsTo(tenant, member.email))[0]).toMatchObject({
      template: 'subscription-cancelled',
      text: expect.stringContaining('You won’t be charged again.'),
    })
    expect(await failureOf(again.client.subscriptions.cancelSubscription({}))).toMatchObject({ status: 404 })
    expect(await failureOf(again.client.subscriptions.resumeSubscription())).toMatchObject({ status: 404 })
    expect(await covers(again)).toBe(false)
  })
})

describe('a change of plan', () => {
  test('to a dearer one is quoted for the remaining time, charged once and effective at once', async () => {
    const { tenant, plan } = await arrange({ price: 1000 })
    const better = await createPlan(tenant, { name: 'Better', price: 3000, streams: 4 })
    const { member } = await subscriber(api, tenant, plan)
    const { periodStart, periodEnd } = (await regularOf(member))!
    const half = (Date.parse(periodEnd!) - Date.parse(periodStart!)) / 2
    api.clock.advance(Date.parse(periodStart!) + half - api.clock.now().getTime())
    const again = await signInAgain(tenant, member)
    const quote = await again.client.subscriptions.quote({ planId: better.id })
    expect(quote).toMatchObject({ kind: 'UPGRADE', nextCharge: { at: periodEnd, amount: better.price } })
    // Half of 1,000 is credited, and the rest of the period costs half of 3,000. The time since
    // then changes it by a unit at most.
    expect(Math.abs(quote.credit.amount - 500)).toBeLessThanOrEqual(1)
    expect(Math.abs(quote.charge.amount - 1000)).toBeLessThanOrEqual(1)
    const change = { planId: better.id, quoteId: quote.id! }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => keyed(api, tenant, again).subscriptions.changePlan(change)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await keyed(api, tenant, again).subscriptions.changePlan(change)).toMatchObject({
      regular: { plan: { id: better.id }, price: better.price, periodEnd },
    })
    const charges = await chargesOf(tenant, member)
    expect(charges.map(({ kind, amount, status }) => [kind, amount, status])).toEqual([
      ['FIRST', 1000, 'PAID'],
      ['UPGRADE', quote.charge.amount, 'PAID'],
    ])
    await passDays(api, tenant, 17)
    expect((await chargesOf(tenant, member)).at(-1)).toMatchObject({ kind: 'RENEWAL', amount: 3000 })
  })

  test('keeps its quoted price for a quarter of an hour, also when the plan’s price rises', async () => {
    const { tenant, plan } = await arrange({ price: 1000 })
    const better = await createPlan(tenant, { price: 3000 })
    const { member } = await subscriber(api, tenant, plan)
    const old = await member.client.subscriptions.quote({ planId: better.id })
    api.clock.advance(15 * 60_000 + 1)
    const upgrade = (quoteId: typeof old.id) =>
      keyed(api, tenant, member).subscriptions.changePlan({ planId: better.id, ...(quoteId ? { quoteId } : {}) })
    expect(await failureOf(upgrade(old.id))).toMatchObject({ code: 'QUOTE_EXPIRED' })
    expect(await failureOf(upgrade(null))).toMatchObject({ code: 'QUOTE_EXPIRED' })
    const fresh = await member.client.subscriptions.quote({ planId: better.id })
    await tenant.within((db) => db.update(plans).set({ priceAmount: 5000 }).where(eq(plans.id, better.id)))
    expect((await upgrade(fresh.id)).regular).toMatchObject({ price: { amount: 3000 } })
    expect((await chargesOf(tenant, member)).at(-1)?.amount).toBe(fresh.charge.amount)
  })

  test('whose charge is declined changes nothing', async () => {
    const { tenant, plan } = await arrange({ price: 1000 })
    const better = await createPlan(tenant, { price: 3000 })
    const { member } = await subscriber(api, tenant, plan, 'renewalsDeclined')
    const quote = await member.client.subscriptions.quote({ planId: better.id })
    const change = keyed(api, tenant, member).subscriptions.changePlan({ planId: better.id, quoteId: quote.id! })
    expect(await failureOf(change)).toMatchObject({
      code: 'CARD_REFUSED',
      problem: { data: { failure: 'CARD_DECLINED' } },
    })
    expect(await regularOf(member)).toMatchObject({ plan: { id: plan.id }, status: 'PROCEEDING', price: plan.price })
    expect(await historyOf(member)).toEqual(['STARTED', 'CHARGED', 'CHARGE_FAILED'])
  })

  test('to a cheaper one takes effect at the renewal at the agreed price, and choosing the present plan undoes it', async () => {
    const { tenant, plan } = await arrange({ price: 3000 })
    const less = await createPlan(tenant, { name: 'Less', price: 1000 })
    const { member } = await subscriber(api, tenant, plan)
    const quote = await member.client.subscriptions.quote({ planId: less.id })
    const { periodEnd } = (await regularOf(member))!
    expect(quote).toMatchObject({ id: null, kind: 'DOWNGRADE', charge: { amount: 0 }, effectiveAt: periodEnd })
    const to = (planId: typeof plan.id) => keyed(api, tenant, member).subscriptions.changePlan({ planId })
    expect((await to(less.id)).regular).toMatchObject({
      plan: { id: plan.id },
      nextPlan: { id: less.id, relation: 'NEXT' },
      nextCharge: { amount: less.price },
    })
    expect((await to(plan.id)).regular).toMatchObject({ nextPlan: null, nextCharge: { amount: plan.price } })
    await to(less.id)
    await tenant.within((db) => db.update(plans).set({ priceAmount: 2000 }).where(eq(plans.id, less.id)))
    await passDays(api, tenant, 32)
    expect(await regularOf(await signInAgain(tenant, member))).toMatchObject({
      plan: { id: less.id },
      price: { amount: 1000 },
      nextPlan: null,
    })
    expect((await chargesOf(tenant, member)).map(({ amount }) => amount)).toEqual([3000, 1000])
    expect(await historyOf(await signInAgain(tenant, member))).toEqual([
      ...[
        'STARTED',
        'CHARGED',
        'DOWNGRADE_SET',
        'DOWNGRADE_UNDONE',
        'DOWNGRADE_SET',
        'DOWNGRADED',
        'RENEWED',
        'CHARGED',
      ],
    ])
  })

  test('from months to a year begins the year at once; from a year to months it takes effect at its end', async () => {
    const { tenant, plan } = await arrange({ price: 1000 })
    const yearly = await createPlan(tenant, { price: 10_000, cycle: 'YEAR' })
    const { member } = await subscriber(api, tenant, plan)
    const quote = await member.client.subscriptions.quote({ planId: yearly.id })
    expect(quote.kind).toBe('UPGRADE')
    expect(quote.charge.amount + quote.credit.amount).toBe(10_000)
    const days = (Date.parse(quote.nextCharge.at) - Date.parse(quote.effectiveAt)) / day
    expect([365, 366]).toContain(Math.round(days))
    const { regular } = await keyed(api, tenant, member).subscriptions.changePlan({
      planId: yearly.id,
      quoteId: quote.id!,
    })
    expect(regular).toMatchObject({ cycle: 'YEAR', periodEnd: quote.nextCharge.at })
    expect(await member.client.subscriptions.quote({ planId: plan.id })).toMatchObject({
      kind: 'DOWNGRADE',
      effectiveAt: quote.nextCharge.at,
    })
  })

  test('during a trial is free where the new plan has a trial, and costs its price where it has none', async () => {
    const { tenant, plan } = await arrange({ price: 1000, trialDays: 10 })
    const also = await createPlan(tenant, { price: 2000, trialDays: 5 })
    const never = await createPlan(tenant, { price: 3000 })
    const { member } = await subscriber(api, tenant, plan)
    const { trialEndsAt } = (await regularOf(member))!
    const go = async (planId: typeof plan.id) => {
      const quote = await member.client.subscriptions.quote({ planId })
      const { regular } = await keyed(api, tenant, member).subscriptions.changePlan({ planId, quoteId: quote.id! })
      return { quote, regular }
    }
    const first = await go(also.id)
    expect(first.quote.charge.amount).toBe(0)
    expect(first.regular).toMatchObject({ plan: { id: also.id }, trialEndsAt, nextCharge: { at: trialEndsAt } })
    const second = await go(never.id)
    expect(second.quote).toMatchObject({ charge: { amount: 3000 }, credit: { amount: 0 } })
    expect(Date.parse(second.regular?.trialEndsAt ?? '')).toBeLessThanOrEqual(api.clock.now().getTime())
  })

  test('to a plan without products is refused', async () => {
    const { tenant, plan } = await arrange()
    const empty = await createPlan(tenant, { price: 3000, productIds: [] })
    const { member } = await subscriber(api, tenant, plan)
    expect(await failureOf(member.client.subscriptions.quote({ planId: empty.id }))).toMatchObject({
      code: 'PLAN_NOT_ON_SALE',
    })
  })

  test('is refused while overdue or cancelled', async () => {
    const { tenant, plan } = await arrange()
    const better = await createPlan(tenant, { price: 3000 })
    const { member } = await subscriber(api, tenant, plan)
    await member.client.subscriptions.cancelSubscription({})
    expect(await failureOf(member.client.subscriptions.quote({ planId: better.id }))).toMatchObject({ status: 409 })
    expect(await failureOf(member.client.subscriptions.quote({ planId: plan.id }))).toMatchObject({ status: 422 })
    const none = await tenant.createMember()
    expect(await failureOf(none.client.subscriptions.quote({ planId: plan.id }))).toMatchObject({ status: 404 })
  })
})
