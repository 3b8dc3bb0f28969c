import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cases, payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { orderItems } from '#api/modules/orders/orders.schema.ts'
import { dayAt } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CaseId, OrderCode } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, depositFor, myAccount } from '#tests/support/bank.ts'
import { beginToBuy, keyed, terms } from '#tests/support/buying.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { deliverDue, reconcileNow } from '#tests/support/reconciling.ts'
import type { Tenant, TestMember, TestProduct, TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const today = () => dayAt(api.clock.now(), 'UTC')

const arrange = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const staff = await tenant.createStaff('FINANCE')
  return { tenant, member, product, staff }
}

const waitingOrder = async (tenant: Tenant, member: TestMember, product: TestProduct) => {
  const deposit = await beginToDeposit(api, tenant, member, product)
  return { ...deposit, code: deposit.order.code as OrderCode }
}

/** A client that sends a version and a new idempotency key. */
const writing = (tenant: Tenant, { token }: TestStaff, version = '', idempotencyKey = randomUUID()) =>
  api.client(tenant.code, { token, idempotencyKey, headers: version ? { 'if-match': `"${version}"` } : {} }).admin

const versionOf = async ({ client }: TestStaff, code: OrderCode) => (await client.admin.orders.get({ code })).version

const owns = async (member: TestMember, product: TestProduct) =>
  (await member.client.catalog.product({ id: product.id })).viewer?.entitled

test('expected deposits are listed by their deadline and found by name, address and code', async () => {
  const { tenant, member, product, staff } = await arrange()
  const first = await waitingOrder(tenant, member, product)
  api.clock.advance(3_600_000)
  const other = await tenant.createMember('sora@films.example.com')
  const second = await waitingOrder(tenant, other, product)
  const { deposits } = staff.client.admin
  const all = await deposits.expected({})
  expect(all.items.map(({ code }) => code)).toEqual([first.code, second.code])
  expect(all.items[0]).toMatchObject({
    total: { amount: 2900, currency: 'USD' },
    member: { email: member.email },
    account: { number: first.account.number },
    dueAt: first.account.dueAt,
  })
  expect((await deposits.expected({ q: 'FILMS' })).items).toMatchObject([{ code: second.code }])
  expect((await deposits.expected({ q: first.code.slice(-6) })).items).toMatchObject([{ code: first.code }])
  const page = await deposits.expected({ size: 1 })
  expect((await deposits.expected({ size: 1, cursor: page.nextCursor! })).items).toMatchObject([{ code: second.code }])
})

test('an order is marked as paid with proof: the member owns the product, and the history has the transfer', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code, bank } = await waitingOrder(tenant, member, product)
  const deposit = { code, amount: 2900, reference: 'MINA PARK 8821', day: today() }
  expect(await failureOf(writing(tenant, staff).deposits.receive(deposit))).toMatchObject({ code: 'VERSION_MISSING' })
  const key = randomUUID()
  const seen = writing(tenant, staff, await versionOf(staff, code), key)
  const answer = { total: { amount: 2900, currency: 'USD' }, surplus: { amount: 0, currency: 'USD' } }
  expect(await seen.deposits.receive(deposit)).toEqual(answer)
  expect(await seen.deposits.receive(deposit), 'the same key').toEqual(answer)
  expect(await owns(member, product)).toBe(true)
  const order = await staff.client.admin.orders.get({ code })
  expect(order).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    payments: [
      { provider: 'sandbox', status: 'CANCELLED', failure: 'SUPERSEDED' },
      { provider: 'manual', status: 'PAID', amount: { amount: 2900 } },
    ],
    history: [
      {
        actor: `staff:${staff.email}`,
        action: 'deposit.received',
        changes: { status: { from: 'DEPOSIT_WAITING', to: 'PAYMENT_COMPLETE' } },
        detail: { amount: 2900, currency: 'USD', day: today() },
      },
    ],
  })
  expect(order.timeline.at(-1)).toMatchObject({ type: 'PAID', amount: { amount: 2900 }, detail: 'MINA PARK 8821' })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('receipt')
  // The provider's account is closed. What arrives there nevertheless is to be returned.
  expect(await tenant.within((db) => db.select().from(sandboxPayments))).toMatchObject([{ status: 'CANCELLED' }])
  await bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  await reconcileNow(api, tenant)
  expect((await staff.client.admin.deposits.toReturn({})).unapplied).toMatchObject([
    { code, amount: { amount: 2900 }, reason: 'LATE', waitsFor: 'MEMBER', account: null },
  ])
  expect((await staff.client.admin.orders.get({ code })).status).toBe('PAYMENT_COMPLETE')
})

