import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { CustomerId } from '#contract/ids.ts'

/** Binds the rest of a transaction to a store: what belongs to others is neither seen nor written. */
export const bindTenant = async (db: Pick<NodePgDatabase, 'execute'>, id: CustomerId): Promise<void> => {
  await db.execute(sql`SELECT set_config('marquee.customer_id', ${id}, true)`)
}
