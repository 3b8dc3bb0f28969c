import type { LiveSession } from '#api/modules/identity/sessions.queries.ts'
import {
  type MemberPlans,
  type MemberPlansRow,
  memberPlansColumns,
  memberPlansJoins,
  memberPlansOf,
} from '#api/modules/plans/plans.queries.ts'
import { type HeadAtHost, headColumns } from '#api/modules/tenancy/tenancy.queries.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { readOnce } from '#api/platform/db/shared-reads.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, MemberId, SessionId } from '#contract/ids.ts'

interface MemberRow {
  id: MemberId
  email: string
  name: string
  locale: Locale | null
  cartCount: number
  createdAt: string
}

interface FoundMember {
  member: MemberRow
  plans: MemberPlans
}

type Row = MemberRow & MemberPlansRow

const columns = `m.email, m.name, m.locale, m.created_at AS "createdAt",
  (SELECT count(*) FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
    WHERE c.customer_id = $1 AND c.member_id = m.id) AS "cartCount",
  ${memberPlansColumns}`

const memberOf = (row: Row): FoundMember => {
  const { id, email, name, locale, cartCount, createdAt } = row
  return { member: { id, email, name, locale, cartCount, createdAt }, plans: memberPlansOf(row) }
}

const key = (id: MemberId) => `member ${id}`

/** Returns the signed-in member's profile with the data their plan rights depend on. */
export const readMember = (db: TenantDb, customerId: CustomerId, id: MemberId): Promise<FoundMember | null> =>
  readOnce(db, key(id), async () => {
    const [row] = await named<Row>(
      db,
      'member',
      `SELECT m.id, ${columns} FROM members m ${memberPlansJoins} WHERE m.customer_id = $1 AND m.id = $2`,
      [customerId, id],
    )
    return row ? memberOf(row) : null
  })

/** Who sends a request, and to which store. */
interface CallerQuery {
  customerId: CustomerId
  tokenHash: string
  code: string
  /** In the normal form of `plainHost`. */
  host: string | null
  now: Date
}

type CallerRow = HeadAtHost &
  Omit<Row, 'id'> & { sessionId: SessionId | null; memberId: MemberId; lastSeenAt: string; viewing: boolean }

/**
 * Reads the store of a code together with the live session of a token. The store is null if the
 * code is not that of the token's store, the session if it has ended or its member has withdrawn.
 * Reads the member too, because nearly every page shows them: `readMember` of the same shared
 * reads finds it.
 */
export const findCaller = async (
  db: TenantDb,
  { customerId, tokenHash, code, host, now }: CallerQuery,
): Promise<{ head: HeadAtHost | null; session: LiveSession | null }> => {
  const [row] = await named<CallerRow>(
    db,
    'caller',
    `SELECT live.*, ${headColumns('$5')}
       FROM customers c LEFT JOIN LATERAL (
         SELECT live.id AS "sessionId", live.last_seen_at AS "lastSeenAt", live.viewer IS NOT NULL AS viewing, m.id AS "memberId", ${columns}
           FROM sessions live JOIN members m ON m.customer_id = live.customer_id AND m.id = live.member_id
           ${memberPlansJoins}
          WHERE live.customer_id = $1 AND live.token_hash = $2 AND live.expires_at > $3 AND m.withdrawn_at IS NULL
       ) live ON true
      WHERE c.customer_id = $1 AND c.code = $4`,
    [customerId, tokenHash, now, code, host],
  )
  if (!row) return { head: null, session: null }
  const { sessionId, memberId, lastSeenAt, viewing, id, useCustomer, useSite, opened, version, hostCustomerCode } = row
  const head = { id, code: row.code, useCustomer, useSite, opened, version, hostCustomerCode }
  if (sessionId === null) return { head, session: null }
  await readOnce(db, key(memberId), () => Promise.resolve(memberOf({ ...row, id: memberId })))
  return { head, session: { id: sessionId, memberId, lastSeenAt, viewing } }
}