test('two people who mark one order as paid at once pay it once', async () => {
  const { tenant, member, product, staff } = await arrange()
  const other = await tenant.createStaff('OWNER')
  const { code, bank } = await waitingOrder(tenant, member, product)
  const version = await versionOf(staff, code)
  const both = await Promise.allSettled([
    writing(tenant, staff, version).deposits.receive({ code, amount: 2900, reference: 'A', day: today() }),
    writing(tenant, other, version).deposits.receive({ code, amount: 2900, reference: 'B', day: today() }),
    bank.deposit(2900).then(() => deliverDue(api, tenant)),
  ])
  const refused = await Promise.all(both.slice(0, 2).flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  for (const one of refused) expect(['ORDER_NOT_PAYABLE', 'VERSION_CONFLICT']).toContain(one.problem.code)
  expect(refused.length).toBeGreaterThanOrEqual(1)
  const paid = await tenant.within((db) => db.select().from(payments).where(eq(payments.status, 'PAID')))
  expect(paid).toHaveLength(1)
  const { timeline } = await staff.client.admin.orders.get({ code })
  expect(timeline.filter(({ type }) => type === 'PAID')).toHaveLength(1)
  // The deposit at the provider either paid the order or is to be returned.
  await reconcileNow(api, tenant)
  const { unapplied } = await staff.client.admin.deposits.toReturn({})
  expect(unapplied).toHaveLength(paid[0]?.provider === 'manual' ? 1 : 0)
})

test('another amount needs a reason; a smaller one becomes the price, so that a refund returns what was received', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code } = await waitingOrder(tenant, member, product)
  const version = await versionOf(staff, code)
  const deposit = { code, amount: 2800, reference: 'short', day: today() }
  const send = (more: object) => writing(tenant, staff, version).deposits.receive({ ...deposit, ...more })
  expect((await failureOf(send({}))).problem.errors).toHaveProperty('reason')
  expect((await failureOf(send({ day: '2999-01-01', reason: 'Fees' }))).problem.errors).toHaveProperty('day')
  expect(await send({ reason: 'Fees of the bank' })).toMatchObject({ total: { amount: 2800 } })
  const order = await staff.client.admin.orders.get({ code })
  expect(order).toMatchObject({
    total: { amount: 2800 },
    items: [{ price: { amount: 2800 } }],
    history: [{ changes: { total: { from: 2900, to: 2800 } }, detail: { reason: 'Fees of the bank' } }],
  })

  // Nobody but staff can refund it: no provider knows the money.
  const refunded = await writing(tenant, staff, order.version).orders.refund({ code, reason: 'Broken sound' })
  expect(refunded).toMatchObject({ step: 'ACCOUNT', amount: { amount: 2800 } })
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  await reconcileNow(api, tenant)
  expect(await staff.client.admin.deposits.toReturn({})).toMatchObject({
    refunds: [{ code, amount: { amount: 2800 }, account: myAccount }],
  })
  const transfer = { code, reference: 'out 1', day: today() }
  const twice = await Promise.allSettled([
    writing(tenant, staff).deposits.recordRefund(transfer),
    writing(tenant, staff).deposits.recordRefund(transfer),
  ])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await staff.client.admin.orders.get({ code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refunded: { amount: 2800 },
    history: [{ action: 'refund.transferred', changes: { refunded: { from: 0, to: 2800 } } }, {}, {}],
  })
  expect(await owns(member, product)).toBe(false)
  expect((await staff.client.admin.deposits.toReturn({})).refunds).toEqual([])
})

