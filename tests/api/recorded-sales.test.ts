import { describe, expect, test } from 'vitest'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { dayAt } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { RecordedMethod } from '#contract/enumerations.ts'
import type { OptionId } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant } from '#tests/support/bank.ts'
import { beginToBuy, keyed, placeOrderOf } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type TestMember, type TestProduct, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const [film, course] = await tenant.createProducts([{ price: 3000 }, { price: 1000 }])
  return {
    tenant,
    member: await tenant.createMember(),
    staff: await tenant.createStaff(),
    film: film!,
    course: course!,
  }
}

const sale = (
  member: Pick<TestMember, 'id'>,
  products: readonly TestProduct[],
  amount: number,
  reference = 'till 7',
) => ({
  memberId: member.id,
  productCodes: products.map(({ code }) => code),
  amount,
  reference,
  day: dayAt(api.clock.now(), plainSettings().base.timeZone),
  reason: 'Sold at the festival',
})

const give = (
  { tenant, staff }: { tenant: Awaited<ReturnType<typeof createTenant>>; staff: TestStaff },
  member: Pick<TestMember, 'id'>,
  products: readonly TestProduct[],
) =>
  api
    .client(tenant.code, { token: staff.token, idempotencyKey: crypto.randomUUID() })
    .admin.orders.createComplimentary({
      memberId: member.id,
      productCodes: products.map(({ code }) => code),
      reason: 'A prize',
    })

/** Grants a title without an order. */
const grant = (
  { tenant, staff }: { tenant: Awaited<ReturnType<typeof createTenant>>; staff: TestStaff },
  member: Pick<TestMember, 'id'>,
  { code: productCode }: TestProduct,
) =>
  api
    .client(tenant.code, { token: staff.token, idempotencyKey: crypto.randomUUID() })
    .admin.members.grantTitle({ id: member.id, productCode, reason: 'A prize' })

const record = (
  { tenant, staff }: { tenant: Awaited<ReturnType<typeof createTenant>>; staff: TestStaff },
  input: ReturnType<typeof sale> & { optionIds?: OptionId[]; method?: RecordedMethod },
  key: string = crypto.randomUUID(),
) => api.client(tenant.code, { token: staff.token, idempotencyKey: key }).admin.orders.createPaid(input)

