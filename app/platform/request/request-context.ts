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

/** Milliseconds, for data that change with time alone, such as a banner's period. */
const freshFor = 30_000
/** The weight of all cached answers; most weigh 1. */
const maxWeight = 2_000

const byApi = new WeakMap<ApiBinding, LRUCache<string, Result<unknown>>>()

interface TenantAt {
  api: ApiBinding
  customerCode: string
  /** Changes with every tenant-wide change. */
  version: number
  /** Undefined before negotiation: the store's own. */
  language: string | undefined
}

/**
 * Caches a result that is the same for every visitor of a tenant in one language. The tenant's
 * version is part of the key, so changes show at once. Failures are not cached.
 */
async function cachedAnswer<T>(
  { api, customerCode, version, language = '' }: TenantAt,
  name: string,
  load: () => Promise<Result<T>>,
  size = 1,
): Promise<Result<T>> {
  const answers = byApi.get(api) ?? new LRUCache({ maxSize: maxWeight, ttl: freshFor })
  byApi.set(api, answers)
  const key = `${customerCode} ${version} ${language} ${name}`
  // The key contains `name`, and each name is read by one function.
  const cached = answers.get(key) as Result<T> | undefined
  if (cached) return cached
  const answer = await load()
  if (answer.ok) answers.set(key, answer, { size })
  return answer
}

/**
 * Reads of data that are the tenant's, not the visitor's. The contract status, with the tenant's
 * version, is read once per request; other reads are cached under that version.
 */
export interface TenantReads {
  contract: () => Promise<Result<ContractStatus>>
  settings: () => Promise<Result<SiteSettings>>
  categories: () => Promise<Result<{ items: Category[] }>>
  /**
   * Reads other data that are the same for all visitors, as an anonymous caller. `name` is the
   * cache key, `weight` the memory of an answer, as a multiple of a small one. Answers never
   * change.
   */
  shared: <T>(name: string, read: (api: CustomerApi) => Promise<T>, weight?: number) => Promise<Result<T>>
}

/**
 * Everything the server knows about one request. Middleware, loaders and server functions share the
 * object.
 */
export interface RequestContext {
  handlerType: 'router' | 'serverFn'
  customerCode: CustomerCode
  requestId: string
  nonce: string
  /** The origin the browser sees. */
  origin: string
  secure: boolean
  /** Whether the request has a session token. The token itself never leaves the server. */
  hasToken: boolean
  /** Makes the rest of this request anonymous, after the session has ended. */
  clearToken: () => void
  /**
   * Neither a member nor a guest with a cart, a history or a preview link, so pages may be shared.
   */
  isAnonymous: boolean
  locale: Locale
  prefixed: boolean
  surface: string | undefined
  crawler: boolean
  api: CustomerApi
  /** The API for uploads and downloads. */
  apiProxy: ApiProxy
  tenant: TenantReads
}

/**
 * Creates the tenant-wide reads of one request. The cache belongs to `binding`, which all requests
 * share.
 */
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
  // The settings are read before the language is negotiated, so each read uses the caller's current
  // language.
  const createAnonymousApi = () => createCustomerApi(customerCode, anonymousCaller(caller))
  const contract = onceAsync(() => attempt(() => api.tenancy.contract()))
  const shared: TenantReads['shared'] = async (name, read, weight) => {
    const language = caller.locale
    const load = () => attempt(() => read(createAnonymousApi()))
    const status = await contract()
    // What a preview link shows of another time is not cached.
    if (!status.ok || status.data.previewAt) return load()
    const { version, preview } = status.data
    // A preview link shows drafts, so it has its own cache entries.
    const at = { api: binding, customerCode, version, language }
    return cachedAnswer(at, preview ? `${name} preview` : name, load, weight)
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

function memoize<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

function onceAsync<T>(run: () => Promise<T>): () => Promise<T> {
  return memoize(() => {
    const running = run()
    // Started early and awaited later: a failure in between must not count as unhandled.
    running.catch(() => {})
    return running
  })
}

/** What a page needs to know of the request besides its URL. */
export interface PageRequest extends LocaleState {
  nonce: string | undefined
  origin: string
  surface: string | undefined
  requestId: string | undefined
  crawler: boolean
  /** Has neither an account nor a cart or a history. */
  isAnonymous: boolean
  /** The HTML of cached parts, each a list of pieces, while the server renders the page. */
  parts?: Uint8Array<ArrayBuffer>[][]
  /** Set when rendering failed on the server: the error screen is shown instead. */
  failure?: { error: unknown }
}
