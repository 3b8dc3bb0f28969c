import { and, eq, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import { members } from '#api/db/schema/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'
import { type MemberPlans, type MemberPlansRow, memberPlansColumns, memberPlansJoins, memberPlansOf } from './plans.ts'

/** Who signs in with an e-mail, and with what. `lock` keeps the password from being changed until the transaction ends; `alone` keeps others from locking it meanwhile. */
export const findCredentials = async (
  db: TenantDb,
  customerId: CustomerId,
  emailLower: string,
  { lock = false }: { lock?: boolean | 'alone' } = {},
) => {
  const query = db
    .select({ id: sql<MemberId>`${members.id}`, passwordHash: members.passwordHash })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.emailLower, emailLower), isNull(members.withdrawnAt)))
  const [row] = await (lock ? query.for(lock === 'alone' ? 'no key update' : 'share') : query)
  return row ?? null
}

export interface MemberRow {
  id: MemberId
  email: string
  name: string
  locale: Locale | null
  cartCount: number
  createdAt: string
}

/** A member as the store greets them, and what their rights on plans rest on. */
export const readMember = async (
  db: TenantDb,
  customerId: CustomerId,
  id: MemberId,
): Promise<{ member: MemberRow; plans: MemberPlans } | null> => {
  const [row] = await named<MemberRow & MemberPlansRow & Record<string, unknown>>(
    db,
    'member',
    `SELECT m.id, m.email, m.name, m.locale, m.created_at AS "createdAt",
            (SELECT count(*) FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
              WHERE c.customer_id = $1 AND c.member_id = $2) AS "cartCount",
            ${memberPlansColumns}
       FROM members m ${memberPlansJoins}
      WHERE m.customer_id = $1 AND m.id = $2`,
    [customerId, id],
  )
  if (!row) return null
  const { email, name, locale, cartCount, createdAt } = row
  return { member: { id: row.id, email, name, locale, cartCount, createdAt }, plans: memberPlansOf(row) }
}

/** All of a member's row; null for one who has left. `lock` holds it until the transaction ends. */
export const findMember = async (db: TenantDb, customerId: CustomerId, id: MemberId, { lock = false } = {}) => {
  const query = db
    .select()
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

export const changeMember = async (
  db: TenantDb,
  customerId: CustomerId,
  id: MemberId,
  values: Partial<typeof members.$inferInsert>,
) => {
  await db
    .update(members)
    .set(values)
    .where(and(eq(members.customerId, customerId), eq(members.id, id)))
}
