import type { Category } from '#contract/catalog.ts'
import type { CustomerCode } from '#contract/ids.ts'
import type { ContractStatus, SiteSettings } from '#contract/tenancy.ts'
import { type Caller, type CustomerApi, createCustomerApi, problemFromError } from '~/platform/api/client'
import { failed, type Result, succeeded } from '~/platform/api/problem'
import type { Locale } from '~/platform/i18n/locales'

/** What belongs to the tenant and not to the visitor. Each is asked for once per request, by whoever needs it first. */
export interface TenantReads {
  contract: () => Promise<Result<ContractStatus>>
  settings: () => Promise<Result<SiteSettings>>
  categories: () => Promise<Result<{ items: Category[] }>>
}

/** Everything the server knows about one request; the same object for middleware, loaders and server functions. */
export interface Visit {
  handlerType: 'router' | 'serverFn'
  customerCode: CustomerCode
  requestId: string
  nonce: string
  /** The origin the browser sees. */
  origin: string
  secure: boolean
  /** An `authorization` for the API is at hand. The token itself never leaves the server. */
  hasToken: boolean
  locale: Locale
  prefixed: boolean
  surface: string | undefined
  crawler: boolean
  api: CustomerApi
  tenant: TenantReads
}

/** The tenant-wide reads of one request. */
export function tenantReads(api: CustomerApi, requestId: string): TenantReads {
  const attempt = async <T>(run: () => Promise<T>): Promise<Result<T>> => {
    try {
      return succeeded(await run())
    } catch (error) {
      const problem = problemFromError(error, requestId)
      if (problem) return failed(problem)
      throw error
    }
  }
  return {
    contract: once(() => attempt(() => api.tenancy.contract())),
    settings: once(() => attempt(() => api.tenancy.siteSettings())),
    categories: once(() => attempt(() => api.catalog.categories())),
  }
}

/** The API for this visit. */
export const visitApi = (customerCode: CustomerCode, caller: Caller) => createCustomerApi(customerCode, caller)

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    if (!running) {
      running = run()
      // Started early and read later: a failure in between is not unhandled.
      running.catch(() => {})
    }
    return running
  }
}
