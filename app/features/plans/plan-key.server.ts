import { ORPCError } from '@orpc/client'
import { planId } from '#contract/ids.ts'
import type { Plan } from '#contract/plans.ts'
import type { CustomerApi } from '~/platform/api/client'

/** A plan by its id, or by its code where it is on sale. 404 for neither. */
export async function planByKey(api: CustomerApi, key: string): Promise<Plan> {
  const id = planId.safeParse(key)
  if (id.success) return api.plans.plan({ id: id.data })
  const { items } = await api.plans.plans()
  const plan = items.find(({ code }) => code === key)
  if (!plan) throw new ORPCError('NOT_FOUND', { status: 404, message: 'There is no such plan.' })
  return plan
}
