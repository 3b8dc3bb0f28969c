import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { invalidatePages } from '#api/modules/tenancy/store-states.ts'
import { openCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Clock } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { ProductIndexes } from './product-index.ts'

/** Dependencies of the catalog's background jobs. */
export interface CatalogDeps {
  pool: pg.Pool
  clock: Clock
  productIndexes: ProductIndexes
  log: Logger
}

const everyMilliseconds = 2_000

/**
 * Loads the product indexes of open stores ahead of use, one at a time, and reloads those that
 * changed. A visitor waits for an index only within two seconds of a change. Indexes that do not
 * fit are loaded on demand. A sale that begins or ends moves the version of its store, so that no
 * cached page shows it longer. Stops when disposed.
 */
export const warmProductIndexes = ({ pool, clock, productIndexes, log }: CatalogDeps): AsyncDisposable => {
  const stop = new AbortController()
  let checkedAt = clock.now()
  const refresh = async () => {
    const now = clock.now()
    for (const customer of await openCustomers(pool)) {
      if (stop.signal.aborted) return
      const indexedVersion = productIndexes.versionOf(customer.id)
      if (indexedVersion === null ? productIndexes.hasSpace() : indexedVersion < customer.version)
        await productIndexes.of(customer)
      if (productIndexes.saleChanges(customer.id, checkedAt, now))
        await withTenant(pool, customer.id, (db) => invalidatePages(db, customer))
    }
    checkedAt = now
  }
  const refreshRepeatedly = async () => {
    while (!stop.signal.aborted) {
      await refresh().catch((error: unknown) => log.info({ err: error }, 'Product indexes could not be warmed'))
      await sleep(everyMilliseconds, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }
  const running = refreshRepeatedly()
  return {
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return running
    },
  }
}
