import { useLingui } from '@lingui/react'
import { type QueryKey, queryOptions, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useMemo } from 'react'
import * as z from 'zod/mini'
import type { Category } from '#contract/catalog.ts'
import type { Me } from '#contract/identity.ts'
import type { CategoryId } from '#contract/ids.ts'
import type { MenuItem } from '#contract/menu.ts'
import { type SettingsInLanguage, type SiteSettings, settingsIn } from '#contract/tenancy.ts'
import { call } from '~/platform/api/call'
import { type Result, succeeded } from '~/platform/api/problem'
import { memberFreshness, shellFreshness } from '~/platform/constants'
import { fallbackLocale, isLocale, type Locale } from '~/platform/i18n/locales'
import { checked, readFn } from '~/platform/request/server-fn'
import { clearSession } from '~/platform/request/server-session'

/** The contract status. If it cannot be read, approval is cancelled. */
const getContract = readFn().handler(async ({ context }) => {
  const answer = await context.requestContext.tenant.contract()
  if (!answer.ok) await clearSession(context.requestContext)
  return answer
})

const shownSettings = new WeakMap<SiteSettings, Map<Locale, SiteSettings>>()

/** Links of the header with titles in one language. */
const menuShownIn = (locale: Locale, menu: readonly MenuItem[]): MenuItem[] =>
  menu.map((item) => {
    if (item.kind !== 'LINK') return item
    const { titles, ...link } = item
    const title = titles?.[locale]
    return title ? { ...link, titles: { [locale]: title } } : link
  })

/**
 * Settings with translations into one language only, and without the arrangement of the home page,
 * which the server alone reads. The same object for the same settings.
 */
function settingsShownIn(locale: Locale, all: SiteSettings): SiteSettings {
  const byLocale = shownSettings.get(all) ?? new Map<Locale, SiteSettings>()
  shownSettings.set(all, byLocale)
  const cached = byLocale.get(locale)
  if (cached) return cached
  const { translations, homeSections, menu, ...settings } = all
  const translation = translations?.[locale]
  const shown = {
    ...settings,
    ...(menu && { menu: menuShownIn(locale, menu) }),
    ...(translation && { translations: { [locale]: translation } }),
  }
  byLocale.set(locale, shown)
  return shown
}

/** The tenant's settings, with translations into the language of the page only. */
const getSiteSettings = readFn().handler(async ({ context: { requestContext } }): Promise<Result<SiteSettings>> => {
  const answer = await requestContext.tenant.settings()
  return answer.ok ? succeeded(settingsShownIn(requestContext.locale, answer.data)) : answer
})

/**
 * What menus, filters and addresses need of a category. Its path identifies it and names its
 * parent; the id is there where the store's menu refers to it.
 */
export type MenuCategory = Pick<Category, 'name' | 'path' | 'formerPaths' | 'languages'> & { id?: CategoryId }

const menuCategories = new WeakMap<readonly Category[], { menu: SiteSettings['menu']; items: MenuCategory[] }>()

const getCategories = readFn().handler(async ({ context }): Promise<Result<{ items: MenuCategory[] }>> => {
  const { tenant } = context.requestContext
  const [answer, settings] = await Promise.all([tenant.categories(), tenant.settings()])
  if (!answer.ok) return answer
  const { items: all } = answer.data
  const menu = settings.ok ? settings.data.menu : undefined
  const cached = menuCategories.get(all)
  if (cached && cached.menu === menu) return succeeded({ items: cached.items })
  const named = new Set(menu?.flatMap((item) => (item.kind === 'CATEGORY' ? item.categoryId : [])))
  const items = all.map(({ id, level, slug, sort, parentId, ...category }) =>
    named.has(id) ? { id, ...category } : category,
  )
  menuCategories.set(all, { menu, items })
  return succeeded({ items })
})

