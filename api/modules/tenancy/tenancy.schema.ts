import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId } from '#api/platform/db/columns.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import type { Maintenance, SiteSettings } from '#contract/tenancy.ts'

/**
 * The tenants. Every tenant-wide change increments `version` in its transaction; caches use it as a
 * key.
 */
export const customers = pgTable(
  'customers',
  {
    customerId: uuid('customer_id').$type<CustomerId>().primaryKey(),
    code: text('code').$type<CustomerCode>().notNull(),
    useCustomer: boolean('use_customer').notNull().default(true),
    useSite: boolean('use_site').notNull().default(true),
    /** Until the store is opened, visitors see the "coming soon" page. */
    opened: boolean('opened').notNull().default(false),
    /** What visitors of a store read that staff have closed. Null for one that is open or new. */
    maintenance: jsonb('maintenance').$type<Maintenance>(),
    /** The tenant whose console manages the stores: it has staff and a host, and is no store. */
    isInstallation: boolean('is_installation').notNull().default(false),
    settings: jsonb('settings').$type<SiteSettings>().notNull(),
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('customers_code').on(t.code)],
)

/**
 * The codes of all tenants. A trigger copies them from `customers`; where that table is distributed
 * over the nodes of a cluster, which do not check a code's uniqueness, the insert of a store does.
 */
export const customerCodes = pgTable(
  'customer_codes',
  {
    customerId: customerId(),
    code: text('code').$type<CustomerCode>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId] }), uniqueIndex('customer_codes_code').on(t.code)],
)

/** Hosts without a port, in lower case. One host belongs to one tenant. */
export const customerDomains = pgTable(
  'customer_domains',
  {
    customerId: customerId().references(() => customers.customerId),
    host: text('host').notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.host] }), uniqueIndex('customer_domains_host').on(t.host)],
)

/**
 * Hosts that operators have added to their store, and what the DNS last said of each. A host serves
 * when it is in `customer_domains`: the database takes it from the serving role only once its row
 * here is verified. The installation's owner adds hosts without a verification.
 */
export const domainVerifications = pgTable(
  'domain_verifications',
  {
    customerId: customerId(),
    host: text('host').notNull(),
    /** A part of the TXT record that proves that the store's operators control the host. */
    token: text('token').notNull(),
    /** When the record was first found. */
    verifiedAt: at('verified_at'),
    checkedAt: at('checked_at'),
    /** False if the DNS did not answer the last check. Its other results are from before. */
    answered: boolean('answered').notNull().default(true),
    /** Whether the host leads to this installation. Null if that is not known. */
    pointsHere: boolean('points_here'),
    /** The next check in the background. Null for none. */
    nextCheckAt: at('next_check_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.host] }),
    index('domain_verifications_next_check').on(t.customerId, t.nextCheckAt).where(sql`next_check_at is not null`),
  ],
)

/** The offset of the store's clock, for the demo and tests: one row or none. */
export const storeClock = pgTable(
  'store_clock',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    aheadMilliseconds: bigint('ahead_milliseconds', { mode: 'number' }).notNull(),
  },
  (t) => [
    check('store_clock_only_row', sql`${t.onlyRow}`),
    check('store_clock_forward', sql`${t.aheadMilliseconds} >= 0`),
  ],
)

/**
 * How this installation's service was last started, for CLI commands and workers: one row or none.
 */
export const installation = pgTable(
  'installation',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    environment: text('environment').$type<'production' | 'demo' | 'development'>().notNull(),
  },
  (t) => [check('installation_only_row', sql`${t.onlyRow}`)],
)

/** Payment provider accounts. `secrets` is encrypted with the installation's secret. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    customerId: customerId(),
    provider: text('provider').notNull(),
    active: boolean('active').notNull().default(true),
    options: jsonb('options').$type<Record<string, string>>().notNull().default({}),
    secrets: text('secrets'),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.provider] }),
    // One account takes new payments; the others are still queried for their earlier payments.
    uniqueIndex('payment_accounts_active').on(t.customerId).where(sql`active`),
  ],
)
