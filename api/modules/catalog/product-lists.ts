import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { invalidatePages } from '#api/modules/tenancy/store-states.ts'
import { findCustomerId, type OpenCustomer, readOpenCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Clock, Ctx, Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { countCacheRead } from '#api/platform/telemetry/telemetry.ts'
import type { CustomerId } from '#contract/ids.ts'
import { type IndexVersion, readIndexVersion } from './patch-product-index.ts'
import { insertUnchangedIndex, type MatchingProducts, readNextSaleChange } from './product-index.queries.ts'
import { nextSaleChange, type ProductIndex } from './product-index.ts'
import { listsInDatabase, type ProductLists, type ProductSelection } from './product-lists.queries.ts'
import {
  countProducts,
  type FilteredRows,
  filterRows,
  findRelatedProducts,
  type Matches,
  type ProductIndexFilter,
  pageOfProducts,
} from './query-product-index.ts'
import { hasRow } from './row-sets.ts'

const listsInIndex = (index: ProductIndex): ProductLists => {
  const rowOf = (ordinal: number) => (index.rowAfterOrdinal[ordinal] ?? 0) - 1
  let last: { of: readonly unknown[]; matches: Matches; rows: FilteredRows } | undefined
  /** A request counts its rows and then reads a page of the same ones. */
  const filtered = (selection: ProductSelection, filter: ProductIndexFilter, now: number) => {
    const of = [selection, filter, now]
    if (last?.of.every((each, at) => each === of[at])) return last
    const matches = rowsIn(index, selection)
    last = { of, matches, rows: filterRows(index, matches, filter, now) }
    return last
  }
  return {
    count: async (...given) => countProducts(index, filtered(...given).rows),
    page: async (selection, filter, sort, { now, ...page }) => {
      const { matches, rows } = filtered(selection, filter, now)
      return pageOfProducts(index, matches, rows.all, sort, page)
    },
    prices: async (ordinals, filter, now) => {
      const found = ordinals.map((ordinal) => [ordinal, rowOf(ordinal)] as const).filter(([, row]) => row >= 0)
      const matches = { rows: Uint32Array.from(found, ([, row]) => row), ranks: null }
      const { all } = filterRows(index, matches, filter, now)
      return new Map(
        found
          .filter(([, row]) => hasRow(all, row))
          .map(([ordinal, row]) => {
            const price = index.price[row] ?? Number.NaN
            return [ordinal, Number.isNaN(price) ? null : price]
          }),
      )
    },
    haveAny: async (matches) => matches.ordinals.some((ordinal) => rowOf(ordinal) >= 0),
    related: async (subject, now, limit) => findRelatedProducts(index, subject, now, limit),
  }
}

const rowsIn = (index: ProductIndex, selection: ProductSelection): Matches => {
  if (selection === null) return null
  if ('matches' in selection) return rowsOfMatches(index, selection.matches)
  const { starts, values, names } = index.categories
  const rows: number[] = []
  if ('productIds' in selection)
    rows.push(
      ...selection.productIds
        .map(index.ids.rowOf)
        .filter((row) => row >= 0)
        .sort((a, b) => a - b),
    )
  else {
    const categories = new Set(selection.categoryIds.map((id) => names.indexOf(id)))
    for (let row = 0; row < index.size; row++)
      if (values.subarray(starts[row], starts[row + 1]).some((category) => categories.has(category))) rows.push(row)
  }
  return { rows: Uint32Array.from(rows), ranks: null }
}

const rowsOfMatches = (index: ProductIndex, matches: MatchingProducts): NonNullable<Matches> => {
  const rows = new Uint32Array(matches.ordinals.length)
  const ranks = new Uint32Array(matches.ordinals.length)
  let length = 0
  for (let at = 0; at < matches.ordinals.length; at++) {
    // `at` is below the length.
    const rowAfter = index.rowAfterOrdinal[matches.ordinals[at]!] ?? 0
    if (rowAfter === 0) continue
    rows[length] = rowAfter - 1
    // `ranks` is as long as `ordinals`.
    ranks[length++] = matches.ranks[at]!
  }
  return { rows: rows.subarray(0, length), ranks: ranks.subarray(0, length) }
}

/** Milliseconds. Counters change without a new version, so their sort order may be this old. */
const freshFor = 60_000
/** Milliseconds for which a store that is too large is not counted again. */
const largeFor = 600_000
/** The most stores whose use is remembered. */
const maxUsed = 10_000
/** Milliseconds after its last use for which an index is reloaded ahead of the next one. */
const warmFor = 3_600_000
/** The least bytes of a product in an index. */
const bytesOfProduct = 40
/** The maximum number of matches in cached searches over all tenants, at eight bytes each. */
const maxMatches = 500_000

/** Runs the reads of an index, which may come from a replica that has this version of the store. */
type ReadForIndex = <Answer>(
  customer: Pick<Customer, 'id' | 'version'>,
  work: (db: TenantDb) => Promise<Answer>,
) => Promise<Answer>

/**
 * Caches product indexes up to a number of bytes; the least recently used leave first. After a
 * version change, the products that changed are read before the answer, or all where these are not
 * known; requests that started earlier receive the newer index as well. Views and plays are read
 * again in the background while the index still serves requests.
 *
 * @param maxBytes A store whose index is larger is answered from the database
 */
export const createProductIndexes = (readFor: ReadForIndex, maxBytes: number) => {
  const cache = new LRUCache<string, IndexVersion>({ maxSize: maxBytes, sizeCalculation: ({ index }) => index.bytes })
  const used = new LRUCache<CustomerId, true>({ max: maxUsed, ttl: warmFor, ttlAutopurge: false })
  const large = new LRUCache<string, true>({ max: 10_000, ttl: largeFor })
  const pending = new Map<string, Promise<ProductIndex | null>>()
  const searches = new LRUCache<string, MatchingProducts, () => Promise<MatchingProducts>>({
    maxSize: maxMatches,
    sizeCalculation: (result) => result.ordinals.length + 1,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // A search whose place in the cache was taken still answers those who wait for it.
    ignoreFetchAbort: true,
  })

  const save = (customerId: CustomerId, { index, ...read }: Awaited<ReturnType<typeof readIndexVersion>>) => {
    if (index === null || index.bytes > maxBytes) {
      large.set(customerId, true)
      cache.delete(customerId)
      return
    }
    const current = cache.get(customerId)
    // A slow load of an older version must not replace a newer index.
    if ((current?.version ?? 0) <= read.version) cache.set(customerId, { index, ...read })
  }
  const read = (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex | null> => {
    const key = `${customer.id}:${customer.version}`
    const inProgress = pending.get(key)
    if (inProgress) return inProgress
    const maxRows = Math.floor(maxBytes / bytesOfProduct)
    const before = cache.peek(customer.id)
    const indexRead = readFor(customer, (db) => readIndexVersion(db, customer, before, maxRows))
      .then((found) => {
        save(customer.id, found)
        return found.index
      })
      .finally(() => pending.delete(key))
    pending.set(key, indexRead)
    return indexRead
  }
  /** Returns the index of a tenant; null for a store that is too large. */
  const indexOf = async (customer: Pick<Customer, 'id' | 'version'>): Promise<ProductIndex | null> => {
    if (large.has(customer.id)) return null
    const cachedIndex = cache.get(customer.id)
    countCacheRead('product_index', cachedIndex !== undefined && cachedIndex.version >= customer.version)
    if (!cachedIndex || cachedIndex.version < customer.version) return read(customer)
    // A failure surfaces when the index is needed next. Until then the old index is good enough.
    if (performance.now() - cachedIndex.readAt > freshFor)
      read({ id: customer.id, version: cachedIndex.version }).catch(() => {})
    return cachedIndex.index
  }

  return {
    /** Returns the version of a tenant's cached index, or null if none is cached. */
    versionOf: (customerId: CustomerId): number | null => cache.peek(customerId)?.version ?? null,
    /** The bytes of all cached indexes. */
    size: () => cache.calculatedSize,
    /** The tenants whose lists were used within the last hour. */
    recentlyUsed: (): CustomerId[] => [...used.keys()],
    /**
     * Returns when the next sale of a cached index begins or ends after a time, in seconds; null if
     * none does, undefined if the tenant has no index.
     */
    nextSaleChange: (customerId: CustomerId, after: Date): number | null | undefined => {
      const index = cache.peek(customerId)?.index
      return index && nextSaleChange(index, after.getTime() / 1000)
    },
    of: indexOf,
    /**
     * Returns the lists of a store for a request. A preview of a later time has them from the
     * database: the index has the prices of today.
     */
    listsOf: async (ctx: Pick<Ctx, 'db' | 'customer' | 'previewAt'>): Promise<ProductLists> => {
      if (ctx.previewAt) return listsInDatabase(ctx)
      used.set(ctx.customer.id, true)
      const index = await indexOf(ctx.customer)
      return index ? listsInIndex(index) : listsInDatabase(ctx)
    },
    /**
     * Returns the cached matches of a search for the same tenant version, or calls `load`, once for
     * concurrent requests.
     */
    matches: (
      customer: Pick<Customer, 'id' | 'version'>,
      words: string,
      load: () => Promise<MatchingProducts>,
    ): Promise<MatchingProducts> =>
      searches.forceFetch(`${customer.id}:${customer.version}:${words}`, { context: load }),
  }
}
export type ProductIndexes = ReturnType<typeof createProductIndexes>

/** Dependencies of the catalog's background jobs. */
export interface CatalogDeps {
  pool: pg.Pool
  clock: Clock
  productIndexes: ProductIndexes
  log: Logger
}

const everyMilliseconds = 2_000

/**
 * Reloads the product indexes in use that changed, one at a time. A visitor waits for an index
 * only at its first use and within two seconds of a change. A sale that begins or ends moves the
 * version of its store, so that no cached page shows it longer: while the version stays, the time
 * of the next one is known. A store whose node of a cluster is away stops no other, and is
 * refreshed once the node is back. Stops when disposed.
 */
export const warmProductIndexes = ({ pool, clock, productIndexes, log }: CatalogDeps): AsyncDisposable => {
  const stop = new AbortController()
  let checkedAt = clock.now()
  /** The stores that could not be read, with the time until which they were checked. */
  const missed = new Map<CustomerId, Date>()
  /** When the next sale begins or ends in a version of a store, in seconds. */
  const nextChanges = new LRUCache<CustomerId, { version: number; at: number }>({ max: maxUsed })
  const nextChangeOf = async ({ id, version }: OpenCustomer, since: Date) => {
    const known = nextChanges.get(id)
    if (known?.version === version) return known.at
    const indexed = productIndexes.nextSaleChange(id, since)
    const next =
      indexed === undefined
        ? await withTenant(pool, id, (db) => readNextSaleChange(db, id, since), { readOnly: true })
        : indexed
    const at = next ?? Number.POSITIVE_INFINITY
    nextChanges.set(id, { version, at })
    return at
  }
  const refreshStore = async (customer: OpenCustomer, now: Date) => {
    const { id, version } = customer
    const indexedVersion = productIndexes.versionOf(id)
    if (indexedVersion !== null && indexedVersion < version) await productIndexes.of(customer)
    if ((await nextChangeOf(customer, missed.get(id) ?? checkedAt)) > now.getTime() / 1000) return
    await withTenant(pool, id, async (db) => {
      const moved = await invalidatePages(db, customer)
      if (moved !== null) await insertUnchangedIndex(db, id, moved)
    })
  }
  const refresh = async () => {
    const [now, used] = [clock.now(), productIndexes.recentlyUsed()]
    // The clock of the machine was set back.
    if (now < checkedAt) nextChanges.clear()
    for (const { id, read } of await readOpenCustomers(pool, used)) {
      if (stop.signal.aborted) return
      try {
        const customer = await read()
        if (customer) await refreshStore(customer, now)
        missed.delete(id)
      } catch (error) {
        // Throws, which ends the round, if the database itself is away.
        await findCustomerId(pool, '')
        if (!missed.has(id)) log.info({ err: error, customer: id }, 'A product index could not be warmed')
        missed.set(id, missed.get(id) ?? checkedAt)
      }
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
