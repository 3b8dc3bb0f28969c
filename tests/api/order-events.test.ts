import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entitlements, orderEvents, orders, payments, sandboxPayments } from '#api/db/schema/commerce.ts'
import { type OrderState, orderTransitions } from '#api/domain/orders/states.ts'
import { reconcile } from '#api/domain/payments/reconcile.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { unattendedPaymentEnv } from '#api/payment-env.ts'
import { beginToBuy, beginToPay } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { sendWebhook } from '#tests/support/webhooks.ts'

const api = createTestApi()

type Step =
  | { kind: 'PAY'; card: keyof typeof cards }
  | { kind: 'CHALLENGE' | 'LEAVE' | 'CONFIRM' | 'WEBHOOK' | 'DELIVER' | 'RECONCILE' | 'PAY_AGAIN' }
  | { kind: 'WAIT'; seconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('PAY' as const),
    card: fc.constantFrom(...(Object.keys(cards) as (keyof typeof cards)[])),
  }),
  fc.record({
    kind: fc.constantFrom('CHALLENGE', 'LEAVE', 'CONFIRM', 'WEBHOOK', 'DELIVER', 'RECONCILE', 'PAY_AGAIN' as const),
  }) as fc.Arbitrary<Step>,
  fc.record({ kind: fc.constant('WAIT' as const), seconds: fc.constantFrom(3, 61, 1900) }),
)

const allowed = (from: OrderState, to: OrderState) =>
  from === to || Object.values<OrderState>(orderTransitions[from]).includes(to)

test('whatever happens in whatever order, only the listed transitions happen and money and rights agree', async () => {
  const tenant = await createTenant(api)
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  const reconcileNow = () => reconcile(unattendedPaymentEnv(api.deps, customer, 'a-test'))
  const deliver = () => api.deps.sandbox.deliverDue(customer, (request) => api.fetch(request))

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 }),
      async (rounds) => {
        const member = await tenant.createMember()
        const product = await tenant.createProduct()
        const { order, paymentId, page } = await beginToBuy(api, tenant, member, product)
        const run = async (one: Step): Promise<unknown> => {
          switch (one.kind) {
            case 'PAY':
              return page.pay(cards[one.card])
            case 'CHALLENGE':
              return page.challenge('123456')
            case 'LEAVE':
              return page.cancel()
            case 'CONFIRM':
              return member.client.commerce.confirmPayment({ id: paymentId })
            case 'WEBHOOK':
              return sendWebhook(api, tenant, { reference: paymentId })
            case 'DELIVER':
              return deliver()
            case 'RECONCILE':
              return reconcileNow()
            case 'PAY_AGAIN':
              return beginToPay(api, tenant, member, order).catch(() => undefined)
            case 'WAIT':
              return api.clock.advance(one.seconds * 1000)
            default:
              return one satisfies never
          }
        }
        let state: OrderState = 'DRAFT'
        // The steps of a round happen at once, rounds one after the other.
        for (const round of [...rounds, [{ kind: 'WAIT', seconds: 1900 }], [{ kind: 'RECONCILE' }]] as Step[][]) {
          await Promise.all(round.map(run))
          const now: OrderState = (await member.client.commerce.order({ code: order.code })).status ?? 'DRAFT'
          expect(allowed(state, now), `${state} → ${now}`).toBe(true)
          state = now
        }
        const mine = <Row extends { memberId: string }>(rows: Row[]) => rows.filter((row) => row.memberId === member.id)
        const all = await tenant.within(async (db) => ({
          orders: mine(await db.select().from(orders)),
          rights: mine(await db.select().from(entitlements)),
          payments: await db.select().from(payments),
          events: await db.select().from(orderEvents),
          books: await db.select().from(sandboxPayments),
        }))
        const ids = new Set(all.orders.map((one) => one.id))
        const paid = all.payments.filter((one) => ids.has(one.orderId) && one.status === 'PAID')
        const own = new Set(all.payments.filter((one) => ids.has(one.orderId)).map((one) => one.id))
        const kept = all.books.filter((one) => own.has(one.reference) && one.chargedAt && one.refundedAmount === 0)
        const complete = state === 'PAYMENT_COMPLETE' ? 1 : 0
        // After the last reconciliation nothing is left open, and what was charged and kept is exactly what was given.
        expect(state).not.toBe('DRAFT')
        expect(paid).toHaveLength(complete)
        expect(kept).toHaveLength(complete)
        expect(all.rights).toHaveLength(complete)
        expect(all.events.filter((one) => ids.has(one.orderId) && one.type === 'PAID')).toHaveLength(complete)
      },
    ),
    { numRuns: 25, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  )
}, 60_000)