/** The path of the category with an id, which old addresses contain. Null for none. */
const getCategoryPath = readFn()
  .validator(checked(z.object({ id: z.string().check(z.maxLength(40)) })))
  .handler(async ({ data, context }): Promise<Result<string | null>> => {
    const answer = await context.requestContext.tenant.categories()
    return answer.ok ? succeeded(answer.data.items.find(({ id }) => id === data.id)?.path ?? null) : answer
  })

/** Loads the path of the category with an id; null if there is none. */
export const loadCategoryPath = (id: string): Promise<string | null> =>
  call((signal) => getCategoryPath({ data: { id }, signal }))

/** The signed-in member, or null for a guest. A token that is no longer valid is dropped. */
const getMe = readFn().handler(async ({ context }): Promise<Result<Me | null>> => {
  if (!context.requestContext.hasToken) return succeeded(null)
  const answer = await context.callApi((api) => api.identity.me())
  if (!answer.ok) await clearSession(context.requestContext)
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

/**
 * Returns the same object for the same settings and language, so that components do not render
 * again.
 */
export function settingsFor(settings: SiteSettings, locale: Locale): SettingsInLanguage {
  const byLocale = localizedSettings.get(settings) ?? new Map<Locale, SettingsInLanguage>()
  localizedSettings.set(settings, byLocale)
  const localized = byLocale.get(locale) ?? settingsIn(settings, locale)
  byLocale.set(locale, localized)
  return localized
}

interface ShellData {
  settings: SiteSettings | undefined
  categories: MenuCategory[] | undefined
  me: Me | null | undefined
}

/**
 * What the components of every page read, in the browser. Dozens of them do: an observer of the
 * query cache for each would cost more than rendering them.
 */
export const ShellContext = createContext<ShellData | undefined>(undefined)

/** The guard of the root loads them; a closed store's page shows none. */
const isLoaded = ({ state }: { state: { data: unknown } }) => state.data !== undefined

/**
 * The value of the context, for the root of the page. Undefined on the server, which renders once.
 */
export function useShellData(): ShellData | undefined {
  if (import.meta.env.SSR) return undefined
  // biome-ignore-start lint/correctness/useHookAtTopLevel: constant per environment
  const { data: settings } = useQuery({ ...siteSettingsQuery, enabled: isLoaded })
  const { data: categories } = useQuery({ ...categoriesQuery, enabled: isLoaded })
  const { data: me } = useQuery({ ...meQuery, enabled: isLoaded })
  return useMemo(() => ({ settings, categories, me }), [settings, categories, me])
  // biome-ignore-end lint/correctness/useHookAtTopLevel: constant per environment
}

/**
 * The tenant's settings in the page's language. The root route loads them before any page.
 * @throws Error before that
 */
export function useSiteSettings(): SettingsInLanguage {
  const { i18n } = useLingui()
  const queryClient = useQueryClient()
  const settings = use(ShellContext)?.settings ?? queryClient.getQueryData(siteSettingsQuery.queryKey)
  if (!settings) throw new Error('The settings of the store are not loaded.')
  return settingsFor(settings, isLocale(i18n.locale) ? i18n.locale : fallbackLocale)
}

/** The category tree, flat, in menu order. */
export function useCategories(): MenuCategory[] {
  const queryClient = useQueryClient()
  return use(ShellContext)?.categories ?? queryClient.getQueryData(categoriesQuery.queryKey)?.items ?? []
}

/** The signed-in member; null for a guest. */
export function useMe(): Me | null {
  const queryClient = useQueryClient()
  return use(ShellContext)?.me ?? queryClient.getQueryData(meQuery.queryKey) ?? null
}

/**
 * The data of a query as far as they are loaded. The server reads them from the cache, without an
 * observer.
 */
export function useLoaded<Data, Key extends QueryKey>(query: UseQueryOptions<Data, Error, Data, Key>) {
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useHookAtTopLevel: constant per environment
  return import.meta.env.SSR ? queryClient.getQueryData<Data>(query.queryKey) : useQuery(query).data
}
