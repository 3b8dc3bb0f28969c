import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sandboxDeposits, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { dayAt, startOfDay } from '#api/platform/clock.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { depositFor, myAccount } from '#tests/support/bank.ts'
import { beginToPay, keyed, terms } from '#tests/support/buying.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { createPlan } from '#tests/support/plans.ts'
import { checkProperty } from '#tests/support/property.ts'
import { deliverDue, reconcileNow } from '#tests/support/reconciling.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { day, subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { createTenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

type Step =
  | { kind: 'BUY'; titles: number; method: 'CARD' | 'BANK' }
  | { kind: 'REFUND'; order: number; what: 'ALL' | 'TITLE' }
  | { kind: 'REFUND_PART'; order: number; title: number; share: number }
  | { kind: 'REQUEST'; order: number; accept: boolean }
  | { kind: 'RECORD'; price: number; daysAgo: number }
  | { kind: 'GIVE' | 'SUBSCRIBE' | 'END_SUBSCRIPTION' | 'CANCEL_SUBSCRIPTION' }
  | { kind: 'WAIT'; days: number }

const order = fc.nat({ max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('BUY' as const),
      titles: fc.integer({ min: 1, max: 3 }),
      method: fc.constantFrom('CARD' as const, 'BANK' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('REFUND' as const),
      order,
      what: fc.constantFrom('ALL' as const, 'TITLE' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('REFUND_PART' as const),
      order,
      title: fc.nat({ max: 2 }),
      share: fc.double({ min: 0, max: 1.2, noNaN: true }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('RECORD' as const),
      price: fc.integer({ min: 1, max: 50_000 }),
      daysAgo: fc.constantFrom(0, 0, 1, 40),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('REQUEST' as const), order, accept: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('GIVE', 'SUBSCRIBE', 'SUBSCRIBE', 'END_SUBSCRIPTION', 'CANCEL_SUBSCRIPTION'),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('WAIT' as const), days: fc.constantFrom(0.1, 1, 9, 31) }) },
)

/** A store in a currency, with the steps of its buyer and its staff. */
const openStore = async (currency: 'USD' | 'KRW') => {
  const settings = plainSettings()
  settings.base.currency = currency
  settings.order.methods = ['CARD', 'BANK']
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  const { token } = await tenant.createOperator()
  const staffWith = (headers: Record<string, string> = {}) =>
    api.client(tenant.code, { token, idempotencyKey: crypto.randomUUID(), headers }).admin
  const plan = await createPlan(tenant, { price: 3_100 })

  const openBuyer = async () => {
    const member = await tenant.createMember()
    await tenant.within((db) =>
      db.update(sessions).set({ expiresAt: '2999-01-01T00:00:00.000Z' }).where(eq(sessions.memberId, member.id)),
    )
    const card = await addCard(api, tenant, member)
    return { member, cardId: card.id, orders: [] as OrderCode[] }
  }
  type Buyer = Awaited<ReturnType<typeof openBuyer>>

  const buy = async ({ member, orders }: Buyer, titles: number, method: 'CARD' | 'BANK') => {
    const prices = Array.from({ length: titles }, (_, at) => ({ price: [999, 1_234, 50_001][at] ?? 1 }))
    for (const { id, optionId } of await tenant.createProducts(prices))
      await member.client.orders.addToCart({ productId: id, optionId: optionId! })
    const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
    orders.push(draft.code as OrderCode)
    if (method === 'BANK') {
      const { bank } = await depositFor(api, tenant, member, draft)
      const { amount } = draft.total
      const text = currency === 'KRW' ? String(amount) : (amount / 100).toFixed(2)
      const answer = await bank.send({ action: 'deposit', amount: text, when: 'now', fault: 'NONE' })
      expect(answer.status).toBe(303)
      await deliverDue(api, tenant)
      return
    }
    const { page, paymentId } = await beginToPay(api, tenant, member, draft)
    await page.pay('4242 4242 4242 4242')
    await member.client.billing.confirmPayment({ id: paymentId })
  }

  /** Sales outside of the store and their refunds, as a till has them. */
  const till = { received: [] as { at: number; amount: number; currency: string }[], refunded: 0 }

  const sellOutside = async ({ member, orders }: Buyer, { price, daysAgo }: { price: number; daysAgo: number }) => {
    const products = await tenant.createProducts([{ price: 30_000 }, { price: 20_001 }])
    const at = new Date(api.clock.now().getTime() - daysAgo * day)
    const sold = await staffWith().orders.createPaid({
      memberId: member.id,
      productCodes: products.map(({ code }) => code),
      amount: price,
      method: 'CASH',
      reference: crypto.randomUUID(),
      day: dayAt(at, settings.base.timeZone),
      reason: 'A test',
    })
    orders.push(sold.code)
    till.received.push({ at: at.getTime(), amount: price, currency })
  }

  /** Staff transfer what no provider refunds. */
  const transferRefund = async (code: OrderCode) => {
    const { refunds } = await staffWith().deposits.toReturn({ size: 200 })
    for (const { amount } of refunds.filter((one) => one.code === code)) {
      const today = dayAt(api.clock.now(), settings.base.timeZone)
      await staffWith().deposits.recordRefund({ code, reference: crypto.randomUUID(), day: today })
      till.refunded += amount.amount
    }
  }

  const giveAccount = (member: TestMember, code: OrderCode) =>
    keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })

  /** Refunds by staff, and gives the account that a bank needs. */
  const refund = async (
    { member, orders }: Buyer,
    at: number,
    part?: { title: number; share: number },
    one = false,
  ) => {
    const code = orders[at]
    if (!code) return
    const { version, items } = await staffWith().orders.get({ code })
    const open = items.filter(({ refundedAt }) => refundedAt === null)
    const item = open[part ? part.title : 0]
    if (!item) return
    const left = item.price.amount - item.refundedPart.amount
    const input = {
      code,
      reason: 'A test',
      overridesRule: true,
      ...((part || one) && { itemIds: [item.id as OrderItemId] }),
      ...(part && { amount: Math.round(left * part.share) }),
    }
    const { step } = await staffWith({ 'if-match': `"${version}"` }).orders.refund(input)
    if (step === 'ACCOUNT') await giveAccount(member, code)
    await transferRefund(code)
  }

  const request = async ({ member, orders }: Buyer, at: number, accept: boolean) => {
    const code = orders[at]
    if (!code) return
    const { method } = await member.client.orders.order({ code })
    const { refund } = await keyed(api, tenant, member).billing.requestCancel({
      code,
      reason: 'Changed my mind',
      ...(method === 'BANK' && { refundAccount: myAccount }),
    })
    if (refund?.step !== 'PENDING') return
    if (accept)
      await staffWith()
        .orders.acceptCancel({ code })
        .then(() => transferRefund(code))
    else await staffWith().orders.rejectCancel({ code, reason: 'No.' })
  }

  const changeSubscription = async ({ member: { id } }: Buyer, how: 'endSubscription' | 'cancelSubscription') => {
    const { current } = await staffWith().members.subscription({ id })
    if (current) await staffWith({ 'if-match': `"${current.version}"` }).members[how]({ id, reason: 'A test' })
  }

  const give = async ({ member, orders }: Buyer) => {
    const { code } = await tenant.createProduct({ price: 500 })
    const given = await staffWith().orders.createComplimentary({
      memberId: member.id,
      productCodes: [code],
      reason: 'x',
    })
    orders.push(given.code)
  }

  const doStep = async (buyer: Buyer, step: Step): Promise<unknown> => {
    switch (step.kind) {
      case 'BUY':
        return buy(buyer, step.titles, step.method)
      case 'REFUND':
        return refund(buyer, step.order, undefined, step.what === 'TITLE')
      case 'REFUND_PART':
        return refund(buyer, step.order, step)
      case 'REQUEST':
        return request(buyer, step.order, step.accept)
      case 'RECORD':
        return sellOutside(buyer, step)
      case 'GIVE':
        return give(buyer)
      case 'SUBSCRIBE':
        return subscribeWith(api, tenant, buyer.member, plan, buyer.cardId)
      case 'END_SUBSCRIPTION':
        return changeSubscription(buyer, 'endSubscription')
      case 'CANCEL_SUBSCRIPTION':
        return changeSubscription(buyer, 'cancelSubscription')
      case 'WAIT':
        api.clock.advance(step.days * day)
        return sweep(api, tenant)
      default:
        return step satisfies never
    }
  }

  return { tenant, token, currency, till, staffWith, openBuyer, doStep }
}