test('a transfer pays one order, and what exceeds the price is returned and recorded once', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code } = await waitingOrder(tenant, member, product)
  const deposit = { code, amount: 3000, reference: 'one transfer', day: today(), reason: 'Too much' }
  const first = writing(tenant, staff, await versionOf(staff, code))
  expect(await first.deposits.receive(deposit)).toMatchObject({ total: { amount: 2900 }, surplus: { amount: 100 } })
  const other = await waitingOrder(tenant, await tenant.createMember(), product)
  const again = writing(tenant, staff, await versionOf(staff, other.code))
  const refused = await failureOf(again.deposits.receive({ ...deposit, code: other.code, amount: 2900 }))
  // Two people of one name may pay on one day.
  expect(refused.problem.errors).toEqual({
    reference: [`Recorded before, for order ${code}. If this is another payment, add its time to the reference.`],
  })

  const [unapplied] = (await staff.client.admin.deposits.toReturn({})).unapplied
  expect(unapplied).toMatchObject({ code, amount: { amount: 100 }, reason: 'SURPLUS', waitsFor: 'MEMBER' })
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect((await staff.client.admin.deposits.toReturn({})).unapplied).toMatchObject([
    { waitsFor: 'STAFF', account: myAccount },
  ])
  const back = { id: unapplied!.id, reference: 'out 2', day: today() }
  await writing(tenant, staff).deposits.recordReturn(back)
  expect(await failureOf(writing(tenant, staff).deposits.recordReturn(back))).toMatchObject({ code: 'CONFLICT' })
  const order = await staff.client.admin.orders.get({ code })
  expect(order.timeline.at(-1)).toMatchObject({
    type: 'UNAPPLIED_PAYMENT_REFUNDED',
    amount: { amount: 100 },
    detail: 'out 2',
  })
  expect(order.history[0]).toMatchObject({ action: 'deposit.returned', detail: { amount: 100, day: today() } })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('unapplied-returned')
})

