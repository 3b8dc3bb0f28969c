import type { CustomerId } from '#contract/ids.ts'
import type { TenantDb } from './client.ts'

/** Binds the rest of a transaction to a store: what belongs to others is neither seen nor written. */
export const bindTenant = async (db: TenantDb, id: CustomerId): Promise<void> => {
  await db.$client.query(`SELECT set_config('marquee.customer_id', $1, true)`, [id])
}