describe('a sale that was paid outside of the store', () => {
  test('counts on the day of its payment, with its way of payment, and is refundable from that day on', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const { timeZone } = tenant.settings.base
    const dayBefore = (days: number) => dayAt(new Date(api.clock.now().getTime() - days * 86_400_000), timeZone)
    const [today, earlier] = [dayBefore(0), dayBefore(tenant.settings.order.refundDays + 2)]
    const { code } = await record({ tenant, staff }, { ...sale(member, [film], 3000), day: earlier, method: 'CASH' })
    const late = await record({ tenant, staff }, { ...sale(member, [course], 1000, 'till 8'), day: today })
    const order = await staff.client.admin.orders.get({ code })
    expect(order).toMatchObject({ recordedAs: 'CASH', rule: { action: 'NONE', why: 'TOO_LATE' } })
    expect(dayAt(new Date(order.paidAt!), timeZone)).toBe(earlier)
    expect(await staff.client.admin.orders.get({ code: late.code })).toMatchObject({
      recordedAs: 'OTHER',
      rule: { action: 'REFUND' },
    })
    const { analytics } = staff.client
    const ofDay = await analytics.settlements({ from: earlier, to: earlier })
    expect(ofDay.currencies[0]!.periods).toMatchObject([
      { from: earlier, provider: 'manual', method: 'CASH', paid: 3000, refunded: 0 },
    ])
    expect((await staff.client.admin.home()).today).toMatchObject({ orders: 1, revenue: { amount: 1000 } })
    const file = await staff.client.admin.orders.exportMovements({ from: earlier, to: today })
    expect(await file.text()).toContain(`,23:59:59,${code},,PAYMENT,manual,CASH,,till 7,30.00,0.00,USD`)
    expect((await staff.client.admin.orders.list({ way: 'RECORDED' })).items).toMatchObject([
      { code: late.code, recordedAs: 'OTHER', reference: 'till 8' },
      { code, recordedAs: 'CASH' },
    ])
    // A recorded sale is no deposit.
    expect((await staff.client.admin.deposits.received({})).items).toEqual([])
  })

  test('is an order that the member finds, with a receipt, and counts as revenue', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const { code } = await record({ tenant, staff }, sale(member, [film, course], 4000))
    expect(await member.client.orders.order({ code })).toMatchObject({
      status: 'PAYMENT_COMPLETE',
      complimentary: false,
      total: { amount: 4000 },
      items: [{ price: { amount: 3000 } }, { price: { amount: 1000 } }],
    })
    expect((await member.client.engagement.purchased({})).total).toBe(2)
    const [mail] = await mailsTo(tenant, member.email)
    expect(mail?.text).toContain(code)
    expect(mail?.text).not.toContain('Sold at the festival')
    const order = await staff.client.admin.orders.get({ code })
    expect(order.history[0]).toMatchObject({
      action: 'order.recorded',
      detail: { amount: 4000, reason: 'Sold at the festival' },
    })
    expect((await staff.client.admin.home()).today).toMatchObject({ orders: 1, revenue: { amount: 4000 } })
  })
  test('for less than the price costs what was received, and is refunded by staff', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const { code } = await record({ tenant, staff }, sale(member, [film, course], 2000))
    expect(await member.client.orders.order({ code })).toMatchObject({
      total: { amount: 2000 },
      items: [{ price: { amount: 1500 } }, { price: { amount: 500 } }],
    })
    const { version } = await staff.client.admin.orders.get({ code })
    const refund = await api
      .client(tenant.code, {
        token: staff.token,
        idempotencyKey: crypto.randomUUID(),
        headers: { 'if-match': `"${version}"` },
      })
      .admin.orders.refund({ code, reason: 'Broken sound' })
    expect(refund).toMatchObject({ step: 'ACCOUNT', amount: { amount: 2000 } })
    await keyed(api, tenant, member).billing.setRefundAccount({
      code,
      refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
    })
    const { refunds } = await staff.client.admin.deposits.toReturn({})
    expect(refunds).toMatchObject([{ code, amount: { amount: 2000 } }])
  })

  test('is recorded once, however often it is sent', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const input = sale(member, [film], 3000)
    const key = crypto.randomUUID()
    // Whoever comes second is refused or gets the answer of the first.
    const twice = await Promise.allSettled([1, 2].map(() => record({ tenant, staff }, input, key)))
    const codes = twice.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.code] : []))
    expect(new Set(codes).size).toBe(1)
    const again = await failureOf(record({ tenant, staff }, { ...sale(member, [course], 1000) }))
    expect(again).toMatchObject({
      status: 422,
      problem: { errors: { reference: [expect.stringContaining(codes[0]!)] } },
    })
    expect((await staff.client.admin.orders.list({})).items).toHaveLength(1)
    // Another reference is another payment.
    await record({ tenant, staff }, sale(member, [course], 1000, 'till 8'))
    expect((await staff.client.admin.orders.list({})).items).toHaveLength(2)
  })

  test('names the field that is wrong, and writes nothing', async () => {
    const { tenant, member, staff, film } = await arrange()
    const draft = await tenant.createProduct({ status: 'DRAFT' })
    const good = sale(member, [film], 3000)
    const wrong = {
      amount: { ...good, amount: 3001 },
      day: { ...good, day: '2999-01-01' },
      productCodes: { ...good, productCodes: [draft.code] },
      reason: { ...good, reason: ' ' },
      reference: { ...good, reference: '' },
    }
    for (const day of ['0001-01-01', '2025-01-01'])
      expect(await failureOf(record({ tenant, staff }, { ...good, day }))).toMatchObject({
        problem: { errors: { day: [expect.stringContaining('year')] } },
      })
    for (const [field, input] of Object.entries(wrong)) {
      const { status, problem } = await failureOf(record({ tenant, staff }, input))
      expect([status, Object.keys(problem.errors ?? {})], field).toEqual([422, [field]])
    }
    expect((await staff.client.admin.orders.list({})).items).toEqual([])
    expect((await member.client.engagement.purchased({})).total).toBe(0)
    await record({ tenant, staff }, good)
    // The member has it now.
    const owned = await failureOf(record({ tenant, staff }, { ...good, reference: 'till 9' }))
    expect(owned.problem.errors).toHaveProperty('productCodes')
  })

  test('of a title with nothing in it is refused, as it is to members', async () => {
    const { tenant, member, staff } = await arrange()
    const empty = await tenant.createProduct({ price: 3000, file: false })
    const { problem } = await failureOf(record({ tenant, staff }, sale(member, [empty], 3000)))
    expect(problem.errors?.productCodes?.[0]).toContain('A quiet tide')
    expect((await staff.client.admin.orders.list({})).items).toEqual([])
  })

  test('takes the option that staff choose, or the first, and none of another title', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const id = newId<OptionId>()
    const other = { customerId: tenant.id, id, productId: film.id, name: 'With notes', type: 'OWN' as const }
    await tenant.within((db) =>
      db.insert(productOptions).values({ ...other, priceAmount: 5000, currency: 'KRW', sort: 1 }),
    )
    const input = sale(member, [film], 5000)
    expect((await failureOf(record({ tenant, staff }, input))).problem.errors).toHaveProperty('amount')
    const wrong = { ...input, optionIds: [course.optionId!] }
    expect((await failureOf(record({ tenant, staff }, wrong))).problem.errors).toHaveProperty('optionIds')
    const { code } = await record({ tenant, staff }, { ...input, optionIds: [id] })
    expect(await member.client.orders.order({ code })).toMatchObject({
      total: { amount: 5000 },
      items: [{ optionName: 'With notes' }],
    })
  })

  test('is recorded by those who handle deposits alone, with a second factor', async () => {
    const { tenant, member, film } = await arrange()
    const input = sale(member, [film], 3000)
    const support = await tenant.createStaff('SUPPORT')
    expect(await failureOf(record({ tenant, staff: support }, input))).toMatchObject({ status: 403 })
    const unconfirmed = await tenant.createStaff('FINANCE', { isConfirmed: false })
    expect(await failureOf(record({ tenant, staff: unconfirmed }, input))).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
    })
    await record({ tenant, staff: await tenant.createStaff('FINANCE') }, input)
  })
})

