import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import type { ProductIndexes } from './product-index.ts'

/** Dependencies of the catalog's background jobs. */
export interface CatalogDeps {
  pool: pg.Pool
  productIndexes: ProductIndexes
  log: Logger
}

const everyMilliseconds = 2_000

/**
 * Loads the product indexes of open stores ahead of use, one at a time, and reloads those that
 * changed. A visitor waits for an index only within two seconds of a change. Indexes that do not
 * fit are loaded on demand. Stops when disposed.
 */
export const warmProductIndexes = ({ pool, productIndexes, log }: CatalogDeps): AsyncDisposable => {
  const stop = new AbortController()
  const refresh = async () => {
    for (const customer of await openCustomers(pool)) {
      if (stop.signal.aborted) return
      const indexedVersion = productIndexes.versionOf(customer.id)
      if (indexedVersion === null ? productIndexes.hasSpace() : indexedVersion < customer.version)
        await productIndexes.of(customer)
    }
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
