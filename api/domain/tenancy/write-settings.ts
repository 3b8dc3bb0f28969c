import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { checkSettings } from './check-settings.ts'

/** Changes a store's settings, on the owner's connection and in its transaction; answers the names of those that changed. */
export const writeSettings = async (
  db: TenantDb,
  customerId: CustomerId,
  given: Record<string, unknown>,
): Promise<string[]> => {
  await db.$client.query(`SELECT set_config('marquee.customer_id', $1, true)`, [customerId])
  const { rows } = await db.$client.query<{ settings: SiteSettings }>(
    'SELECT settings FROM customers WHERE customer_id = $1 FOR UPDATE',
    [customerId],
  )
  const { settings, problems, changes } = checkSettings(rows[0]!.settings, given)
  if (problems.length > 0) throw new Error(`${problems[0]?.field} ${problems[0]?.right}`)
  if (changes.length > 0)
    await db.$client.query('UPDATE customers SET settings = $2 WHERE customer_id = $1', [customerId, settings])
  return changes
}
