import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { refundOrder } from '#api/modules/billing/refunds.ts'
import { dayMilliseconds as day, dayAt } from '#api/platform/clock.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { myAccount } from '#tests/support/bank.ts'
import { buy, keyed } from '#tests/support/buying.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { ctxOf } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import type { Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, readOrder, requestRefund, isEntitled, refunded, buyAll, open, payByDeposit } = refunding(api)
const command = quickCommandOf(api)
const run = (tenant: Tenant, ...args: string[]) => command([...args, '-c', tenant.code, '--by', 'Jo'])

test('the refund command refunds a watched film after the deadline, and the audit records the exception', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  api.clock.advance(8 * day)
  const answer = await run(tenant, 'refund', order.code, '--reason', 'Sound was broken')
  expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('Refunded: 29.00 USD for') })
  const after = await readOrder(member, order)
  expect(after).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 2900 },
    refund: { byStore: true, reason: null, outcome: 'REFUNDED' },
  })
  expect(after.timeline.map(({ type }) => type)).toContain('REFUND_BY_STORE')
  expect(JSON.stringify(after)).not.toContain('Sound was broken')
  expect(await isEntitled(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([2900])
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([
    {
      actor: 'admin:Jo',
      action: 'order.refunded',
      detail: { amount: 2900, reason: 'Sound was broken', againstRule: true },
    },
  ])
  const again = await run(tenant, 'refund', order.code, '--reason', 'Once more')
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining(`Order ${order.code} is already refunded.`) })
  expect(await refunded(tenant)).toEqual([2900])
})