test('an unapplied payment is used for an order that waits, once, and not while its provider returns it', async () => {
  const { tenant, member, product } = await arrange()
  const late = await waitingOrder(tenant, member, product)
  api.clock.advance(8 * 24 * 3_600_000)
  await reconcileNow(api, tenant)
  await late.bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  await reconcileNow(api, tenant)
  const buyer = await tenant.createMember()
  const [order, second] = [
    await waitingOrder(tenant, buyer, product),
    await waitingOrder(tenant, await tenant.createMember(), product),
  ]
  const fresh = await tenant.createStaff('FINANCE')
  const { client } = fresh
  const [unapplied] = (await client.admin.deposits.toReturn({})).unapplied
  const match = async (code: OrderCode) =>
    writing(tenant, fresh, await versionOf(fresh, code)).deposits.match({ id: unapplied!.id, code })
  const both = await Promise.allSettled([match(order.code), match(second.code)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const source = await fresh.client.admin.orders.get({ code: late.code })
  expect(source.status).toBe('PAYMENT_FAIL')
  expect(source.timeline.at(-1)).toMatchObject({ type: 'UNAPPLIED_PAYMENT_APPLIED', amount: { amount: 2900 } })
  expect(source.history).toMatchObject([{ action: 'deposit.matched' }])
  expect((await client.admin.deposits.toReturn({})).unapplied).toEqual([])
  const unknown = randomUUID() as CaseId
  expect(
    await failureOf(writing(tenant, fresh).deposits.recordReturn({ id: unknown, reference: 'x', day: today() })),
  ).toMatchObject({ code: 'NOT_FOUND' })

  // A member has given an account: the provider may be paying out at this moment.
  const { bank, code } = await waitingOrder(tenant, await tenant.createMember(), product)
  await bank.deposit(100)
  await deliverDue(api, tenant)
  const refund = api.deps.sandbox.provider.refund
  api.deps.sandbox.provider.refund = () => Promise.reject(new Error('The line broke.'))
  try {
    const [one] = (await client.admin.deposits.toReturn({})).unapplied
    const owner = (await fresh.client.admin.orders.get({ code })).member!
    const login = await tenant.guest.identity.login({ email: owner.email, password: 'correct horse battery' })
    await api
      .client(tenant.code, { token: login.token, idempotencyKey: randomUUID() })
      .billing.setRefundAccount({ code, refundAccount: myAccount })
    expect((await client.admin.deposits.toReturn({})).unapplied).toMatchObject([
      { waitsFor: 'PROVIDER', account: null },
    ])
    const back = { id: one!.id, reference: 'out', day: today() }
    expect(await failureOf(writing(tenant, fresh).deposits.recordReturn(back))).toMatchObject({ code: 'CONFLICT' })
  } finally {
    api.deps.sandbox.provider.refund = refund
  }
})

test('an order that does not wait for a deposit cannot be marked as paid', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { order } = await beginToBuy(api, tenant, member, product)
  const code = order.code as OrderCode
  const version = await versionOf(staff, code)
  const deposit = { code, amount: 2900, reference: 'none', day: today() }
  expect(await failureOf(writing(tenant, staff, version).deposits.receive(deposit))).toMatchObject({
    code: 'ORDER_NOT_PAYABLE',
  })
})

test('home counts a refund request, a refund to transfer and an unapplied payment once each, and no case', async () => {
  const { tenant, member, product, staff } = await arrange()
  const nothing = { refundRequests: 0, refundsToTransfer: 0, unappliedPayments: 0, cases: 0 }
  const owner = await tenant.createStaff('OWNER')
  const waits = (counts: Partial<typeof nothing>) =>
    expect(owner.client.admin.home()).resolves.toMatchObject({ waiting: { ...nothing, ...counts } })
  const { code } = await waitingOrder(tenant, member, product)
  const deposit = { code, amount: 3000, reference: 'one transfer', day: today(), reason: 'Too much' }
  await writing(tenant, staff, await versionOf(staff, code)).deposits.receive(deposit)
  await waits({ unappliedPayments: 1 })
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  await waits({ unappliedPayments: 1 })
  const [unapplied] = (await staff.client.admin.deposits.toReturn({})).unapplied
  await writing(tenant, staff).deposits.recordReturn({ id: unapplied!.id, reference: 'out 1', day: today() })
  await waits({})

  await tenant.within((db) => db.update(orderItems).set({ openedAt: api.clock.now().toISOString() }))
  await keyed(api, tenant, member).billing.requestCancel({ code, reason: 'Broken sound', refundAccount: myAccount })
  await waits({ refundRequests: 1 })
  await writing(tenant, staff, await versionOf(staff, code)).orders.acceptCancel({ code })
  await reconcileNow(api, tenant)
  await waits({ refundsToTransfer: 1 })
  await writing(tenant, staff).deposits.recordRefund({ code, reference: 'out 2', day: today() })
  await waits({})

  const open = { customerId: tenant.id, id: newId<CaseId>(), type: 'CUSTOM' as const, subject: 'Call' }
  await tenant.within((db) => db.insert(cases).values({ ...open, createdAt: api.clock.now().toISOString() }))
  await waits({ cases: 1 })
})

test('received deposits are listed with what proves them, filtered, and exported', async () => {
  const { tenant, member, product, staff } = await arrange()
  const byProvider = await waitingOrder(tenant, member, product)
  await byProvider.bank.deposit(2900)
  await deliverDue(api, tenant)
  api.clock.advance(86_400_000)
  const other = await tenant.createMember('sora@films.example.com')
  const byStaff = await waitingOrder(tenant, other, await tenant.createProduct({ price: 1200 }))
  const transfer = { code: byStaff.code, amount: 1200, reference: 'SORA 77', day: today() }
  await writing(tenant, staff, await versionOf(staff, byStaff.code)).deposits.receive(transfer)
  const { deposits } = staff.client.admin
  const all = await deposits.received({})
  expect(all.items).toMatchObject([
    { code: byStaff.code, amount: { amount: 1200 }, source: 'STAFF', reference: 'SORA 77' },
    { code: byProvider.code, amount: { amount: 2900 }, source: 'PROVIDER', member: { email: member.email } },
  ])
  // A second transfer is no money of the order: what is returned of it is no refund of the order.
  await byProvider.bank.deposit(100)
  await deliverDue(api, tenant)
  await keyed(api, tenant, member).billing.setRefundAccount({ code: byProvider.code, refundAccount: myAccount })
  expect((await deposits.toReturn({})).unapplied).toEqual([])
  expect((await deposits.received({})).items[1]).toMatchObject({ amount: { amount: 2900 }, refunded: { amount: 0 } })
  const codesOf = async (filter: Parameters<typeof deposits.received>[0]) =>
    (await deposits.received(filter)).items.map(({ code }) => code)
  expect(await codesOf({ q: 'FILMS' })).toEqual([byStaff.code])
  expect(await codesOf({ q: 'sora 77' })).toEqual([byStaff.code])
  expect(await codesOf({ min: 2000 })).toEqual([byProvider.code])
  expect(await codesOf({ max: 1200 })).toEqual([byStaff.code])
  expect(await codesOf({ from: dayAt(api.clock.now(), tenant.settings.base.timeZone) })).toEqual([byStaff.code])
  const { nextCursor } = await deposits.received({ size: 1 })
  expect(await codesOf({ size: 1, cursor: nextCursor! })).toEqual([byProvider.code])
  const lines = async (list: 'EXPECTED' | 'RECEIVED') => (await (await deposits.export({ list })).text()).split('\r\n')
  const [heading, line] = await lines('RECEIVED')
  expect(heading).toContain('received (Asia/Seoul),order,depositor,email,amount')
  expect(line).toContain(`${byStaff.code},`)
  expect(line).toMatch(/,12\.00,0\.00,USD,STAFF,manual,SORA 77$/)
  const waiting = await waitingOrder(tenant, other, product)
  expect((await lines('EXPECTED'))[1]).toContain(waiting.code)
})

test('money to return is listed page by page', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code, bank } = await waitingOrder(tenant, member, product)
  for (const amount of [100, 200, 300]) {
    await bank.deposit(amount)
    await deliverDue(api, tenant)
    api.clock.advance(1_000)
  }
  const { deposits } = staff.client.admin
  const amounts: number[] = []
  for (let unappliedCursor: string | undefined; ; ) {
    const page = await deposits.toReturn({ size: 2, ...(unappliedCursor && { unappliedCursor }) })
    amounts.push(...page.unapplied.map(({ amount }) => amount.amount))
    expect(page.unapplied.every((one) => one.code === code)).toBe(true)
    if (page.nextUnapplied === null) break
    unappliedCursor = page.nextUnapplied
  }
  expect(amounts).toEqual([100, 200, 300])
  expect(await failureOf(deposits.toReturn({ refundsCursor: 'x'.repeat(30) }))).toMatchObject({ status: 422 })
})

