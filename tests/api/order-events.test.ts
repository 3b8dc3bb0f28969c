import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OrderState, orderTransitions } from '#api/modules/orders/orders.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { createBankTenant } from '#tests/support/bank.ts'
import { cards } from '#tests/support/card-page.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { openOrderDriver, type Step } from '#tests/support/order-driver.ts'
import { checkProperty } from '#tests/support/property.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const kinds = <Kind extends Step['kind']>(...names: Kind[]) => fc.record({ kind: fc.constantFrom(...names) })

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('PAY' as const),
      card: fc.constantFrom(...(Object.keys(cards) as (keyof typeof cards)[])),
    }),
  },
  {
    weight: 5,
    arbitrary: kinds(
      'CHALLENGE',
      'LEAVE',
      'CONFIRM',
      'WEBHOOK',
      'DELIVER',
      'RECONCILE',
      'PAY_AGAIN',
      'BY_BANK',
      'BY_BANK',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('DEPOSIT' as const),
      amount: fc.constantFrom(4000, 4000, 4000, 3900, 4100),
      late: fc.boolean(),
      fault: fc.constantFrom('NONE' as const, 'DUPLICATE' as const, 'LOST' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('CANCEL' as const),
      items: fc.constantFrom('ALL' as const, 'FIRST' as const, 'SECOND' as const),
    }),
  },
  { weight: 5, arbitrary: kinds('WITHDRAW', 'ACCEPT', 'ACCEPT', 'REJECT', 'GIVE_ACCOUNT', 'OPEN', 'REVERSE') },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('FAULT' as const),
      fault: fc.constantFrom('SILENT' as const, 'AFTERWARDS' as const, 'NONE' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('WAIT' as const),
      seconds: fc.constantFrom(3, 61, 1900, 90_000, 700_000),
    }),
  },
) as fc.Arbitrary<Step>

/** The first steps, because random steps alone seldom complete a payment. */
const exact = { kind: 'DEPOSIT', amount: 4000, late: false, fault: 'NONE' } as const
const beginning = fc.constantFrom<Step[]>(
  [],
  [{ kind: 'PAY', card: 'success' }, { kind: 'CONFIRM' }],
  [{ kind: 'PAY', card: 'success' }, { kind: 'CONFIRM' }, { kind: 'OPEN' }, { kind: 'CANCEL', items: 'ALL' }],
  [{ kind: 'BY_BANK' }],
  [{ kind: 'BY_BANK' }, exact, { kind: 'DELIVER' }],
  [{ kind: 'BY_BANK' }, exact, { kind: 'DELIVER' }, { kind: 'CANCEL', items: 'FIRST' }],
  [{ kind: 'BY_BANK' }, exact, { kind: 'DELIVER' }, { kind: 'CANCEL', items: 'FIRST' }, { kind: 'ACCEPT' }],
  [
    ...([{ kind: 'BY_BANK' }, exact, { kind: 'DELIVER' }, { kind: 'CANCEL', items: 'FIRST' }] as const),
    ...([{ kind: 'ACCEPT' }, { kind: 'REVERSE' }, { kind: 'DELIVER' }] as const),
  ],
)

const allowed = (from: OrderState, to: OrderState) =>
  from === to || Object.values<OrderState>(orderTransitions[from]).includes(to)

/**
 * Whether the listed transitions lead from one state to the other. Several changes may have
 * happened between two reads.
 */
const reachable = (from: OrderState, to: OrderState, changes: number): boolean =>
  allowed(from, to) ||
  (changes > 1 && Object.values<OrderState>(orderTransitions[from]).some((next) => reachable(next, to, changes - 1)))

test('random events in any order cause only allowed transitions, and money and entitlements agree', async () => {
  const tenant = await createBankTenant(api)
  await checkProperty(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 9 }),
      beginning,
      async (rounds, first) => {
        const driver = await openOrderDriver(api, tenant, [2900, 1100])
        const { member, products } = driver
        const code = driver.order.code as OrderCode
        const readOrder = () => member.client.orders.order({ code })
        for (const one of first) await driver.run(one)
        let state: OrderState = (await readOrder()).status ?? 'DRAFT'
        // The steps of a round happen at once, rounds one after the other.
        for (const round of rounds) {
          await Promise.all(round.map(driver.run))
          const now: OrderState = (await readOrder()).status ?? 'DRAFT'
          expect(reachable(state, now, 2 * round.length), `${state} → ${now} by ${JSON.stringify(round)}`).toBe(true)
          state = now
        }
        await driver.settle()
        const order = await readOrder()
        const money = await moneyOf(tenant, code)

        // Received minus refunded money equals the net amount of the rows, and no money is without
        // a row.
        const netAmount = order.paidAt === null ? 0 : order.total.amount - order.refundedAmount.amount
        const unappliedAmount = order.unapplied?.amount ?? 0
        expect(money.received - money.refunded, 'kept').toBe(netAmount + unappliedAmount - money.owed)
        expect(money.timeline, 'timeline').toBe(netAmount + unappliedAmount - money.owed)
        expect(money.refundsOfItems).toBeLessThanOrEqual(1)
        expect(order.refundedAmount.amount).toBeLessThanOrEqual(order.total.amount)
        expect(order.refundedAmount.amount).toBe(
          order.items.filter((item) => item.refunded).reduce((sum, item) => sum + item.price.amount, 0),
        )
        // After the last reconciliation nothing is pending.
        expect(['PAYMENT_COMPLETE', 'PAYMENT_FAIL', 'CANCEL_COMPLETE', 'CANCEL_REQUEST']).toContain(order.status)
        if (order.status === 'PAYMENT_FAIL') expect(netAmount).toBe(0)

        const waiting = order.status === 'CANCEL_REQUEST' ? (order.refund?.itemIds ?? []) : []
        for (const product of products) {
          const item = order.items.find((one) => one.product.id === product.id)!
          const paidFor = order.paidAt !== null && !item.refunded && !waiting.includes(item.id as OrderItemId)
          const { viewer } = await member.client.catalog.product({ id: product.id })
          expect(viewer?.entitled, `${order.status}: the right to ${item.id}`).toBe(paidFor)
        }
      },
    ),
    { wanted: 24, min: 12, milliseconds: 30_000 },
  )
}, 180_000)
