import type pg from 'pg'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import { customerDomains } from './tenancy.schema.ts'

/** A host of a store, or one that its operators have added and not verified. */
export interface DomainRow {
  host: string
  /** Whether visitors of the host see the store. */
  isServing: boolean
  /** Whether visitors of the host see another store. */
  isTaken: boolean
  /** Null for a host of the installation's owner that was never checked. */
  token: string | null
  verifiedAt: string | null
  checkedAt: string | null
  answered: boolean
  pointsHere: boolean | null
  createdAt: string | null
}

type StoredVerification = Pick<
  DomainRow,
  'host' | 'token' | 'verifiedAt' | 'checkedAt' | 'answered' | 'pointsHere' | 'createdAt'
>

/** The hosts of a store, those of other stores that it wants to have, and its other claims. */
export const readDomainRows = async (db: TenantDb, customerId: CustomerId): Promise<DomainRow[]> => {
  const { rows: verifications } = await db.$client.query<StoredVerification>(
    `SELECT host, token, verified_at AS "verifiedAt", checked_at AS "checkedAt", answered,
            points_here AS "pointsHere", created_at AS "createdAt"
       FROM domain_verifications WHERE customer_id = $1`,
    [customerId],
  )
  const claimed = new Map(verifications.map((row) => [row.host, row]))
  const { rows: serving } = await db.$client.query<{ host: string; isOwn: boolean }>(
    `SELECT host, customer_id = $1 AS "isOwn" FROM customer_domains WHERE customer_id = $1 OR host = ANY($2::text[])`,
    [customerId, [...claimed.keys()]],
  )
  const owners = new Map(serving.map(({ host, isOwn }) => [host, isOwn]))
  const hosts = new Set([...claimed.keys(), ...serving.map(({ host }) => host)])
  const never = { token: null, verifiedAt: null, checkedAt: null, answered: true, pointsHere: null, createdAt: null }
  return [...hosts].map((host) => ({
    ...(claimed.get(host) ?? { ...never, host }),
    isServing: owners.get(host) === true,
    isTaken: owners.get(host) === false,
  }))
}

/** Inserts a host that is to be verified. Returns false if the store has added it before. */
export const insertVerification = async (
  db: TenantDb,
  { customerId, host, token, now }: { customerId: CustomerId; host: string; token: string; now: Date },
): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    `INSERT INTO domain_verifications (customer_id, host, token, created_at, next_check_at)
     VALUES ($1, $2, $3, $4, $4) ON CONFLICT (customer_id, host) DO NOTHING`,
    [customerId, host, token, now.toISOString()],
  )
  return rowCount === 1
}

export interface CheckResult {
  customerId: CustomerId
  host: string
  checkedAt: Date
  answered: boolean
  /** Null keeps what is known. */
  pointsHere: boolean | null
  isProven: boolean
  nextCheckAt: Date | null
}

/** Records what the DNS said of a host. */
export const updateVerification = (
  db: TenantDb,
  { customerId, host, checkedAt, answered, pointsHere, isProven, nextCheckAt }: CheckResult,
) =>
  db.$client.query(
    `UPDATE domain_verifications
        SET checked_at = $3, answered = $4, points_here = coalesce($5, points_here), next_check_at = $7,
            verified_at = CASE WHEN $6 THEN coalesce(verified_at, $3) ELSE verified_at END
      WHERE customer_id = $1 AND host = $2`,
    [customerId, host, checkedAt.toISOString(), answered, pointsHere, isProven, nextCheckAt?.toISOString() ?? null],
  )

/**
 * Takes the host of a store that is longest due, for a check. Other processes take it again at
 * `retryAt`, if the check was not recorded. Returns null if none is due.
 */