const marked = async (
  { tenant, member, staff }: Awaited<ReturnType<typeof arrange>>,
  product: TestProduct,
  more: object = {},
) => {
  const waiting = await waitingOrder(tenant, member, product)
  const { code } = waiting
  const deposit = { code, amount: 2900, reference: 'MINA PARK 8821', day: today(), ...more }
  await writing(tenant, staff, await versionOf(staff, code)).deposits.receive(deposit)
  return { ...waiting, deposit }
}

const undo = async (tenant: Tenant, staff: TestStaff, code: OrderCode) =>
  writing(tenant, staff, await versionOf(staff, code)).deposits.undo({ code, reason: 'The wrong order' })

test('a payment marked by mistake is undone: the order waits as before, and the transfer pays another order', async () => {
  const arranged = await arrange()
  const { tenant, member, product, staff } = arranged
  const { code, account, deposit } = await marked(arranged, product)
  expect(await owns(member, product)).toBe(true)
  const unseen = writing(tenant, staff).deposits.undo({ code, reason: 'The wrong order' })
  expect(await failureOf(unseen)).toMatchObject({ code: 'VERSION_MISSING' })
  const seen = writing(tenant, staff, await versionOf(staff, code), randomUUID())
  const answer = { total: { amount: 2900, currency: 'USD' }, dueAt: account.dueAt }
  expect(await seen.deposits.undo({ code, reason: 'The wrong order' })).toEqual(answer)
  expect(await seen.deposits.undo({ code, reason: 'The wrong order' }), 'the same key').toEqual(answer)

  expect(await owns(member, product)).toBe(false)
  const order = await staff.client.admin.orders.get({ code })
  expect(order).toMatchObject({
    status: 'DEPOSIT_WAITING',
    paidAt: null,
    depositDeadline: account.dueAt,
    history: [
      {
        actor: `staff:${staff.email}`,
        action: 'deposit.undone',
        changes: { status: { from: 'PAYMENT_COMPLETE', to: 'DEPOSIT_WAITING' } },
        detail: { amount: 2900, reason: 'The wrong order' },
      },
      {},
    ],
  })
  expect(order.timeline.at(-1)).toMatchObject({ type: 'DEPOSIT_REVERSED', amount: { amount: 2900 }, detail: 'UNDONE' })
  expect((await staff.client.admin.home()).today).toMatchObject({ orders: 0, revenue: { amount: 0 } })
  expect((await staff.client.admin.deposits.received({})).items).toEqual([])
  expect((await staff.client.admin.deposits.expected({})).items).toMatchObject([{ code, account: null }])
  expect(await failureOf(member.client.billing.receipt({ code }))).toMatchObject({ code: 'NOT_FOUND' })
  const mail = (await mailsTo(tenant, member.email)).find(({ template }) => template === 'deposit-reversed')
  expect(mail?.text).toContain('by mistake')
  // The account that was issued first is closed.
  expect((await member.client.orders.order({ code })).payment).toMatchObject({ method: 'BANK', account: null })

  const other = await tenant.createMember()
  const right = await waitingOrder(tenant, other, product)
  await writing(tenant, staff, await versionOf(staff, right.code)).deposits.receive({ ...deposit, code: right.code })
  expect(await owns(other, product)).toBe(true)
  expect(await failureOf(undo(tenant, staff, code))).toMatchObject({ code: 'VALIDATION_FAILED' })

  // The member gets another account and pays.
  const { bank } = await depositFor(api, tenant, member, await member.client.orders.order({ code }))
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await owns(member, product)).toBe(true)
  expect((await staff.client.admin.orders.get({ code })).status).toBe('PAYMENT_COMPLETE')
})