test('the refund command refunds one item of an order and leaves the other', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const order = await buyAll(tenant, member, [product, other])
  const unknown = await run(tenant, 'refund', order.code, '--title', 'nothing-like-it', '--reason', 'Test')
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Its refundable titles are: ${product.code}, ${other.code}.`),
  })
  const answer = await run(tenant, 'refund', order.code, '--title', other.code, '--reason', 'Wrong cut')
  expect(answer.out).toContain('Refunded: 11.00 USD')
  expect(await readOrder(member, order)).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  expect(await isEntitled(member, product)).toBe(true)
  expect(await isEntitled(member, other)).toBe(false)
})

test('the refund command is refused for an order with a waiting cancel request, and names the command that decides it', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  await requestRefund(tenant, member, order)
  const answer = await run(tenant, 'refund', order.code, '--reason', 'Test')
  expect(answer).toMatchObject({
    code: 1,
    err: expect.stringContaining(`npm run cli -- cancel ${order.code} -c ${tenant.code} --accept`),
  })
  expect(await refunded(tenant)).toEqual([0])
})

test('two concurrent refund commands refund an order once', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const ctx = await ctxOf(api, tenant)
  const refund = { code: order.code, productCodes: [], reason: 'Race', by: 'admin:Jo' } as const
  await Promise.all(Array.from({ length: 8 }, () => refundOrder(ctx, refund)))
  expect(await refunded(tenant)).toEqual([2900])
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE' })
})

test('a refund command for an order paid by bank asks the member for the account, and refunds once it is set', async () => {
  const { tenant, member, order } = await payByDeposit()
  const answer = await run(tenant, 'refund', order.code, '--reason', 'Test')
  expect(answer.out).toContain('The member was asked by email for a bank account')
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_REQUEST', needsRefundAccount: true })
  const mails = await mailsTo(tenant, member.email)
  expect(mails.map(({ text }) => text).join('\n')).toContain('We’re refunding your order.')
  const { code } = order
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
})

test('the order commands list orders by status, member and day, and show one in full', async () => {
  const { tenant, member, product } = await arrange()
  const second = await tenant.createMember()
  const order = await buy(api, tenant, member, product)
  const other = await buy(api, tenant, second, await tenant.createProduct({ price: 500 }))
  const all = await run(tenant, 'orders')
  expect(all.out).toContain(order.code)
  expect(all.out).toContain(other.code)
  const output = await run(tenant, 'orders', '--member', member.email.toUpperCase(), '--status', 'PAYMENT_COMPLETE')
  expect(output.out).toContain(`29.00 USD`)
  expect(output.out).not.toContain(other.code)
  expect((await run(tenant, 'orders', '--to', '2020-01-01')).out).toContain('No order matches.')
  expect((await run(tenant, 'orders', '--status', 'PAID')).code).toBe(1)
  expect((await run(tenant, 'orders', '--member', 'nobody@example.com')).err).toContain(
    'has no member nobody@example.com.',
  )

  const shown = await run(tenant, 'order', order.code)
  for (const part of [member.email, product.title, product.code, 'PAYMENT_COMPLETE', 'sandbox', 'PAID', '29.00 USD'])
    expect(shown.out).toContain(part)
  expect((await run(tenant, 'order', '20200101-ABCDEF')).code).toBe(1)
})

test('the order and member commands print times in the store’s time zone, in which days are read', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  await api.owner.execute(sql`UPDATE orders SET created_at = '2026-11-21T20:30:00Z' WHERE code = ${order.code}`)
  const listed = await run(tenant, 'orders', '--from', '2026-11-22', '--to', '2026-11-22')
  expect(listed.out).toMatch(/^placed \(Asia\/Seoul\) /)
  expect(listed.out).toMatch(/^2026-11-22 05:30 /m)
  expect((await run(tenant, 'orders', '--to', '2026-11-21')).out).toContain('No order matches.')
  expect((await run(tenant, 'order', order.code)).out).toMatch(/^placed +2026-11-22 05:30 \(Asia\/Seoul\)$/m)

  const granted = await run(tenant, 'partnership', member.email, '--until', '2099-03-31')
  expect(granted.out).toContain('ends on 2099-03-31 (Asia/Seoul).')
  expect((await run(tenant, 'member', member.email)).out).toMatch(
    /^partnership until +2099-03-31 23:59 \(Asia\/Seoul\)$/m,
  )
  expect((await run(tenant, 'partnership', member.email, '--until', '2099-02-31')).err).toContain('Enter a day')
  const end = () => run(tenant, 'partnership', member.email, '--until', '2020-01-01')
  expect((await end()).out).toBe(`The partnership of ${member.email} has ended.\n`)
  expect((await end()).out).toBe(`${member.email} has no partnership.\n`)
  const acts = await tenant.within((db) => db.select().from(audit))
  expect(acts.map(({ action }) => action).sort()).toEqual(['partnership.ended', 'partnership.granted'])
})

test('the analytics command prints amounts with the digits of the currency and names the option that is wrong', async () => {
  const { tenant, member, product } = await arrange()
  await buy(api, tenant, member, product)
  const today = dayAt(api.clock.now(), 'Asia/Seoul')
  const sales = await run(tenant, 'analytics', '--of', 'sales', '--per', 'day', '--to', today)
  expect(sales.out).toMatch(/ USD .* 29\.00 +0\.00 +29\.00$/m)
  expect(sales.out).toMatch(/ USD .* 0\.00 +0\.00 +0\.00$/m)
  const range = await run(tenant, 'analytics', '--from', '2026-11-28', '--to', '2026-11-01')
  expect(range).toMatchObject({ code: 1, err: '--to: Enter 2026-11-28 or a later day.\n' })
  const orders = await run(tenant, 'orders', '--from', '2026-11-28', '--to', '2026-11-01')
  expect(orders).toMatchObject({ code: 1, err: '--to: Enter 2026-11-28 or a later day.\n' })
})

test('what a command names and the store does not have is told in the same way', async () => {
  const { tenant } = await arrange()
  const id = '019a2f1e-8c3b-7d42-9e5f-0a1b2c3d4e5f'
  for (const [args, subject] of [
    [['inquiry', 'Q-000000'], 'inquiry Q-000000'],
    [['inquiry', 'Q-000000', '--answer', 'Yes'], 'inquiry Q-000000'],
    [['case', 'close', id, '--note', 'Done'], `case ${id}`],
    [['partnership', 'nobody@example.com', '--until', '2099-01-01'], 'member nobody@example.com'],
    [['member', 'nobody@example.com'], 'member nobody@example.com'],
    [['charges', 'nobody@example.com'], 'member nobody@example.com'],
    [['order', '20200101-ABCDEF'], 'order 20200101-ABCDEF'],
    [['refund', '20200101-ABCDEF', '--reason', 'x'], 'order 20200101-ABCDEF'],
    [['cancel', '20200101-ABCDEF', '--accept'], 'order 20200101-ABCDEF'],
    [['refund-charge', id, '--total', '1', '--reason', 'x'], `charge ${id}`],
    [['comment', 'hide', id], `comment ${id}`],
    [['mail', 'resend', id], `email ${id}`],
    [['analytics', '--product', 'none'], 'product none'],
  ] as const)
    expect(await run(tenant, ...args)).toMatchObject({ code: 1, err: `Store ${tenant.code} has no ${subject}.\n` })
})

test('the member commands find members of their store by name or address and show what they own', async () => {
  const { tenant, member, product } = await arrange()
  const elsewhere = (await arrange()).tenant
  await buy(api, tenant, member, product)
  const listed = await run(tenant, 'members', '--search', member.email.slice(0, 12).toUpperCase())
  expect(listed.out).toContain(member.email)
  expect((await run(tenant, 'members', '--search', '%')).out).toContain('No member matches.')
  expect((await run(elsewhere, 'members', '--search', member.email)).out).toContain('No member matches.')
  const shown = await run(tenant, 'member', member.email)
  for (const part of [member.email, product.code, 'no end', 'marketing emails']) expect(shown.out).toContain(part)
  await api.owner.execute(
    sql`UPDATE entitlements SET rental_days = 2, start_by = '2099-01-31' WHERE member_id = (SELECT id FROM members WHERE email = ${member.email})`,
  )
  expect((await run(tenant, 'member', member.email)).out).toContain(
    '2 days from the first play, which must be by 2099-01-3',
  )
  expect(await run(elsewhere, 'member', member.email)).toMatchObject({ code: 1 })
})
