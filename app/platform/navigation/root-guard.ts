import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { ruleRedirect } from '#contract/route-rules.ts'
import { type StoreState, storeStateOf } from '#contract/store-state.ts'
import type { ContractStatus } from '#contract/tenancy.ts'
import { safeReturnPath } from '~/platform/address'
import { isOutdated } from '~/platform/builds'
import { requestTimeout } from '~/platform/constants'
import { hasDirtyForm } from '~/platform/forms/dirty-forms'
import { setCategoryMenu } from '~/platform/shell/categories'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

/** Ends the session on the server and clears its cookie. Failures are ignored. */
async function cancelApproval(): Promise<void> {
  await fetch('/api/cancel-approval', {
    headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    signal: AbortSignal.timeout(requestTimeout),
  }).catch(() => undefined)
}

/**
 * With `operation.useLogin`, all pages except these require a sign-in. `*` matches one segment or
 * more.
 */
export const openToGuests = [
  '/login',
  '/reset-password',
  '/join/*',
  '/pages/*',
  '/notices',
  '/notices/*',
  '/faq',
  '/customer/coming-soon',
  '/customer/site-disabled',
  '/customer/contract-expired',
] as const

/** Whether a guest may open a path of a store that requires a sign-in. */
export const isOpenToGuests = (pathname: string): boolean =>
  openToGuests.some((pattern) =>
    pattern.endsWith('/*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  )

interface Navigation {
  queryClient: QueryClient
  location: ParsedLocation
  /** The path matches a route. */
  routeFound: boolean
  /** Adds the language prefix of the visitor's address to a path. */
  inLanguage: (path: string) => string
  /** A preload, not a navigation. */
  preload: boolean
}

/**
 * Runs on every navigation, in this order: route validation, contract check, site settings, user,
 * categories, category menu closes, login-required check, route rules. The loads start together and
 * are awaited in turn. Fresh data cost no request.
 * @throws redirects
 */
export async function rootGuard({ queryClient, location, routeFound, inLanguage, preload }: Navigation) {
  if (!preload) reloadForNewerBuild(location)

  const contract = queryClient.ensureQueryData({ ...contractQuery, revalidateIfStale: true })
  const settings = queryClient.ensureQueryData({ ...siteSettingsQuery, revalidateIfStale: true })
  const user = queryClient.ensureQueryData({ ...meQuery, revalidateIfStale: true })
  const categories = queryClient.ensureQueryData({ ...categoriesQuery, revalidateIfStale: true })
  for (const load of [contract, settings, user, categories]) load.catch(() => {})

  checkContract(await contract.catch(cancelApprovalAndThrow), location.pathname)
  const site = await settings
  // A path with a redirect rule is valid even without a page.
  const rule = ruleRedirect(location.pathname, site, location.searchStr)
  const member = await user.catch(async () => {
    queryClient.setQueryData(meQuery.queryKey, null)
    await cancelApprovalInBrowser()
    return null
  })
  // The store works without its menu.
  await categories.catch(() => queryClient.setQueryData(categoriesQuery.queryKey, { items: [] }))
  if (!preload) setCategoryMenu(false)

  if (!routeFound && !rule) return
  if (site.operation.useLogin && !member && !isOpenToGuests(location.pathname)) {
    throw redirect({ to: '/login', search: { redirect: safeReturnPath(location.href) } })
  }
  if (!rule) return
  const { href, external, statusCode } = rule
  throw redirect({ href: external ? href : inLanguage(href), statusCode, reloadDocument: external })
}

/** Loads a newer build with the next navigation, unless a form has unsaved input. */
function reloadForNewerBuild(location: ParsedLocation) {
  if (typeof window === 'undefined' || !isOutdated() || hasDirtyForm()) return
  throw redirect({ href: location.publicHref, reloadDocument: true })
}

const contractPages = {
  ENDED: '/customer/contract-expired',
  CLOSED: '/customer/site-disabled',
  COMING_SOON: '/customer/coming-soon',
} as const satisfies Record<Exclude<StoreState, 'OPEN'>, string>

const closedPageOf = (status: ContractStatus) => {
  const state = storeStateOf(status)
  if (state === 'OPEN' || (state === 'COMING_SOON' && status.preview)) return undefined
  return contractPages[state === 'COMING_SOON' && status.maintenance ? 'CLOSED' : state]
}

/** A closed store shows its contract page on every path; an open one shows none of them. */
function checkContract(status: ContractStatus, pathname: string) {
  const page = closedPageOf(status)
  const onContractPage = Object.values<string>(contractPages).includes(pathname)
  if (page && pathname !== page) throw redirect({ to: page })
  if (!page && onContractPage) throw redirect({ to: '/' })
}

async function cancelApprovalAndThrow(error: unknown): Promise<never> {
  await cancelApprovalInBrowser()
  throw error
}

/** On the server the failed load has already done it. */
const cancelApprovalInBrowser = async () => {
  if (typeof window !== 'undefined') await cancelApproval()
}
