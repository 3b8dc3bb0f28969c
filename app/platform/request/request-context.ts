import { LRUCache } from 'lru-cache'
import type { Category } from '#contract/catalog.ts'
import type { CustomerCode } from '#contract/ids.ts'
import type { ContractStatus, SiteSettings } from '#contract/tenancy.ts'
import {
  type ApiBinding,
  type ApiProxy,
  type Caller,
  type CustomerApi,
  createCustomerApi,
  problemFromError,
} from '~/platform/api/client'
import { failed, type Result, succeeded } from '~/platform/api/problem'
import type { LocaleState } from '~/platform/i18n/i18n'
import type { Locale } from '~/platform/i18n/locales'

/** For what changes with time alone, such as a banner's period. Milliseconds. */
const freshFor = 30_000
const mostAnswers = 2_000

const byApi = new WeakMap<ApiBinding, LRUCache<string, Result<unknown>>>()

interface TenantAt {
  api: ApiBinding
  customerCode: string
  /** Moves with every tenant-wide change. */
  version: number
  /** Undefined before it is negotiated: the store's own. */
  language: string | undefined
}

/**
 * An answer that is the same for every visitor of a tenant in one language, kept from one request to the next. The tenant's version is part of its
 * key, so nothing that was changed since is ever shown. A refusal is not kept.
 */
async function cachedAnswer<T>(
  { api, customerCode, version, language = '' }: TenantAt,
  name: string,
  load: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const answers = byApi.get(api) ?? new LRUCache({ max: mostAnswers, ttl: freshFor })
  byApi.set(api, answers)
  const key = `${customerCode} ${version} ${language} ${name}`
  const known = answers.get(key) as Result<T> | undefined
  if (known) return known
  const answer = await load()
  if (answer.ok) answers.set(key, answer)
  return answer
}

/**
 * What belongs to the tenant and not to the visitor. The contract status, with the tenant's version, is asked for once per
 * request; what else is read under that version is kept for other requests too.
 */
export interface TenantReads {
  contract: () => Promise<Result<ContractStatus>>
  settings: () => Promise<Result<SiteSettings>>
  categories: () => Promise<Result<{ items: Category[] }>>
  /** Any other answer that is the same for all, by a name of its own; read as somebody without a name would. */
  shared: <T>(name: string, read: (api: CustomerApi) => Promise<T>) => Promise<Result<T>>
}

/** Everything the server knows about one request; the same object for middleware, loaders and server functions. */
export interface RequestContext {
  handlerType: 'router' | 'serverFn'
  customerCode: CustomerCode
  requestId: string
  nonce: string
  /** The origin the browser sees. */
  origin: string
  secure: boolean
  /** An `authorization` for the API is at hand. The token itself never leaves the server. */
  hasToken: boolean
  /** The session has ended: what is still asked in this request is asked as a guest. */
  forgetToken: () => void
  /** Neither a member nor a guest with a cart, a history or a preview link: what such a visitor sees, everyone of the kind sees. */
  isAnonymous: boolean
  locale: Locale
  prefixed: boolean
  surface: string | undefined
  crawler: boolean
  api: CustomerApi
  /** The API for what is carried as a stream: files up and down. */
  apiProxy: ApiProxy
  tenant: TenantReads
}

/** The tenant-wide reads of one request. What outlives it is kept for `binding`, the API of all requests. */
export function createTenantReads(
  api: CustomerApi,
  customerCode: CustomerCode,
  caller: Caller,
  binding: ApiBinding,
): TenantReads {
  const attempt = async <T>(run: () => Promise<T>): Promise<Result<T>> => {
    try {
      return succeeded(await run())
    } catch (error) {
      const problem = problemFromError(error, caller.requestId)
      if (problem) return failed(problem)
      throw error
    }
  }
  // The settings are read before the language is known that they offer, so the caller is looked at anew for each answer.
  const isAnonymous = () => createCustomerApi(customerCode, anonymousCaller(caller))
  const contract = onceAsync(() => attempt(() => api.tenancy.contract()))
  const shared = async <T>(name: string, read: (api: CustomerApi) => Promise<T>): Promise<Result<T>> => {
    const language = caller.locale
    const load = () => attempt(() => read(isAnonymous()))
    const status = await contract()
    if (!status.ok) return load()
    const { version, preview } = status.data
    // A preview link shows drafts as well.
    return cachedAnswer({ api: binding, customerCode, version, language }, preview ? `${name} preview` : name, load)
  }
  return {
    contract,
    settings: onceAsync(() => shared('settings', ({ tenancy }) => tenancy.siteSettings())),
    categories: onceAsync(() => shared('categories', ({ catalog }) => catalog.categories())),
    shared,
  }
}

const anonymousCaller = ({ onGuestToken: _, onDeviceToken: __, ...caller }: Caller): Caller => ({
  ...caller,
  token: undefined,
  guestToken: undefined,
  deviceToken: undefined,
})

/** The API for this visit. */
export const visitApi = (customerCode: CustomerCode, caller: Caller) => createCustomerApi(customerCode, caller)

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function onceAsync<T>(run: () => Promise<T>): () => Promise<T> {
  return once(() => {
    const running = run()
    // Started early and read later: a failure in between is not unhandled.
    running.catch(() => {})
    return running
  })
}

/** What a page needs of the request that its address alone does not say. */
export interface PageRequest extends LocaleState {
  nonce: string | undefined
  origin: string
  surface: string | undefined
  requestId: string | undefined
  crawler: boolean
  /** Drawing the page failed on the server: the error screen takes its place. */
  failure?: { error: unknown }
}