export const takeDueDomain = async (
  db: TenantDb,
  { customerId, now, retryAt }: { customerId: CustomerId; now: Date; retryAt: Date },
): Promise<string | null> => {
  const { rows } = await db.$client.query<{ host: string }>(
    `UPDATE domain_verifications SET next_check_at = $3 WHERE customer_id = $1 AND host = (
       SELECT host FROM domain_verifications WHERE customer_id = $1 AND next_check_at <= $2
        ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING host`,
    [customerId, now.toISOString(), retryAt.toISOString()],
  )
  return rows[0]?.host ?? null
}

/** The tenants with hosts that are to be checked. */
export const tenantsWithDueDomains = async (pool: pg.Pool, now: Date): Promise<CustomerId[]> => {
  const { rows } = await pool.query<{ id: CustomerId }>({
    name: 'due_domains',
    text: 'SELECT customers_with_due_domains($1) AS id',
    values: [now.toISOString()],
  })
  return rows.map(({ id }) => id)
}

/**
 * Shows the store at a verified host. Returns false if another store is shown there. The database
 * refuses hosts that the store has not verified.
 */
export const serveHost = async (db: TenantDb, customerId: CustomerId, host: string): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    'INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2) ON CONFLICT (host) DO NOTHING',
    [customerId, host],
  )
  return rowCount === 1
}

/** Ends that the store is shown at a host, or its claim of one. */
export const removeHost = async (db: TenantDb, customerId: CustomerId, host: string) => {
  await db.$client.query('DELETE FROM customer_domains WHERE customer_id = $1 AND host = $2', [customerId, host])
  await deleteVerifications(db, customerId, [host])
}

/** Forgets that the operators of a store have added hosts. */
export const deleteVerifications = async (db: TenantDb, customerId: CustomerId, hosts: readonly string[]) => {
  if (hosts.length === 0) return
  await db.$client.query('DELETE FROM domain_verifications WHERE customer_id = $1 AND host = ANY($2::text[])', [
    customerId,
    hosts,
  ])
}

/** The hosts of a tenant in alphabetical order. */
export const readHosts = async (pool: pg.Pool, id: CustomerId): Promise<string[]> => {
  const { rows } = await pool.query<{ host: string }>({
    name: 'customer-hosts',
    text: 'SELECT host FROM customer_domains WHERE customer_id = $1 ORDER BY host',
    values: [id],
  })
  return rows.map(({ host }) => host)
}

/** Returns the hosts that belong to other stores, with the code of each store. */
export const hostsOfOtherStores = async (db: TenantDb, customerId: CustomerId, hosts: readonly string[]) => {
  const { rows } = await db.$client.query<{ host: string; code: CustomerCode }>(
    `SELECT d.host, c.code FROM customer_domains d JOIN customer_codes c ON c.customer_id = d.customer_id
      WHERE d.host = ANY($1::text[]) AND d.customer_id <> $2`,
    [hosts, customerId],
  )
  return rows
}

/** Adds and removes hosts of a store. Idempotent. */
export const updateHosts = async (
  db: TenantDb,
  customerId: CustomerId,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
) => {
  await db.$client.query('DELETE FROM customer_domains WHERE customer_id = $1 AND host = ANY($2::text[])', [
    customerId,
    removed,
  ])
  if (added.length > 0)
    await db
      .insert(customerDomains)
      .values(added.map((host) => ({ customerId, host })))
      .onConflictDoNothing()
}

/** Returns the hosts at which visitors reach a store, in no order. */
export const readOwnHosts = async (db: TenantDb, id: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ host: string }>(
    'SELECT host FROM customer_domains WHERE customer_id = $1',
    [id],
  )
  return rows.map(({ host }) => host)
}

/** Returns the code of the customer that owns a host, or null. */
export const findCustomerCodeByHost = async (pool: pg.Pool, host: string): Promise<CustomerCode | null> => {
  const { rows } = await pool.query<{ code: CustomerCode }>({
    name: 'customer-by-host',
    text: `SELECT c.code FROM customer_domains d JOIN customer_codes c ON c.customer_id = d.customer_id WHERE d.host = $1`,
    values: [host],
  })
  return rows[0]?.code ?? null
}
