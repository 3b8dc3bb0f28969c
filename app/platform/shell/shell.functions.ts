import { useLingui } from '@lingui/react'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '#contract/accounts.ts'
import type { Category } from '#contract/catalog.ts'
import { type SettingsInLanguage, type SiteSettings, settingsIn } from '#contract/tenancy.ts'
import { call } from '~/platform/api/call'
import { type Result, succeeded } from '~/platform/api/problem'
import { readFn } from '~/platform/api/server-fn'
import { memberFreshness, shellFreshness } from '~/platform/constants'
import type { Locale } from '~/platform/i18n/locales'
import { endSession } from '~/platform/session/server-session'

/** The contract status. Where it cannot be had, approval is cancelled. */
const getContract = readFn().handler(async ({ context }) => {
  const answer = await context.requestContext.tenant.contract()
  if (!answer.ok) await endSession(context.requestContext)
  return answer
})

const getSiteSettings = readFn().handler(({ context }) => context.requestContext.tenant.settings())

const getCategories = readFn().handler(({ context }) => context.requestContext.tenant.categories())

/** The signed-in member, or null for a guest. A token that no longer names a member is given up. */
const getMe = readFn().handler(async ({ context }): Promise<Result<Me | null>> => {
  if (!context.requestContext.hasToken) return succeeded(null)
  const answer = await context.ask((api) => api.accounts.me())
  if (!answer.ok) await endSession(context.requestContext)
  return answer
})

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

const localizedSettings = new WeakMap<SiteSettings, Map<Locale, SettingsInLanguage>>()

/** The same object for the same settings and language, so that nobody renders anew because of it. */
export function settingsFor(settings: SiteSettings, locale: Locale): SettingsInLanguage {
  const known = localizedSettings.get(settings) ?? new Map<Locale, SettingsInLanguage>()
  localizedSettings.set(settings, known)
  const found = known.get(locale) ?? settingsIn(settings, locale)
  known.set(locale, found)
  return found
}

/** The tenant's settings in the language of the page. Loaded before any page is. */
export function useSiteSettings(): SettingsInLanguage {
  const { i18n } = useLingui()
  const kept = useServerCache(siteSettingsQuery.queryKey)
  // biome-ignore lint/correctness/useHookAtTopLevel: which of the two is settled by the side it runs on
  const settings = kept ?? useSuspenseQuery(siteSettingsQuery).data
  return settingsFor(settings, i18n.locale as Locale)
}

/** The category tree, flat, in menu order. */
export function useCategories(): Category[] {
  const kept = useServerCache(categoriesQuery.queryKey)
  // biome-ignore lint/correctness/useHookAtTopLevel: which of the two is settled by the side it runs on
  return kept?.items ?? useSuspenseQuery(categoriesQuery).data
}

/** The signed-in member; null for a guest. */
export function useMe(): Me | null {
  const kept = useServerCache(meQuery.queryKey)
  // biome-ignore lint/correctness/useHookAtTopLevel: which of the two is settled by the side it runs on
  return kept === undefined ? (useQuery(meQuery).data ?? null) : kept
}

/**
 * What is in the cache, on the server alone: a page is drawn there once, and nobody needs to be told of changes. Dozens of parts ask
 * for the same answer, and an observer for each would cost more than the parts do.
 */
function useServerCache<Key extends readonly unknown[]>(queryKey: Key) {
  const queryClient = useQueryClient()
  return import.meta.env.SSR ? queryClient.getQueryData(queryKey) : undefined
}