test('undoing a smaller amount restores the prices to the cent, and a rental begins anew once it is paid', async () => {
  const { tenant, member, staff } = await arrange()
  const [film, book] = await tenant.createProducts([{ price: 999 }, { price: 1 }])
  for (const { id, optionId } of [film!, book!])
    await member.client.orders.addToCart({ productId: id, optionId: optionId! })
  const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  const code = draft.code as OrderCode
  await depositFor(api, tenant, member, draft)
  const deposit = { code, amount: 3, reference: 'short', day: today(), reason: 'A mistake' }
  await writing(tenant, staff, await versionOf(staff, code)).deposits.receive(deposit)
  const prices = async () => {
    const { total, items } = await staff.client.admin.orders.get({ code })
    return [total.amount, ...items.map(({ price }) => price.amount)]
  }
  expect(await prices()).toEqual([3, 3, 0])
  expect(await undo(tenant, staff, code)).toMatchObject({ total: { amount: 1000 } })
  expect(await prices()).toEqual([1000, 999, 1])
  const rights = () =>
    tenant.within((db) => db.select().from(entitlements).where(eq(entitlements.customerId, tenant.id)))
  expect((await rights()).map(({ revokedAt, orderItemId }) => [revokedAt !== null, orderItemId])).toEqual([
    [true, null],
    [true, null],
  ])
  await writing(tenant, staff, await versionOf(staff, code)).deposits.receive({
    ...deposit,
    amount: 1000,
    reference: 'whole',
  })
  expect((await rights()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(2)
  expect((await staff.client.admin.home()).today?.revenue.amount).toBe(1000)
})

test('an unapplied payment that was used for the wrong order is unapplied again, and used for the right one', async () => {
  const { tenant, member, product, staff } = await arrange()
  const late = await waitingOrder(tenant, member, product)
  await late.bank.deposit(3000)
  await deliverDue(api, tenant)
  const { deposits } = staff.client.admin
  const [unapplied] = (await deposits.toReturn({})).unapplied
  const [wrong, right] = [await tenant.createMember(), await tenant.createMember()]
  const [first, second] = [await waitingOrder(tenant, wrong, product), await waitingOrder(tenant, right, product)]
  const match = async (code: OrderCode) =>
    writing(tenant, staff, await versionOf(staff, code)).deposits.match({
      id: unapplied!.id,
      code,
      reason: 'Sent too much',
    })
  await match(first.code)
  expect((await deposits.toReturn({})).unapplied).toMatchObject([{ code: first.code, reason: 'SURPLUS' }])
  await undo(tenant, staff, first.code)
  expect(await owns(wrong, product)).toBe(false)
  // The surplus of the wrong order is gone with it.
  expect((await deposits.toReturn({})).unapplied).toMatchObject([
    { id: unapplied!.id, code: late.code, amount: { amount: 3000 }, waitsFor: 'MEMBER' },
  ])
  const { timeline } = await staff.client.admin.orders.get({ code: late.code })
  expect(timeline.map(({ type }) => type).slice(-3)).toEqual([
    ...['UNAPPLIED_PAYMENT', 'UNAPPLIED_PAYMENT_APPLIED', 'UNAPPLIED_PAYMENT'],
  ])
  expect(await moneyOf(tenant, late.code)).toMatchObject({ received: 3000, timeline: 3000 })
  expect(await moneyOf(tenant, first.code)).toMatchObject({ received: 0, timeline: 0 })
  const [latest] = (await staff.client.admin.orders.get({ code: first.code })).history
  expect(latest).toMatchObject({ action: 'deposit.undone', detail: { amount: 3000, from: late.code } })
  expect(await match(second.code)).toMatchObject({ surplus: { amount: 100 } })
  expect(await owns(right, product)).toBe(true)
})

test('a payment is not undone after money was refunded or returned, nor one that staff did not record', async () => {
  const arranged = await arrange()
  const { tenant, member, staff } = arranged
  const [paid, surplus, refunded, sold] = await tenant.createProducts(
    [2900, 2900, 2900, 2900].map((price) => ({ price })),
  )
  const why = async (code: OrderCode) => (await failureOf(undo(tenant, staff, code))).problem.errors?.code?.[0]

  const reported = await waitingOrder(tenant, member, paid!)
  await reported.bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await why(reported.code)).toContain('Only a payment that staff marked or matched')

  const returned = await marked(arranged, surplus!, { amount: 3000, reference: 'too much', reason: 'Too much' })
  const [left] = (await staff.client.admin.deposits.toReturn({})).unapplied
  await writing(tenant, staff).deposits.recordReturn({ id: left!.id, reference: 'out', day: today() })
  expect(await why(returned.code)).toContain('beyond the price')

  const requested = await marked(arranged, refunded!, { reference: 'requested' })
  await writing(tenant, staff, await versionOf(staff, requested.code)).orders.refund({
    code: requested.code,
    reason: 'Asked',
  })
  expect(await why(requested.code)).toContain('A refund of this order is under way')
  await keyed(api, tenant, member).billing.setRefundAccount({ code: requested.code, refundAccount: myAccount })
  await writing(tenant, staff).deposits.recordRefund({ code: requested.code, reference: 'out 2', day: today() })
  expect(await why(requested.code)).toContain('was refunded')

  const { code } = await writing(tenant, staff).orders.createPaid({
    memberId: member.id,
    productCodes: [sold!.code],
    amount: 2900,
    method: 'CASH',
    reference: 'till 1',
    day: today(),
    reason: 'At the till',
  })
  expect(await why(code)).toContain('outside of the store')
})

test('the order of an undone payment gets a new term if less than a day of the former is left', async () => {
  const arranged = await arrange()
  const { tenant, product } = arranged
  const { code, account } = await marked(arranged, product)
  api.clock.advance(Date.parse(account.dueAt) - api.clock.now().getTime() - 3_600_000)
  const fresh = await tenant.createStaff('FINANCE')
  const term = tenant.settings.order.depositHours * 3_600_000
  const earliest = api.clock.now().getTime() + term
  const { dueAt } = await undo(tenant, fresh, code)
  expect(Date.parse(dueAt!)).toBeGreaterThanOrEqual(earliest)
  api.clock.advance(term + 60_000)
  await reconcileNow(api, tenant)
  const later = await tenant.createStaff('FINANCE')
  expect((await later.client.admin.orders.get({ code })).status).toBe('PAYMENT_FAIL')
})

test('staff cancel an order that waits for its deposit, and money that arrives afterwards is to be returned', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code, bank } = await waitingOrder(tenant, member, product)
  const version = await versionOf(staff, code)
  const support = await tenant.createStaff('SUPPORT')
  const cancel = (by = support, seen = version) => writing(tenant, by, seen).orders.cancel({ code, reason: 'By phone' })
  expect(await failureOf(cancel(support, 'old'))).toMatchObject({ code: 'VERSION_CONFLICT' })
  await cancel()
  expect(await staff.client.admin.orders.get({ code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refunded: { amount: 0 },
    payments: [{ status: 'CANCELLED', failure: 'CANCELLED_BY_STORE' }],
    history: [
      {
        actor: `staff:${support.email}`,
        action: 'order.cancelled',
        changes: { status: { from: 'DEPOSIT_WAITING', to: 'CANCEL_COMPLETE' } },
        detail: { reason: 'By phone' },
      },
    ],
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'deposit-expired', subject: `Your order was canceled (${code})` })
  expect(await failureOf(cancel(support, await versionOf(staff, code)))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
  expect(await tenant.within((db) => db.select().from(sandboxPayments))).toMatchObject([{ status: 'CANCELLED' }])
  // The account can be deleted now: nothing is awaited.
  expect(await member.client.identity.withdrawal()).toMatchObject({ blockedBy: [] })

  await bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  await reconcileNow(api, tenant)
  expect((await staff.client.admin.deposits.toReturn({})).unapplied).toMatchObject([{ code, reason: 'LATE' }])
})

test('an order whose deposit has just arrived is paid and not cancelled', async () => {
  const { tenant, member, product, staff } = await arrange()
  const { code, bank } = await waitingOrder(tenant, member, product)
  const version = await versionOf(staff, code)
  // Its webhook is on its way.
  await bank.deposit(2900)
  expect(await failureOf(writing(tenant, staff, version).orders.cancel({ code, reason: 'By phone' }))).toMatchObject({
    code: 'CANCEL_NOT_POSSIBLE',
  })
  expect((await staff.client.admin.orders.get({ code })).status).toBe('PAYMENT_COMPLETE')
})
