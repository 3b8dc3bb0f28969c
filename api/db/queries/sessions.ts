import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { CustomerId, MemberId, SessionId } from '#contract/ids.ts'

export interface LiveSession {
  id: SessionId
  memberId: MemberId
  lastSeenAt: string
}

/** The session a token opens now; null when it has ended, or its member has withdrawn. */
export const findLiveSession = async (db: TenantDb, customerId: CustomerId, tokenHash: string, now: Date) => {
  const [row] = await named<LiveSession>(
    db,
    'live-session',
    `SELECT s.id, s.member_id AS "memberId", s.last_seen_at AS "lastSeenAt"
       FROM sessions s JOIN members m ON m.customer_id = s.customer_id AND m.id = s.member_id
      WHERE s.customer_id = $1 AND s.token_hash = $2 AND s.expires_at > $3 AND m.withdrawn_at IS NULL`,
    [customerId, tokenHash, now],
  )
  return row ?? null
}

export const touchSession = (db: TenantDb, customerId: CustomerId, id: SessionId, now: Date, address: string) =>
  named(db, 'touch-session', 'UPDATE sessions SET last_seen_at = $3, address = $4 WHERE customer_id = $1 AND id = $2', [
    customerId,
    id,
    now,
    address,
  ])
