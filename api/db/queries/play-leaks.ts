import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { CustomerId, MemberId, PlayId, ProductId } from '#contract/ids.ts'

export interface LeakAsk {
  playId: PlayId
  address: string
  memberId: MemberId
  productId: ProductId | null
  asset: string
}

/** Writes down a stranger's ask. Answers from which addresses strangers have asked for this play, and whether this one is new. */
export const recordLeak = async (db: TenantDb, customerId: CustomerId, leak: LeakAsk, now: Date) => {
  // Strangers who ask at the same moment are counted one after the other.
  await named(db, 'lock-leak', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [leak.playId])
  const [written] = await named<{ fresh: boolean }>(
    db,
    'record-leak',
    `INSERT INTO play_leaks (customer_id, play_id, address, member_id, product_id, asset, first_at, last_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (customer_id, play_id, address) DO UPDATE SET asks = play_leaks.asks + 1, last_at = excluded.last_at
     RETURNING xmax = 0 AS fresh`,
    [customerId, leak.playId, leak.address, leak.memberId, leak.productId, leak.asset, now],
  )
  const rows = await named<{ address: string }>(
    db,
    'leak-addresses',
    'SELECT address FROM play_leaks WHERE customer_id = $1 AND play_id = $2',
    [customerId, leak.playId],
  )
  return { fresh: written?.fresh ?? false, addresses: rows.map(({ address }) => address) }
}

export interface LeakRow {
  playId: string
  memberId: string
  email: string
  product: string | null
  asset: string
  addresses: string[]
  asks: number
  firstAt: string
  lastAt: string
  endedBy: string | null
}

/** Plays and files that strangers asked for, the latest first; of one member, by the end of their id, where given. */
export const listLeaks = (db: TenantDb, customerId: CustomerId, mark: string | null, limit: number) =>
  named<LeakRow & Record<string, unknown>>(
    db,
    'list-leaks',
    `SELECT k.play_id AS "playId", k.member_id AS "memberId", coalesce(m.email, '') AS email, p.code AS product,
            min(k.asset) AS asset, array_agg(k.address ORDER BY k.last_at DESC) AS addresses, sum(k.asks)::int AS asks,
            min(k.first_at) AS "firstAt", max(k.last_at) AS "lastAt", y.ended_by AS "endedBy"
       FROM play_leaks k
       LEFT JOIN members m ON m.customer_id = k.customer_id AND m.id = k.member_id
       LEFT JOIN products p ON p.customer_id = k.customer_id AND p.id = k.product_id
       LEFT JOIN plays y ON y.customer_id = k.customer_id AND y.id = k.play_id
      WHERE k.customer_id = $1 AND ($2::text IS NULL OR right(k.member_id::text, 8) = $2)
      GROUP BY k.play_id, k.member_id, m.email, p.code, y.ended_by
      ORDER BY max(k.last_at) DESC
      LIMIT $3`,
    [customerId, mark, limit],
  )

/** Members by the end of their id, which their watermark shows. */
export const membersByMark = (db: TenantDb, customerId: CustomerId, mark: string) =>
  named<{ email: string; name: string; id: string }>(
    db,
    'members-by-mark',
    `SELECT email, name, id FROM members WHERE customer_id = $1 AND right(id::text, 8) = $2`,
    [customerId, mark],
  )
