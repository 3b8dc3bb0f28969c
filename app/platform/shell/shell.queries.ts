import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { memberFreshness, shellFreshness } from '~/platform/constants'
import { getCategories, getContract, getMe, getSiteSettings } from './shell.functions'

export const contractQuery = queryOptions({
  queryKey: ['contract'],
  queryFn: ({ signal }) => call((s) => getContract({ signal: s }), { signal }),
  staleTime: shellFreshness,
})

export const siteSettingsQuery = queryOptions({
  queryKey: ['site-settings'],
  queryFn: ({ signal }) => call((s) => getSiteSettings({ signal: s }), { signal }),
  staleTime: shellFreshness,
})

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => call(async (s) => getCategories({ signal: s }), { signal }),
  staleTime: shellFreshness,
  select: ({ items }) => items,
})

/** The signed-in member; null for a guest. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call((s) => getMe({ signal: s }), { signal }),
  staleTime: memberFreshness,
})

/** The tenant's settings. Loaded before any page is. */
export const useSiteSettings = () => useSuspenseQuery(siteSettingsQuery).data

/** The category tree, flat, in menu order. */
export const useCategories = () => useSuspenseQuery(categoriesQuery).data

/** The signed-in member; null for a guest. */
export const useMe = () => useQuery(meQuery).data ?? null
