import { LRUCache } from 'lru-cache'
import type { ApiBinding } from '~/platform/api/binding'
import type { Result } from '~/platform/api/problem'

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
export async function cachedAnswer<T>(
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
