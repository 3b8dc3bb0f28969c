import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ORPCError } from '@orpc/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { PlanCycle } from '#contract/enumerations.ts'
import { planId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { size } from '#contract/paging.ts'
import { type Plan, planProductsQuery as planProductsInput } from '#contract/subscriptions.ts'
import { call, notFoundStatuses } from '~/platform/api/call'
import type { CustomerApi } from '~/platform/api/client'
import { useFormat } from '~/platform/format/use-format'
import { checked, readFn } from '~/platform/request/server-fn'

/**
 * Returns a plan by its id, or by its code where it is on sale.
 * @throws ORPCError NOT_FOUND if there is neither
 */
async function planByKey(api: CustomerApi, key: string): Promise<Plan> {
  const id = planId.safeParse(key)
  if (id.success) return api.subscriptions.plan({ id: id.data })
  const { items } = await api.subscriptions.plans()
  const plan = items.find(({ code }) => code === key)
  if (!plan) throw new ORPCError('NOT_FOUND', { status: 404, message: 'There is no such plan.' })
  return plan
}

/** The id of a plan, or its code, which banners use. */
const key = z.string().check(z.minLength(1), z.maxLength(80))

const getPlans = readFn().handler(({ context }) => context.callApi((api) => api.subscriptions.plans()))

const getPlan = readFn()
  .validator(checked(z.object({ key })))
  .handler(({ data, context }) => context.callApi((api) => planByKey(api, data.key)))

/** A plan with one page of its products. */
const getPlanProducts = readFn()
  .validator(checked(z.extend(planProductsInput, { key })))
  .handler(({ data: { key: planKey, ...paging }, context }) =>
    context.callApi(async (api) => {
      const plan = await planByKey(api, planKey)
      return { plan, products: await api.subscriptions.planProducts({ id: plan.id, ...paging }) }
    }),
  )

/** Every plan on sale with its first products. */
const getPlanSections = readFn()
  .validator(checked(z.object({ size })))
  .handler(({ data, context }) =>
    context.callApi(async (api) => {
      const { items } = await api.subscriptions.plans()
      const sections = items.map(async (plan) => ({
        plan,
        products: await api.subscriptions.planProducts({ id: plan.id, page: 1, size: data.size }),
      }))
      return { items: await Promise.all(sections) }
    }),
  )

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call((s) => getPlans({ signal: s }), { signal }),
})

/** A plan by its id or code. */
export const planQuery = (key: string) =>
  queryOptions({
    queryKey: ['plans', 'one', key],
    queryFn: ({ signal }) => call((s) => getPlan({ data: { key }, signal: s }), { signal, expected: notFoundStatuses }),
  })

export const productsPerPage = 24

export const planProductsQuery = (key: string, page: number) =>
  queryOptions({
    queryKey: ['plans', 'products', key, page],
    queryFn: ({ signal }) =>
      call((s) => getPlanProducts({ data: { key, page, size: productsPerPage }, signal: s }), {
        signal,
        expected: notFoundStatuses,
      }),
    placeholderData: keepPreviousData,
  })

/** Products shown for each plan. */
const sectionSize = 10

export const planSectionsQuery = queryOptions({
  queryKey: ['plans', 'sections'],
  queryFn: ({ signal }) => call((s) => getPlanSections({ data: { size: sectionSize }, signal: s }), { signal }),
})

/** Labels of a plan's price, trial and renewal, the same on every page. */
export function usePlanLabels() {
  const { t } = useLingui()
  const format = useFormat()
  return {
    /** ₩9,900 a month */
    price: (price: Money, cycle: PlanCycle) => {
      const amount = format.money(price)
      return cycle === 'MONTH' ? t`${amount} a month` : t`${amount} a year`
    },
    per: (cycle: PlanCycle) => (cycle === 'MONTH' ? t`per month` : t`per year`),
    trial: (days: number) => t`${plural(days, { one: '# day free', other: '# days free' })}`,
    renewal: (price: Money, cycle: PlanCycle) => {
      const amount = format.money(price)
      return cycle === 'MONTH'
        ? t`Renews monthly at ${amount} until you cancel.`
        : t`Renews yearly at ${amount} until you cancel.`
    },
  }
}

/** The days of the trial that a member who subscribes now gets; 0 without one. */
export const trialDaysOf = ({ trialAvailable, trialDays }: Pick<Plan, 'trialAvailable' | 'trialDays'>): number =>
  trialAvailable ? trialDays : 0
