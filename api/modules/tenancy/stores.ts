import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Customer, invalidField, type PreviewedContent } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { countCacheRead } from '#api/platform/telemetry/telemetry.ts'
import type { Locale } from '#contract/enumerations.ts'
import {
  type CustomerCode,
  type CustomerId,
  customerCode,
  faqId,
  noticeId,
  type ProductId,
  productId,
} from '#contract/ids.ts'
import { readHosts } from './domains.queries.ts'
import { findCustomerId, plainHost, readCustomer, readCustomerHead } from './tenancy.queries.ts'

/** The dependencies of finding stores and their addresses. */
export interface TenancyDeps {
  pool: pg.Pool
  /** The origin of absolute addresses, if it differs from the request's. */
  publicUrl: string | null
  /** Returns the origin of a store's host, for links in mails. */
  originOfHost: (host: string) => string
}

/** The cached tenants of one database. */
interface KnownStores {
  customers: LRUCache<string, Customer>
  heads: ReturnType<typeof createHeadReads>
}

const knownStores = new WeakMap<pg.Pool, KnownStores>()

const knownStoresOf = (pool: pg.Pool): KnownStores => {
  const caches = knownStores.get(pool) ?? {
    customers: new LRUCache<string, Customer>({ max: 10_000 }),
    heads: createHeadReads(pool),
  }
  knownStores.set(pool, caches)
  return caches
}

type Head = Awaited<ReturnType<typeof readCustomerHead>>

/**
 * Reads the head of a tenant by its code. The ids of codes are cached: where the tenants are
 * distributed over a cluster, their rows are found by id.
 */
const createHeadRead = (pool: pg.Pool) => {
  const ids = new LRUCache<string, CustomerId>({ max: 10_000 })
  return async (code: string, host: string | null): Promise<Head> => {
    const known = ids.get(code)
    const head = known ? await readCustomerHead(pool, known, host) : null
    if (head?.code === code) return head
    const id = await findCustomerId(pool, code)
    if (!id) return null
    ids.set(code, id)
    return readCustomerHead(pool, id, host)
  }
}

/**
 * Reads the heads of tenants for concurrent requests together: one that arrives during a read waits
 * for the next one, so that what it gets was read after it arrived.
 */
const createHeadReads = (pool: pg.Pool) => {
  const readHead = createHeadRead(pool)
  const running = new Map<string, { now: Promise<Head>; next: Promise<Head> | null }>()
  const read = (key: string, code: string, host: string | null): Promise<Head> => {
    const now = readHead(code, host)
    const state = { now, next: null }
    running.set(key, state)
    const end = () => running.get(key) === state && running.delete(key)
    now.then(end, end)
    return now
  }
  return (code: string, host: string | null): Promise<Head> => {
    const key = `${code} ${host}`
    const state = running.get(key)
    if (!state) return read(key, code, host)
    const begin = () => read(key, code, host)
    state.next ??= state.now.then(begin, begin)
    return state.next
  }
}

export interface ResolvedStore {
  customer: Customer
  /** The customer code of the host that was given with the code. */
  hostCustomerCode: CustomerCode | null
}

/** Returns the current tenant of a code; null without one. */
export const resolveStore = async (
  { pool }: { pool: pg.Pool },
  code: string,
  host: string | null,
): Promise<ResolvedStore | null> => {
  if (!customerCode.safeParse(code).success) return null
  return storeOfHead({ pool }, code, await knownStoresOf(pool).heads(code, host && plainHost(host)))
}

/**
 * Returns the tenant whose head was just read. Settings are large and rarely change, so they are
 * cached until the version changes.
 */
export const storeOfHead = async (
  { pool }: { pool: pg.Pool },
  code: string,
  head: Head,
): Promise<ResolvedStore | null> => {
  if (!head) return null
  const { customers } = knownStoresOf(pool)
  const { hostCustomerCode, version, id } = head
  const cached = customers.get(code)
  countCacheRead('store', cached?.version === version)
  if (cached?.version === version) return { customer: cached, hostCustomerCode }
  const customer = await readCustomer(pool, id)
  if (!customer) return null
  customers.set(code, customer)
  return { customer, hostCustomerCode }
}

/**
 * Returns the customer with a code, from the cache while its version is current; otherwise null.
 */
export const resolveCustomer = async (deps: { pool: pg.Pool }, code: string): Promise<Customer | null> =>
  (await resolveStore(deps, code, null))?.customer ?? null

/**
 * What a preview link shows: a store before its launch, or one product or object of content in any
 * state. A token has one id, which is of either kind.
 */
export interface PreviewLink {
  product: ProductId | null
  /** Null for a link to the store. */
  content: PreviewedContent | null
  /** The time at which it shows them. Null for the present. */
  at: Date | null
}

/** What a preview token contains of a page. */
export const pageToken = (type: string) => `p-${type}`

const sign = (secret: string, customerId: CustomerId, ...parts: (string | null)[]) =>
  createHmac('sha256', secret)
    .update(['preview', customerId, ...parts.filter((part) => part !== null)].join('\n'))
    .digest('base64url')

const secondsOf = (time: Date) => String(Math.floor(time.getTime() / 1000))

