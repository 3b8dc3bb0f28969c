import type { TenantDb } from '#api/db/client.ts'
import { provisions } from '#api/db/schema/provisions.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId } from '#contract/ids.ts'

type Provision = Omit<typeof provisions.$inferInsert, 'customerId' | 'id'>

export const insertProvision = async (db: TenantDb, customerId: CustomerId, provision: Provision) => {
  await db.insert(provisions).values({ ...provision, customerId, id: newId() })
}
