import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { ContractStatus } from '#contract/tenancy.ts'
import { isOutdated } from '~/platform/builds/build-watch'
import { hasDirtyForm } from '~/platform/forms/dirty-forms'
import { cancelApproval } from '~/platform/session/cancel-approval'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.queries'
import { isOpenToGuests } from './access'
import { setCategoryMenu } from './category-menu'
import { safeReturnPath } from './return-path'
import { ruleRedirect } from './route-rules'

interface Navigation {
  queryClient: QueryClient
  location: ParsedLocation
  /** The path fits a route. */
  routeFound: boolean
  /** The address of a path in the language the visitor's address names. */
  inLanguage: (path: string) => string
  /** Only fetched ahead, not gone to. */
  preload: boolean
}

/**
 * What happens on every navigation, in this order: route validation, contract check, site settings, user, categories,
 * the category menu closes, login-required check, route rules. The loads begin together and are waited for in turn; what
 * is still fresh costs no request.
 */
export async function rootGuard({ queryClient, location, routeFound, inLanguage, preload }: Navigation) {
  if (!preload) reloadForNewerBuild(location)

  const contract = queryClient.ensureQueryData({ ...contractQuery, revalidateIfStale: true })
  const settings = queryClient.ensureQueryData({ ...siteSettingsQuery, revalidateIfStale: true })
  const user = queryClient.ensureQueryData({ ...meQuery, revalidateIfStale: true })
  const categories = queryClient.ensureQueryData({ ...categoriesQuery, revalidateIfStale: true })
  for (const load of [contract, settings, user, categories]) load.catch(() => {})

  checkContract(await contract.catch(giveUpApproval), location.pathname)
  const site = await settings
  // A path the tenant sends elsewhere is a valid one, though no page stands there any more.
  const rule = ruleRedirect(location.pathname, site, location.searchStr)
  const member = await user.catch(async () => {
    queryClient.setQueryData(meQuery.queryKey, null)
    await giveUpApprovalQuietly()
    return null
  })
  // A store without its menu is still a store.
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

/** A newer build is taken with the next navigation, unless a half-filled form would be lost. */
function reloadForNewerBuild(location: ParsedLocation) {
  if (typeof window === 'undefined' || !isOutdated() || hasDirtyForm()) return
  throw redirect({ href: location.publicHref, reloadDocument: true })
}

const contractPages = {
  expired: '/customer/contract-expired',
  disabled: '/customer/site-disabled',
  comingSoon: '/customer/coming-soon',
} as const

const closedPageOf = ({ useCustomer, useSite, opened, preview }: ContractStatus) => {
  if (!useCustomer) return contractPages.expired
  if (!useSite) return contractPages.disabled
  return opened || preview ? undefined : contractPages.comingSoon
}

/** A closed store shows its closed page on every path, known or not; an open one shows none of them. */
function checkContract(status: ContractStatus, pathname: string) {
  const page = closedPageOf(status)
  const onContractPage = Object.values<string>(contractPages).includes(pathname)
  if (page && pathname !== page) throw redirect({ to: page })
  if (!page && onContractPage) throw redirect({ to: '/' })
}

async function giveUpApproval(error: unknown): Promise<never> {
  await giveUpApprovalQuietly()
  throw error
}

/** On the server the failed load has done it already. */
const giveUpApprovalQuietly = async () => {
  if (typeof window !== 'undefined') await cancelApproval()
}