describe.each([
  [
    'a recorded sale',
    (at: Parameters<typeof record>[0], member: TestMember, film: TestProduct) => record(at, sale(member, [film], 3000)),
  ],
  [
    'a complimentary order',
    (at: Parameters<typeof record>[0], member: TestMember, film: TestProduct) => give(at, member, [film]),
  ],
] as const)('%s of a title that the member is buying', (_, create) => {
  const ordersOf = async (staff: TestStaff) =>
    (await staff.client.admin.orders.list({})).items.map(({ status }) => status).toSorted()

  test('closes the open card page, which takes no money any more', async () => {
    const { tenant, member, staff, film } = await arrange()
    const { page, order, paymentId } = await beginToBuy(api, tenant, member, film)
    // A mistake of staff does not close it.
    await failureOf(record({ tenant, staff }, sale(member, [film], 9000)))
    expect((await page.read()).status).toBe(200)
    const { code } = await create({ tenant, staff }, member, film)
    expect(await member.client.orders.order({ code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
    expect((await page.read()).status).toBe(410)
    await page.pay(cards.success)
    await member.client.billing.confirmPayment({ id: paymentId })
    expect(await member.client.orders.order({ code: order.code })).toMatchObject({
      status: 'PAYMENT_FAIL',
      payment: { failure: 'SUPERSEDED' },
    })
    expect((await member.client.engagement.purchased({})).total).toBe(1)
  })

  test('is refused where the card was charged already, and the purchase is completed', async () => {
    const { tenant, member, staff, film } = await arrange()
    const { page } = await beginToBuy(api, tenant, member, film)
    await page.pay(cards.success)
    const { problem } = await failureOf(create({ tenant, staff }, member, film))
    expect(problem.errors?.productCodes?.[0]).toContain('The member has A quiet tide.')
    expect(await ordersOf(staff)).toEqual(['PAYMENT_COMPLETE'])
  })

  test.each([cards.timeout, cards.late])('is refused while the card %s is being charged', async (card) => {
    const { tenant, member, staff, film } = await arrange()
    const { page, order, paymentId } = await beginToBuy(api, tenant, member, film)
    await page.pay(card)
    const { status, problem } = await failureOf(create({ tenant, staff }, member, film))
    expect([status, problem.errors?.productCodes?.[0]]).toEqual([422, expect.stringContaining('paying')])
    expect(await ordersOf(staff)).not.toContain('PAYMENT_COMPLETE')
    api.clock.advance(61_000)
    await member.client.billing.confirmPayment({ id: paymentId })
    expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
    await failureOf(create({ tenant, staff }, member, film))
    expect(await ordersOf(staff)).toEqual(['PAYMENT_COMPLETE'])
  })

  test('and the payment at the same moment sell the title once', async () => {
    const { tenant, member, staff, film } = await arrange()
    const first = await beginToBuy(api, tenant, member, film)
    const second = await placeOrderOf(api, tenant, member, film)
    await Promise.allSettled([
      first.page.pay(cards.success).then(() => member.client.billing.confirmPayment({ id: first.paymentId })),
      create({ tenant, staff }, member, film),
      keyed(api, tenant, member).billing.startPayment({
        code: second.code,
        method: 'CARD',
        returnUrl: '/payments/result',
      }),
    ])
    expect((await ordersOf(staff)).filter((status) => status === 'PAYMENT_COMPLETE')).toHaveLength(1)
  })

  test('is refused where an order of it waits for its deposit, and names that order', async () => {
    const tenant = await createBankTenant(api)
    const [member, staff] = [await tenant.createMember(), await tenant.createStaff()]
    const film = await tenant.createProduct({ price: 3000 })
    const { order } = await beginToDeposit(api, tenant, member, film)
    const { problem } = await failureOf(create({ tenant, staff }, member, film))
    expect(problem.errors?.productCodes?.[0]).toContain(order.code)
    expect(await ordersOf(staff)).toEqual(['DEPOSIT_WAITING'])
    // Somebody else may have it.
    await create({ tenant, staff }, await tenant.createMember(), film)
  })
})

describe('a title that is granted while the member is buying it', () => {
  const titlesOf = async (member: TestMember) => (await member.client.engagement.purchased({})).total

  test('closes the open card page, which takes no money any more', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const { page, order, paymentId } = await beginToBuy(api, tenant, member, film)
    await grant({ tenant, staff }, member, course)
    expect((await page.read()).status).toBe(200)
    await grant({ tenant, staff }, member, film)
    expect((await page.read()).status).toBe(410)
    await page.pay(cards.success)
    await member.client.billing.confirmPayment({ id: paymentId })
    expect(await member.client.orders.order({ code: order.code })).toMatchObject({
      status: 'PAYMENT_FAIL',
      payment: { failure: 'SUPERSEDED' },
    })
    expect(await titlesOf(member)).toBe(2)
  })

  test('is refused where the card was charged already or is being charged', async () => {
    const { tenant, member, staff, film, course } = await arrange()
    const paid = await beginToBuy(api, tenant, member, film)
    await paid.page.pay(cards.success)
    const owned = await failureOf(grant({ tenant, staff }, member, film))
    expect(owned.problem.errors?.productCode?.[0]).toContain('The member has this title.')
    const late = await beginToBuy(api, tenant, member, course)
    await late.page.pay(cards.timeout)
    const paying = await failureOf(grant({ tenant, staff }, member, course))
    expect(paying.problem.errors?.productCode?.[0]).toContain('paying')
    api.clock.advance(61_000)
    await member.client.billing.confirmPayment({ id: late.paymentId })
    await failureOf(grant({ tenant, staff }, member, course))
    expect(await titlesOf(member)).toBe(2)
  })

  test('is paid or granted at the same moment, never both', async () => {
    const { tenant, member, staff, film } = await arrange()
    const { page, paymentId } = await beginToBuy(api, tenant, member, film)
    const [, granted] = await Promise.allSettled([
      page.pay(cards.success).then(() => member.client.billing.confirmPayment({ id: paymentId })),
      grant({ tenant, staff }, member, film),
    ])
    const orders = (await staff.client.admin.orders.list({})).items
    const isPaid = orders.some(({ status }) => status === 'PAYMENT_COMPLETE')
    expect(isPaid).toBe(granted.status === 'rejected')
    expect(await titlesOf(member)).toBe(1)
  })

  test('is refused where an order of it waits for its deposit, and names that order', async () => {
    const tenant = await createBankTenant(api)
    const [member, staff] = [await tenant.createMember(), await tenant.createStaff()]
    const film = await tenant.createProduct({ price: 3000 })
    const { order } = await beginToDeposit(api, tenant, member, film)
    const { problem } = await failureOf(grant({ tenant, staff }, member, film))
    expect(problem.errors?.productCode?.[0]).toContain(order.code)
  })
})
