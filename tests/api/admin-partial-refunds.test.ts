import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { attachments } from '#api/modules/catalog/catalog.schema.ts'
import type { OrderCode, OrderItemId, ProductCode } from '#contract/ids.ts'
import { beginToBuy, buy } from '#tests/support/buying.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { refunding } from '#tests/support/refunding.ts'
import { password, type Tenant, type TestMember, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, buyAll, open, payByDeposit, readOrder, isEntitled, refunded, requestRefund } = refunding(api)

const shown = (staff: TestStaff, code: string) => staff.client.admin.orders.get({ code: code as OrderCode })

interface Part {
  amount?: number
  item?: number
  overridesRule?: boolean
  version?: string
}

const refundPart = async (
  staff: TestStaff,
  code: string,
  { amount, item = 0, overridesRule = false, version }: Part = {},
) => {
  const order = await shown(staff, code)
  return staff.withVersion(version ?? order.version).admin.orders.refund({
    code: order.code,
    itemIds: [order.items[item]!.id as OrderItemId],
    reason: 'The picture stopped',
    overridesRule,
    ...(amount !== undefined && { amount }),
  })
}

test('parts of a title’s price add up, the member keeps the title, and the rest ends it', async () => {
  const { tenant, member, product } = await arrange()
  const staff = await tenant.createStaff('OWNER')
  const { code } = await buy(api, tenant, member, product)
  expect(await refundPart(staff, code, { amount: 1000 })).toMatchObject({ step: 'REFUND', amount: { amount: 1000 } })
  expect(await readOrder(member, { code })).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refundedAmount: { amount: 1000 },
    items: [{ refunded: false, refundedAmount: { amount: 1000 } }],
    cancel: { action: 'REFUND', amount: { amount: 1900 } },
  })
  expect(await isEntitled(member, product)).toBe(true)
  expect((await mailsTo(tenant, member.email))[0]?.subject).toContain('$10.00')

  await refundPart(staff, code, { amount: 500 })
  const order = await shown(staff, code)
  expect(order).toMatchObject({ refunded: { amount: 1500 }, items: [{ refundedPart: { amount: 1500 } }] })
  expect(order.history.map(({ detail }) => [detail.amount, detail.keepsItems])).toEqual([
    [500, true],
    [1000, true],
  ])
  expect(await refunded(tenant)).toEqual([1500])

  expect(await failureOf(refundPart(staff, code, { amount: 1401 }))).toMatchObject({
    status: 422,
    problem: { errors: { amount: ['Enter more than 0 and at most $14.00.'] } },
  })
  expect(await refundPart(staff, code, { amount: 1400 })).toMatchObject({ step: 'REFUND' })
  expect(await readOrder(member, { code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 2900 },
    items: [{ refunded: true }],
  })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([2900])
  const money = await moneyOf(tenant, code as OrderCode)
  expect([money.received, money.refunded, money.timeline]).toEqual([2900, 2900, 0])
})

test('the member’s own refund gives what is left of a title after a part was refunded', async () => {
  const { tenant, member, product } = await arrange()
  const staff = await tenant.createStaff('OWNER')
  const { code } = await buy(api, tenant, member, product)
  await refundPart(staff, code, { amount: 900 })
  expect(await requestRefund(tenant, member, { code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refund: { amount: { amount: 2000 } },
    refundedAmount: { amount: 2900 },
  })
  expect(await refunded(tenant)).toEqual([2900])
})

test('a part of one title leaves the others, and a part of several is refused', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const staff = await tenant.createStaff('OWNER')
  const { code } = await buyAll(tenant, member, [product, other])
  const { version, items } = await shown(staff, code)
  const several = staff.withVersion(version).admin.orders.refund({
    code: code as OrderCode,
    itemIds: items.map(({ id }) => id as OrderItemId),
    amount: 100,
    reason: 'Both',
  })
  expect((await failureOf(several)).problem.errors).toHaveProperty('amount')
  const second = items.findIndex(({ price }) => price.amount === 1100)
  await refundPart(staff, code, { amount: 100, item: second })
  const rest = await shown(staff, code)
  await staff.withVersion(rest.version).admin.orders.refund({ code: rest.code, reason: 'All of it' })
  expect(await readOrder(member, { code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 4000 },
  })
  expect(await refunded(tenant)).toEqual([4000])
})

test('a part of an opened title needs a decision against the rule, which the history names', async () => {
  const { tenant, member, product } = await arrange()
  const staff = await tenant.createStaff('FINANCE')
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  // A member may ask for it. The rule itself gives nothing of it.
  expect(order.cancel).toMatchObject({ action: 'REFUND', why: 'ALL_OPENED', amount: { amount: 2900 } })
  const nothing = { why: 'ALL_OPENED', itemIds: [], amount: { amount: 0 } }
  expect((await shown(staff, order.code)).rule).toMatchObject(nothing)
  expect(await failureOf(refundPart(staff, order.code, { amount: 700 }))).toMatchObject({
    code: 'REFUND_AGAINST_RULE',
    problem: { data: { itemIds: [], amount: 0 } },
  })
  await refundPart(staff, order.code, { amount: 700, overridesRule: true })
  expect((await shown(staff, order.code)).history[0]?.detail).toMatchObject({ againstRule: true, keepsItems: true })
  expect(await isEntitled(member, product)).toBe(true)
})

