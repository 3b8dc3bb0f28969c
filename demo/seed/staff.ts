import { findAccount, insertMembership, insertStaff } from '#api/modules/staff/staff.queries.ts'
import { hashPassword } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { StaffId } from '#contract/ids.ts'
import { DEMO_OPERATOR, DEMO_PASSWORD } from './accounts.ts'
import type { Seeding } from './seeding.ts'

/** Makes one person the owner of every demo store and of the installation's console. */
export async function seedStaff({ db, customerId }: Pick<Seeding, 'db' | 'customerId'>): Promise<void> {
  const account = await findAccount(db, DEMO_OPERATOR)
  const staffId = account?.id ?? newId<StaffId>()
  if (!account)
    await insertStaff(db, {
      id: staffId,
      email: DEMO_OPERATOR,
      emailLower: DEMO_OPERATOR,
      name: 'Sam Rivera',
      passwordHash: await hashPassword(DEMO_PASSWORD),
    })
  await insertMembership(db, { customerId, staffId, role: 'OWNER' })
}
