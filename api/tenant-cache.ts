import { LRUCache } from 'lru-cache'
import type { Locale } from '#contract/enumerations.ts'
import type { Customer } from './context.ts'

const freshMilliseconds = 30_000

interface Reader {
  customer: Pick<Customer, 'id' | 'version'>
  locale: Locale
}

/**
 * Answers that are the same for every visitor of a tenant in one language, kept in this process. The tenant's version is part of the key
 * and moves in the transaction that changes anything, so nothing changed is ever answered; the age limit is for what changes by time alone.
 */
export const createTenantCache = () => {
  const answers = new LRUCache<string, Promise<unknown>>({ max: 5000, ttl: freshMilliseconds })
  return {
    get: <Answer>({ customer, locale }: Reader, key: string, load: () => Promise<Answer>) => {
      const full = `${customer.id}:${customer.version}:${locale}:${key}`
      const kept = answers.get(full) as Promise<Answer> | undefined
      if (kept) return kept
      // A statement of the query builder is sent anew each time it is awaited, on the connection it was made for.
      const loading = Promise.resolve(load())
      answers.set(full, loading)
      loading.catch(() => answers.delete(full))
      return loading
    },
  }
}
export type TenantCache = ReturnType<typeof createTenantCache>
