import { sandboxCards, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptionCharges, subscriptionEvents, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { dayOfMonth, periodEnd } from '#api/modules/plans/plans.ts'
import { encrypt, secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { CardId, MemberId, PaymentId, SubscriptionId } from '#contract/ids.ts'
import type { SeededPlan } from './plans.ts'
import { daysAgo, type Seeding } from './seeding.ts'

const CARD = { issuer: 'Visa', lastFour: '4242', expiryMonth: 11 }
const YEARS_LEFT = 3

/** The periods from the first to the current one. */
function periodsSince(startedAt: Date, cycle: PlanCycle, { now, tenant }: Seeding): { start: Date; end: Date }[] {
  const { timeZone } = tenant.settings.base
  const anchorDay = dayOfMonth(startedAt, timeZone)
  const periods: { start: Date; end: Date }[] = []
  for (let start = startedAt; start <= now; ) {
    const end = periodEnd(start, cycle, anchorDay, timeZone)
    periods.push({ start, end })
    start = end
  }
  return periods
}

/**
 * Writes the demo member's subscription: its card at the sandbox, its charges so far and its
 * events.
 */
export async function seedSubscription(
  seeding: Seeding,
  plans: readonly SeededPlan[],
  memberId: MemberId,
): Promise<void> {
  const { customerId, db, now, secret, tenant } = seeding
  const content = tenant.history.subscription
  if (!content) return
  const plan = plans.find(({ code }) => code === content.plan)
  if (!plan) throw new Error(`The demo content names ${content.plan}, which does not exist`)
  const startedAt = new Date(daysAgo(seeding, content.days))
  const owner = { customerId, memberId, planId: plan.id, currency: plan.currency }
  const ids = { card: newId<CardId>(), subscription: newId<SubscriptionId>() }
  const card = { ...CARD, expiryYear: now.getUTCFullYear() + YEARS_LEFT }
  const token = `card_demo_${ids.card}`

  await db.insert(sandboxCards).values({
    customerId,
    id: newId(),
    reference: ids.card,
    returnUrl: '/mypages/cards',
    status: 'REGISTERED',
    ...card,
    token,
    scenario: 'SUCCESS',
    createdAt: startedAt.toISOString(),
  })
  await db.insert(cards).values({
    customerId,
    id: ids.card,
    memberId,
    provider: 'sandbox',
    status: 'ACTIVE' as const,
    isDefault: true,
    ...card,
    token: encrypt(secretFor(secret, 'sealed columns'), token),
    createdAt: startedAt.toISOString(),
  })

  const periods = periodsSince(startedAt, plan.cycle, seeding)
  const current = periods.at(-1)
  await db.insert(subscriptions).values({
    ...owner,
    id: ids.subscription,
    status: 'PROCEEDING' as const,
    priceAmount: plan.priceAmount,
    cycle: plan.cycle,
    cardId: ids.card,
    anchorDay: dayOfMonth(startedAt, tenant.settings.base.timeZone),
    activatedAt: startedAt.toISOString(),
    createdAt: startedAt.toISOString(),
    periodStart: current?.start.toISOString() ?? null,
    periodEnd: current?.end.toISOString() ?? null,
  })
  for (const [index, { start, end }] of periods.entries()) {
    const at = start.toISOString()
    const [reference, amount] = [newId<PaymentId>(), plan.priceAmount]
    await db.insert(sandboxPayments).values({
      customerId,
      id: newId(),
      reference,
      amount,
      currency: plan.currency,
      orderName: plan.name,
      returnUrl: '/',
      status: 'PAID',
      scenario: 'SUCCESS',
      cardToken: token,
      cardIssuer: card.issuer,
      cardLastFour: card.lastFour,
      chargedAt: at,
      createdAt: at,
    })
    await db.insert(subscriptionCharges).values({
      ...owner,
      id: reference,
      subscriptionId: ids.subscription,
      kind: index === 0 ? ('FIRST' as const) : ('RENEWAL' as const),
      periodStart: at,
      periodEnd: end.toISOString(),
      amount,
      provider: 'sandbox',
      status: 'PAID' as const,
      cardIssuer: card.issuer,
      cardLastFour: card.lastFour,
      createdAt: at,
      settledAt: at,
    })
    const event = {
      customerId,
      memberId,
      planId: plan.id,
      subscriptionId: ids.subscription,
      at,
      planName: plan.name,
      planTranslations: plan.translations,
    }
    await db.insert(subscriptionEvents).values([
      { ...event, id: newId(), type: index === 0 ? 'STARTED' : 'RENEWED' },
      { ...event, id: newId(), type: 'CHARGED', amount },
    ])
  }
}
