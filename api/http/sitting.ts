import type pg from 'pg'
import { createSharedReads, type SharedReads } from '#api/db/shared-reads.ts'
import { type ResolvedStore, resolveStore } from '#api/domain/tenancy/resolve-customer.ts'

/**
 * What the calls share that one request of a browser makes, a page being drawn for example: whose store it is, who asks, and the
 * transaction they read in. It lives as long as that request, and holds nothing that was not found for it. A call that may write
 * begins with nothing and leaves nothing.
 */
export interface Sitting {
  /** The tenant behind a code, and whose the host is that a storefront was asked at; null when there is none. */
  store: (code: string, host: string | null) => Promise<ResolvedStore | null>
  /** Looks something up under a name, once. What fails is not kept. */
  once: <Found>(name: string, look: () => Promise<Found>) => Promise<Found>
  read: SharedReads
  /** What was looked up may be so no longer. */
  forget: () => void
}

export const createSitting = (deps: { pool: pg.Pool }): Sitting => {
  const found = new Map<string, Promise<unknown>>()
  const once: Sitting['once'] = (name, look) => {
    const known = found.get(name) as ReturnType<typeof look> | undefined
    if (known) return known
    const looking = look()
    found.set(name, looking)
    looking.catch(() => found.get(name) === looking && found.delete(name))
    return looking
  }
  return {
    store: (code, host) => once(`store ${code} ${host ?? ''}`, () => resolveStore(deps, code, host)),
    once,
    read: createSharedReads(deps.pool),
    forget: () => found.clear(),
  }
}