test('beside a title without content, one whose period is over needs a decision against the rule', async () => {
  const { tenant, member, product } = await arrange()
  const empty = await tenant.createProduct({ price: 1100 })
  const { code, items } = await buyAll(tenant, member, [product, empty])
  await tenant.within((db) => db.delete(attachments).where(eq(attachments.productId, empty.id)))
  api.clock.advance(30 * 24 * 3_600_000)
  const staff = await tenant.createStaff('FINANCE')
  const itemOf = ({ id }: { id: string }) => items.findIndex((each) => each.product.id === id)
  expect((await shown(staff, code)).rule).toMatchObject({
    itemIds: [items[itemOf(empty)]!.id],
    amount: { amount: 1100 },
  })
  expect(await failureOf(refundPart(staff, code, { item: itemOf(product) }))).toMatchObject({
    code: 'REFUND_AGAINST_RULE',
  })
  expect(await refundPart(staff, code, { item: itemOf(empty) })).toMatchObject({ amount: { amount: 1100 } })
})

test('parts that several people refund at once are refunded once for what each saw', async () => {
  const { tenant, member, product } = await arrange()
  const [one, two] = [await tenant.createStaff('OWNER'), await tenant.createStaff('FINANCE')]
  const { code } = await buy(api, tenant, member, product)
  const { version } = await shown(one, code)
  const outcomes = await Promise.allSettled(
    [one, two, one, two].map((staff) => refundPart(staff, code, { amount: 2000, version })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refunded(tenant)).toEqual([2000])
})

test('a part of a deposit waits for the member’s account, and the title stays', async () => {
  const { tenant, member, product, order } = await payByDeposit()
  const staff = await tenant.createStaff('OWNER')
  expect(await refundPart(staff, order.code, { amount: 900 })).toMatchObject({ step: 'ACCOUNT' })
  expect(await isEntitled(member, product)).toBe(true)
  const { billing } = api.client(tenant.code, { token: member.token, idempotencyKey: crypto.randomUUID() })
  await billing.setRefundAccount({
    code: order.code as OrderCode,
    refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
  })
  expect(await readOrder(member, order)).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 900 } })
  expect(await isEntitled(member, product)).toBe(true)
})

const give = async (
  tenant: Tenant,
  member: TestMember,
  codes: readonly string[],
  role: 'SUPPORT' | 'OWNER' = 'SUPPORT',
) => {
  const staff = await tenant.createStaff(role)
  return api
    .client(tenant.code, { token: staff.token, headers: { 'idempotency-key': crypto.randomUUID() } })
    .admin.orders.createComplimentary({
      memberId: member.id,
      productCodes: codes as ProductCode[],
      reason: 'Won the quiz',
    })
}

test('a complimentary order gives titles, tells the member who gave them, and is revoked', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const owner = await tenant.createStaff('OWNER')
  const { code } = await give(tenant, member, [product.code, other.code])
  expect(await readOrder(member, { code })).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    complimentary: true,
    total: { amount: 0 },
    items: [{ price: { amount: 0 } }, { price: { amount: 0 } }],
    cancel: { action: 'NONE' },
  })
  expect((await member.client.orders.orders({})).items).toMatchObject([{ code, complimentary: true }])
  expect((await member.client.engagement.purchased({})).total).toBe(2)
  expect(await isEntitled(member, other)).toBe(true)
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail?.text).toContain('These titles are a gift from us')
  expect(mail?.text).not.toContain('Won the quiz')

  const order = await shown(owner, code)
  expect(order.history[0]).toMatchObject({ action: 'order.given', detail: { reason: 'Won the quiz' } })
  expect((await owner.client.admin.home()).today).toMatchObject({ orders: 0, revenue: { amount: 0 } })
  expect((await owner.client.admin.orders.list({})).items).toMatchObject([{ code, complimentary: true }])
  await owner.withVersion(order.version).admin.orders.refund({ code: order.code, reason: 'By mistake' })
  expect(await readOrder(member, { code })).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 0 } })
  expect(await isEntitled(member, product)).toBe(false)
  // Nothing was paid, so that nothing is said of a refund.
  expect(await mailsTo(tenant, member.email)).toHaveLength(1)
})

test('a title that the member has, a draft and an unknown code are not given', async () => {
  const { tenant, member, product } = await arrange()
  const draft = await tenant.createProduct({ status: 'DRAFT' })
  await give(tenant, member, [product.code])
  for (const code of [product.code, draft.code, 'no-such-title'])
    expect((await failureOf(give(tenant, member, [code]))).problem.errors).toHaveProperty('productCodes')
})

test('a title given by several people at once is given once', async () => {
  const { tenant, member, product } = await arrange()
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => give(tenant, member, [product.code])))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('an order that the member placed for nothing is revoked as well', async () => {
  const { tenant, member } = await arrange()
  const free = await tenant.createProduct({ price: 0 })
  const staff = await tenant.createStaff('OWNER')
  const { order } = await beginToBuy(api, tenant, member, free)
  await refundPart(staff, order.code)
  expect((await readOrder(member, order)).status).toBe('CANCEL_COMPLETE')
  expect(await isEntitled(member, free)).toBe(false)
  const { token } = await tenant.guest.identity.login({ email: member.email, password })
  expect(token).toEqual(expect.any(String))
})
