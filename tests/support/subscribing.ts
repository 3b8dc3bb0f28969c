import { maintainCards } from '#api/modules/billing/cards.jobs.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { renewDue } from '#api/modules/subscriptions/renewals.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { CardId } from '#contract/ids.ts'
import { keyed } from './buying.ts'
import { addCard, type StoredCardName } from './card-registration.ts'
import type { TestPlan } from './plans.ts'
import type { Tenant, TestMember } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export const day = dayMilliseconds

/** Subscribes with a registered card and returns the confirmation. */
export const subscribeWith = async (
  api: TestApi,
  tenant: Tenant,
  member: TestMember,
  plan: TestPlan,
  cardId: CardId,
) => {
  const { subscriptionId: id } = await keyed(api, tenant, member).subscriptions.subscribe({
    id: plan.id,
    cardId,
    returnUrl: '/plans/payment-result',
    expectedPrice: plan.price,
    agreeRecurring: true,
  })
  return member.client.subscriptions.confirmSubscription({ id })
}

/** A new member with a card and a subscription. */
export const subscriber = async (api: TestApi, tenant: Tenant, plan: TestPlan, card: StoredCardName = 'success') => {
  const member = await tenant.createMember()
  const { id } = await addCard(api, tenant, member, card)
  const confirmed = await subscribeWith(api, tenant, member, plan, id)
  return { member, cardId: id, confirmed }
}

/** Runs the background work of cards and renewals for a tenant, once. */
export const sweep = async (api: TestApi, tenant: Tenant) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  const ctx = unattendedPaymentCtx(api.deps, customer!, 'a-test')
  await maintainCards(ctx)
  await renewDue(ctx)
}

/** Advances the clock by days and runs the background work after each. */
export const passDays = async (api: TestApi, tenant: Tenant, days: number) => {
  for (let passed = 0; passed < days; passed++) {
    api.clock.advance(day)
    await sweep(api, tenant)
  }
}
