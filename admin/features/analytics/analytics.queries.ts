import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import type { ProductCode } from '#contract/ids.ts'
import { analyticsProcedures } from '#contract/procedures/analytics.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { useClient } from '../../platform/client'
import { type AnalyticsSearch, dayAfter, dayMilliseconds } from './analytics.search'

const procedures = { analytics: analyticsProcedures }

/** The client of this page alone: the others need none of it. */
export const useAnalyticsApi = () => useClient(procedures).analytics

/** The range of the address, the last thirty days where it names none. */
export const rangeIn = ({ days, from, to }: AnalyticsSearch): { from?: string; to?: string; days?: number } =>
  withoutUndefined(from || to ? { from, to } : { days: Number(days ?? '30') })

/** What the range of the address is compared with, where somebody chose. */
export const comparisonIn = ({ compare, compareFrom, compareTo }: AnalyticsSearch) =>
  withoutUndefined({ compare, compareFrom, compareTo })

/** The first and the last day of that range, as the API counts them. `today` is a calendar day. */
export const daysIn = (search: AnalyticsSearch, today: string) => {
  const { from, to = today, days = 30 } = rangeIn(search)
  return { from: from ?? dayAfter(to, 1 - days), to }
}

/** By what a chart is drawn where nobody chose: few days by day, a year by month. */
export const periodIn = ({ days, from, to, by }: AnalyticsSearch): AnalyticsPeriod => {
  if (by) return by
  const length = from && to ? (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1 : Number(days ?? '30')
  if (length <= 62) return 'day'
  return length <= 200 ? 'week' : 'month'
}

const rangeQuery = <Data>(name: string, input: object, load: () => Promise<Data>) =>
  queryOptions({ queryKey: ['analytics', name, input], queryFn: load })

/** One of the page's queries. What was loaded for another range stays until the next one is. */
const useRange = <Data>(name: string, input: object, load: () => Promise<Data>) =>
  useQuery({ ...rangeQuery(name, input, load), placeholderData: keepPreviousData })

type Api = ReturnType<typeof useAnalyticsApi>

export const salesQuery = (api: Api, input: Parameters<Api['sales']>[0]) =>
  rangeQuery('sales', input, () => api.sales(input))

export const useSales = (search: AnalyticsSearch) => {
  const query = salesQuery(useAnalyticsApi(), { ...rangeIn(search), ...comparisonIn(search), by: periodIn(search) })
  return useQuery({ ...query, placeholderData: keepPreviousData })
}

export const useSettlements = (search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { ...rangeIn(search), by: periodIn(search) }
  return useRange('settlements', input, () => api.settlements(input))
}

export const useTitleRevenue = (search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { ...rangeIn(search), ...comparisonIn(search), sort: search.sort ?? 'paid', size: 50 }
  return useRange('titles', input, () => api.titles(input))
}

export const useSubscriptions = (search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { ...rangeIn(search), ...comparisonIn(search) }
  return useRange('subscriptions', input, () => api.subscriptions(input))
}

export const useProducts = (search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { ...rangeIn(search), size: 50 }
  return useRange('products', input, () => api.products(input))
}

/** One product over time and by lesson. */
export const useProduct = (code: ProductCode, search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { code, ...rangeIn(search), ...comparisonIn(search), by: periodIn(search) }
  return useRange('product', input, () => api.product(input))
}

/** How far plays of a product's videos went. */
export const useRetention = (code: ProductCode, search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = { code, ...rangeIn(search) }
  return useRange('retention', input, () => api.retention(input))
}

export const useSearches = (search: AnalyticsSearch) => {
  const api = useAnalyticsApi()
  const input = rangeIn(search)
  return useRange('searches', input, () => api.searches(input))
}
