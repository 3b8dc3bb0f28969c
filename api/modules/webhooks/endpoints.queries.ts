import { and, asc, eq } from 'drizzle-orm'
import { staff, staffMemberships, staffRoles } from '#api/modules/staff/staff.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { WebhookEventType } from '#contract/admin/webhooks.ts'
import type { CustomerId, WebhookEndpointId } from '#contract/ids.ts'
import { webhookEndpoints as endpoints } from './webhooks.schema.ts'

export type EndpointRow = typeof endpoints.$inferSelect

const endpointIs = (customerId: CustomerId, id: WebhookEndpointId) =>
  and(eq(endpoints.customerId, customerId), eq(endpoints.id, id))

/** All endpoints of a store, the oldest first. */
export const readEndpoints = (db: TenantDb, customerId: CustomerId): Promise<EndpointRow[]> =>
  db
    .select()
    .from(endpoints)
    .where(eq(endpoints.customerId, customerId))
    .orderBy(asc(endpoints.createdAt), asc(endpoints.id))

/** Returns an endpoint, or null. */
export const findEndpoint = async (
  db: TenantDb,
  customerId: CustomerId,
  id: WebhookEndpointId,
  { lock = false }: { lock?: boolean } = {},
): Promise<EndpointRow | null> => {
  const query = db.select().from(endpoints).where(endpointIs(customerId, id))
  const [row] = await (lock ? query.for('no key update') : query)
  return row ?? null
}

/**
 * Lets one transaction at a time add an endpoint of a store. Returns how many it has.
 */
export const lockEndpoints = async (db: TenantDb, customerId: CustomerId): Promise<number> => {
  await db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 8))', [customerId])
  return (await readEndpoints(db, customerId)).length
}

/** Adds an endpoint. */
export const insertEndpoint = async (db: TenantDb, row: typeof endpoints.$inferInsert) => {
  await db.insert(endpoints).values(row)
}

/** Overwrites columns of an endpoint. A cluster refuses to set the tenant, even to the same one. */
export const updateEndpoint = async (
  db: TenantDb,
  customerId: CustomerId,
  id: WebhookEndpointId,
  { customerId: _, id: __, ...columns }: Partial<typeof endpoints.$inferInsert>,
) => {
  await db.update(endpoints).set(columns).where(endpointIs(customerId, id))
}

/** Deletes an endpoint with its deliveries. */
export const deleteEndpointRow = async (db: TenantDb, customerId: CustomerId, id: WebhookEndpointId) => {
  await db.delete(endpoints).where(endpointIs(customerId, id))
}

/**
 * The enabled endpoints that want events of a type. They are locked against their deletion, which
 * would break what refers to them.
 */
export const lockSubscribedEndpoints = async (
  db: TenantDb,
  customerId: CustomerId,
  type: WebhookEventType,
): Promise<WebhookEndpointId[]> => {
  const { rows } = await db.$client.query<{ id: WebhookEndpointId }>(
    `SELECT id FROM webhook_endpoints
      WHERE customer_id = $1 AND disabled_at IS NULL AND $2 = ANY (event_types) ORDER BY id FOR KEY SHARE`,
    [customerId, type],
  )
  return rows.map(({ id }) => id)
}

/** The people of the store with their roles and languages. */
export const readStaffToNotify = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      email: staff.email,
      locale: staff.locale,
      role: staffMemberships.role,
      permissions: staffRoles.permissions,
    })
    .from(staffMemberships)
    .innerJoin(staff, eq(staff.id, staffMemberships.staffId))
    .leftJoin(staffRoles, and(eq(staffRoles.customerId, customerId), eq(staffRoles.id, staffMemberships.roleId)))
    .where(eq(staffMemberships.customerId, customerId))
    .orderBy(asc(staff.emailLower))
