import type { Ctx } from '#api/context.ts'
import type { PlanRow } from '#api/db/queries/plans.ts'
import { consents } from '#api/db/schema/joining.ts'
import { newId } from '#api/db/uuid.ts'

/** Writes down what a member agreed to have charged, again and again: the plan, its price and its cycle, and the trial before it. */
export const keepConsent = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  memberId: string,
  plan: PlanRow,
  trialDays: number,
) => {
  const terms = [
    plan.code,
    `${plan.priceAmount} ${plan.currency}`,
    plan.cycle,
    ...(trialDays ? [`trial ${trialDays}`] : []),
  ]
  await db.insert(consents).values({
    ...{ customerId: customer.id, id: newId(), memberId, type: 'RECURRING', granted: true },
    ...{ version: terms.join(' · '), at: clock.now().toISOString() },
  })
}