type Store = Awaited<ReturnType<typeof openStore>>

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** What the provider and the till received and refunded, with the time of each receipt. */
const readLedger = ({ tenant, till }: Store) =>
  tenant.within(async (db) => {
    const payments = await db.select().from(sandboxPayments).where(eq(sandboxPayments.customerId, tenant.id))
    const ids = payments.map(({ id }) => id)
    const deposits = ids.length
      ? await db.select().from(sandboxDeposits).where(inArray(sandboxDeposits.paymentId, ids))
      : []
    const currencyOf = new Map(payments.map(({ id, currency }) => [id, currency]))
    return {
      received: [
        ...till.received,
        ...payments.flatMap(({ method, chargedAt, amount, currency }) =>
          method === 'CARD' && chargedAt ? [{ at: Date.parse(chargedAt), amount, currency }] : [],
        ),
        ...deposits.map(({ at, amount, paymentId }) => ({
          at: Date.parse(at),
          amount,
          currency: currencyOf.get(paymentId),
        })),
      ],
      refunded: till.refunded + sum(payments.map(({ refundedAmount }) => refundedAmount)),
    }
  })

/** All orders of the list, page after page. */
const listOrders = async ({ staffWith }: Store) => {
  const items = []
  for (let cursor: string | undefined; ; ) {
    const page = await staffWith().orders.list({ size: 3, ...(cursor && { cursor }) })
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

const isPaid = ({ status }: { status: string }) =>
  ['PAYMENT_COMPLETE', 'CANCEL_REQUEST', 'CANCEL_COMPLETE'].includes(status)

/** Today's revenue is what the provider received today. */
const checkToday = async (store: Store) => {
  const { timeZone } = store.tenant.settings.base
  const now = api.clock.now()
  const since = startOfDay(dayAt(now, timeZone), timeZone).getTime()
  const { received } = await readLedger(store)
  const today = received.filter(({ at }) => at >= since)
  expect(today.every(({ currency }) => currency === store.currency)).toBe(true)
  const { today: figures } = await store.staffWith().home()
  expect(figures?.revenue).toEqual({ amount: sum(today.map(({ amount }) => amount)), currency: store.currency })
}

/** Lists, pages of orders and subscriptions agree with the provider’s ledger. */
const checkTotals = async (store: Store, members: readonly TestMember[]) => {
  const { received, refunded } = await readLedger(store)
  const orders = (await listOrders(store)).filter(isPaid)
  const shown = await Promise.all(members.map(({ id }) => store.staffWith().members.subscription({ id })))
  const charges = shown.flatMap((one) => one.charges).filter(({ status }) => status === 'PAID')
  const rows = [
    ...orders.map(({ total, refunded: back }) => [total, back] as const),
    ...charges.map(({ amount, refunded: back }) => [amount, back] as const),
  ]
  expect(rows.flat().every(({ currency }) => currency === store.currency)).toBe(true)
  expect(sum(rows.map(([{ amount }]) => amount))).toBe(sum(received.map(({ amount }) => amount)))
  expect(sum(rows.map(([, { amount }]) => amount))).toBe(refunded)
  for (const { code, total, refunded: back, recordedAs } of orders) {
    if (recordedAs) continue
    const money = await moneyOf(store.tenant, code)
    expect([money.received, money.refunded, money.timeline]).toEqual([
      total.amount,
      back.amount,
      total.amount - back.amount,
    ])
    const { items } = await store.staffWith().orders.get({ code })
    const ofItems = sum(items.map(({ price, refundedPart, refundedAt }) => (refundedAt ? price : refundedPart).amount))
    expect(ofItems).toBe(back.amount)
  }
}

/** The figures in the currency of the store. */
const own = <Of extends { currency: string }>({ currency }: Store, currencies: readonly Of[]): Of => {
  expect(currencies.map((one) => one.currency)).toEqual([currency])
  return currencies[0]!
}

const analyticsOf = ({ tenant, token }: Store) => api.client(tenant.code, { token }).analytics

/** The cells of a CSV file by its heading. */
const linesOf = async (file: File) => {
  const [heading = '', ...lines] = (await file.text()).replace('\ufeff', '').trimEnd().split('\r\n')
  return lines.map((line) =>
    Object.fromEntries(heading.split(',').map((name, at) => [name, line.split(',')[at] ?? ''])),
  )
}

/** Settlements, movements and titles have the money of the revenue and of the ledger. */
const checkSettlements = async (store: Store) => {
  const { currency, staffWith, tenant } = store
  const { received, refunded } = await readLedger(store)
  const days = { days: 1_830 } as const
  const analytics = analyticsOf(store)
  const ledger = { paid: sum(received.map(({ amount }) => amount)), refunded }
  const { total: revenue } = own(store, (await analytics.sales(days)).range.currencies)
  expect({ paid: revenue.revenue, refunded: revenue.refunded }).toEqual(ledger)

  const { total, methods, periods } = own(store, (await analytics.settlements(days)).currencies)
  expect(total).toEqual({ payments: expect.any(Number), refunds: revenue.refunds, ...ledger, net: revenue.net })
  for (const parts of [methods, periods])
    for (const name of ['payments', 'paid', 'refunds', 'refunded', 'net'] as const)
      expect(sum(parts.map((part) => part[name]))).toBe(total[name])

  const unit = currency === 'KRW' ? 1 : 100
  const minor = (text: string | undefined) => Math.round(Number(text) * unit)
  const moved = await linesOf(await staffWith().orders.exportMovements(days))
  expect(sum(moved.map(({ paid }) => minor(paid)))).toBe(ledger.paid)
  expect(sum(moved.map((line) => minor(line.refunded)))).toBe(ledger.refunded)
  expect(moved).toHaveLength(total.payments + total.refunds)
  const { timeZone } = tenant.settings.base
  const byDay = Map.groupBy(received, ({ at }) => dayAt(new Date(at), timeZone))
  for (const [day, all] of byDay) {
    const paid = sum(all.map(({ amount }) => amount))
    expect(sum(periods.flatMap((part) => (part.from === day ? part.paid : [])))).toBe(paid)
    expect(sum(moved.flatMap((line) => (line.day === day ? minor(line.paid) : [])))).toBe(paid)
  }

  const titles = []
  for (let page = 1; ; page++) {
    const { items, total: all } = await analytics.titles({ ...days, sort: 'net', page, size: 50 })
    titles.push(...items)
    if (titles.length >= all) break
  }
  expect(sum(titles.map(({ paid }) => paid))).toBe(ledger.paid)
  expect(sum(titles.map((title) => title.refunded))).toBe(ledger.refunded)
  expect(sum(titles.map(({ net }) => net))).toBe(revenue.net)
  expect(titles.every((title) => title.refunded <= title.paid)).toBe(true)
}

test('after random sales, refunds and subscriptions all figures agree with the ledger, in each store and currency', async () => {
  const stores = [await openStore('USD'), await openStore('KRW')]
  const members = new Map<Store, TestMember[]>(stores.map((store) => [store, []]))
  await checkProperty(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(0, 1), step), { minLength: 4, maxLength: 16 }),
      async (steps) => {
        const buyers = await Promise.all(stores.map((store) => store.openBuyer()))
        for (const [at, store] of stores.entries()) members.get(store)!.push(buyers[at]!.member)
        for (const [at, one] of steps) {
          const store = stores[at]!
          await store.doStep(buyers[at]!, one).catch((error: { status?: number }) => {
            // A refused step changes nothing.
            if ((error.status ?? 500) >= 500) throw error
          })
          await checkToday(store)
        }
        for (const store of stores) {
          await reconcileNow(api, store.tenant)
          await sweep(api, store.tenant)
          await checkToday(store)
          await checkTotals(store, members.get(store)!)
          await checkSettlements(store)
        }
      },
    ),
    { wanted: 16, min: 8, milliseconds: 30_000 },
  )
}, 240_000)