/** Creates the token of a preview link, valid until it expires. */
export const createPreviewToken = (
  secret: string,
  customerId: CustomerId,
  expiresAt: Date,
  { shown = null, at = null }: { shown?: string | null; at?: Date | null } = {},
): string => {
  const expires = secondsOf(expiresAt)
  const shownAt = at && `t${secondsOf(at)}`
  const signature = sign(secret, customerId, expires, shown, shownAt)
  return [expires, signature, shown, shownAt].filter((part) => part !== null).join('.')
}

const previewDays = 7

/** What creating a preview link needs of the process and the request. */
export interface PreviewDeps {
  secret: string
  /** The storefront's origin. */
  origin: string
  /** The time that the link shows; without one, the present. */
  at?: string | null | undefined
}

/**
 * Creates a preview link of a path of the storefront, or of a `part` of its page, valid for a week,
 * and returns it with the time it ends. `at` is the time that it shows. Failure: VALIDATION_FAILED
 * for one that has passed.
 */
export const createPreviewLink = (
  { customer, clock, locale }: Pick<Ctx, 'customer' | 'clock' | 'locale'>,
  { secret, origin, at: time }: PreviewDeps,
  { path, part, shown = null }: { path: string; part?: string; shown?: string | null },
) => {
  const now = clock.now().getTime()
  const at = time ? new Date(time) : null
  const i18n = messagesOf(locale)
  if (at && at.getTime() <= now) return invalidField('at', i18n._('Enter a time that is still to come.'))
  const expiresAt = new Date(now + previewDays * dayMilliseconds)
  const token = createPreviewToken(secret, customer.id, expiresAt, { shown, at })
  return { url: `${origin}${path}?preview=${token}${part ? `#${part}` : ''}`, expiresAt: expiresAt.toISOString() }
}

/** The id and the time in a token. */
const tokenEnd = /^(?:\.([\da-f-]{36}|p-[a-z\d-]{1,40}))?(?:\.(t\d{1,12}))?$/

/**
 * Returns what the token of a preview link shows; null for one that has expired or was not made for
 * this store.
 */
export const readPreviewToken = (
  secret: string,
  customerId: CustomerId,
  token: string,
  now: Date,
): PreviewLink | null => {
  const [expires = '', signature = ''] = token.split('.', 2)
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return null
  const end = tokenEnd.exec(token.slice(expires.length + 1 + signature.length))
  if (!end) return null
  const [, shown = null, shownAt = null] = end
  const expected = Buffer.from(sign(secret, customerId, expires, shown, shownAt))
  const offered = Buffer.from(signature)
  if (offered.length !== expected.length || !timingSafeEqual(offered, expected)) return null
  const idIn = <Id>(id: { safeParse: (text: unknown) => { data?: Id } }) => id.safeParse(shown).data ?? null
  return {
    product: idIn(productId),
    content:
      shown === null ? null : { notice: idIn(noticeId), faq: idIn(faqId), page: shown.match(/^p-(.+)$/)?.[1] ?? null },
    at: shownAt === null ? null : new Date(Number(shownAt.slice(1)) * 1000),
  }
}

/** Returns the origin of a store outside a request: its own, the installation's, or its host's. */
export const storeOriginOf = async (
  { pool, publicUrl, originOfHost }: TenancyDeps,
  { id, settings }: Pick<Customer, 'id' | 'settings'>,
): Promise<string> => {
  if (settings.seo.publicUrl) return new URL(settings.seo.publicUrl).origin
  if (publicUrl) return publicUrl
  const [host = 'localhost'] = await readHosts(pool, id)
  return originOfHost(host)
}

/** Returns the origins of a store's hosts, in alphabetical order. */
export const storeOrigins = async (
  { pool, originOfHost }: Pick<TenancyDeps, 'pool' | 'originOfHost'>,
  { id }: Pick<Customer, 'id'>,
): Promise<string[]> => (await readHosts(pool, id)).map(originOfHost)

const freshMilliseconds = 30_000

interface Reader {
  customer: Pick<Customer, 'id' | 'version'>
  locale: Locale
  /** What is read at another time is neither read from the cache nor stored there. */
  previewAt?: Date | null
}

/**
 * Caches responses that are equal for all visitors of a tenant in one language. The key includes
 * the tenant's version, which every change increments, so responses are never stale. The maximum
 * age is for content that depends on time.
 */
export const createTenantCache = () => {
  const answers = new LRUCache<string, Promise<unknown>>({ maxSize: 5000, ttl: freshMilliseconds })
  const fullKey = ({ customer, locale }: Reader, key: string) => `${customer.id}:${customer.version}:${locale}:${key}`
  /** Each key is loaded in one place only, so its response has one type. */
  const known = <Answer>(reader: Reader, key: string) =>
    reader.previewAt ? undefined : (answers.get(fullKey(reader, key)) as Promise<Answer> | undefined)
  return {
    /** Returns what is cached under a key, without loading it. */
    known,
    /** Returns what is cached under a key, or loads it. A long answer takes the place of `size`. */
    get: <Answer>(reader: Reader, key: string, load: () => Promise<Answer>, size = 1) => {
      const cached = known<Answer>(reader, key)
      if (cached) return cached
      // A query builder runs its statement on every await, so its result is converted to a promise
      // once.
      const loading = Promise.resolve(load())
      if (reader.previewAt) return loading
      const full = fullKey(reader, key)
      answers.set(full, loading, { size })
      loading.catch(() => answers.delete(full))
      return loading
    },
  }
}
export type TenantCache = ReturnType<typeof createTenantCache>
