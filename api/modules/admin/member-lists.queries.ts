import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { Locale, MemberSort, MemberState } from '#contract/enumerations.ts'
import type { CustomerId, MemberId, PlanCode, ProductCode } from '#contract/ids.ts'

// Members as staff list and read them.

export interface MemberListing {
  email: string
  name: string
  createdAt: string
  /** Paid orders. */
  orders: number
  /** The plan of the live subscription; null without one. */
  plan: string | null
  partnershipUntil: string | null
  partnershipName: string | null
  lastSeenAt: string | null
  blockedAt: string | null
  withdrawnAt: string | null
  marketing: boolean
  /** In alphabetical order. */
  tags: string[]
}

/** Columns of `MemberListing`, of a table or query that is named `m`. `$1` is the customer. */
const memberColumns = `m.email, m.name, m.created_at AS "createdAt", m.partnership_until AS "partnershipUntil", m.partnership_name AS "partnershipName",
  m.blocked_at AS "blockedAt", m.withdrawn_at AS "withdrawnAt", m.marketing,
  (SELECT count(*)::int FROM orders o WHERE o.customer_id = $1 AND o.member_id = m.id AND o.paid_at IS NOT NULL) AS orders,
  (SELECT p.name FROM subscriptions s JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id
    WHERE s.customer_id = $1 AND s.member_id = m.id AND s.ended_at IS NULL) AS plan,
  (SELECT max(s.last_seen_at) FROM sessions s WHERE s.customer_id = $1 AND s.member_id = m.id AND s.viewer IS NULL) AS "lastSeenAt",
  ARRAY(SELECT t.tag FROM member_tags t WHERE t.customer_id = $1 AND t.member_id = m.id ORDER BY t.tag) AS tags`

/** Members whose name or email contains `search`, newest first, without withdrawn accounts. */
export const readStoreMembers = async (
  db: TenantDb,
  customerId: CustomerId,
  { search, page, size }: { search: string; page: number; size: number },
) => {
  const { rows } = await db.$client.query<MemberListing>(
    `SELECT ${memberColumns} FROM members m
      WHERE m.customer_id = $1 AND m.withdrawn_at IS NULL
        AND ($2 = '' OR strpos(m.search_text, lower($2)) > 0)
      ORDER BY m.created_at DESC, m.id DESC LIMIT $3 OFFSET $4`,
    [customerId, search, size, (page - 1) * size],
  )
  return rows
}

/** Returns one member with the details of their page; null for a withdrawn account. */
export const readStoreMember = async (db: TenantDb, customerId: CustomerId, id: MemberId) => {
  const { rows } = await db.$client.query<
    MemberListing & {
      phone: string | null
      locale: Locale | null
    }
  >(
    `SELECT ${memberColumns}, m.phone, m.locale
       FROM members m
      WHERE m.customer_id = $1 AND m.id = $2 AND m.withdrawn_at IS NULL`,
    [customerId, id],
  )
  return rows[0] ?? null
}

export interface MemberRight {
  productCode: ProductCode
  title: string
  source: string
  createdAt: string
  expiresAt: string | null
  /** When an unstarted rental expires. Its days count from the first play. */
  startBy: string | null
  rentalDays: number | null
}

/** A member's live rights to watch or download, latest first, without those from plans. */
export const readMemberRights = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const { rows } = await db.$client.query<MemberRight>(
    `SELECT p.code AS "productCode", p.title, e.source, e.created_at AS "createdAt", e.expires_at AS "expiresAt",
            CASE WHEN e.started_at IS NULL THEN e.start_by END AS "startBy", e.rental_days AS "rentalDays"
       FROM entitlements e JOIN products p ON p.customer_id = e.customer_id AND p.id = e.product_id
      WHERE e.customer_id = $1 AND e.member_id = $2 AND e.revoked_at IS NULL AND NOT e.suspended
        AND (e.expires_at IS NULL OR e.expires_at > $3)
        AND (e.started_at IS NOT NULL OR e.start_by IS NULL OR e.start_by > $3)
      ORDER BY e.created_at DESC, e.id DESC LIMIT 500`,
    [customerId, memberId, now],
  )
  return rows
}

export interface MemberPageRow extends MemberListing {
  keyset: KeysetPosition
  id: MemberId
}

export interface MemberFilter {
  /** Part of an email address or a name, in lower case. */
  search: string
  /** Consecutive digits of a phone number, which find a member too. */
  phone: string | null
  tag: string | null
  /** Null: all that have not left. */
  state: MemberState | null
  plan: PlanCode | null
  /** The name of a partnership that has not ended at `now`. */
  partner: string | null
  marketing: boolean | null
  since: Date | null
  until: Date | null
  now: Date
}

export interface MemberPageFilter extends MemberFilter {
  sort: MemberSort
  after: KeysetPosition | null
  size: number
}

const memberStates = {
  ACTIVE: 'm.withdrawn_at IS NULL AND m.blocked_at IS NULL',
  BLOCKED: 'm.withdrawn_at IS NULL AND m.blocked_at IS NOT NULL',
  LEFT: 'm.withdrawn_at IS NOT NULL',
} as const satisfies Record<MemberState, string>

/** Conditions of members `m`, with their values from `$2` to `$10`. */
const memberConditions = ({
  search,
  phone,
  tag,
  state,
  plan,
  partner,
  marketing,
  since,
  until,
  now,
}: MemberFilter) => ({
  where: `m.customer_id = $1 AND ${state ? memberStates[state] : 'm.withdrawn_at IS NULL'}
    ${
      phone === null
        ? `AND $10::text IS NULL AND ${search ? 'strpos(m.search_text, $2) > 0' : "$2 = ''"}`
        : 'AND (strpos(m.search_text, $2) > 0 OR strpos(m.phone, $10) > 0)'
    }
    ${tag === null ? 'AND $3::text IS NULL' : 'AND m.id IN (SELECT t.member_id FROM member_tags t WHERE t.customer_id = $1 AND t.tag = $3)'}
    ${
      plan === null
        ? 'AND $4::text IS NULL'
        : `AND m.id IN (SELECT s.member_id FROM subscriptions s JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id
             WHERE s.customer_id = $1 AND s.ended_at IS NULL AND p.code = $4)`
    }
    ${partner === null ? 'AND $5::text IS NULL AND $6::timestamptz IS NOT NULL' : 'AND m.partnership_name = $5 AND m.partnership_until > $6'}
    ${marketing === null ? 'AND $7::boolean IS NULL' : 'AND m.marketing = $7'}
    ${since === null ? 'AND $8::timestamptz IS NULL' : 'AND m.created_at >= $8'}
    ${until === null ? 'AND $9::timestamptz IS NULL' : 'AND m.created_at < $9'}`,
  values: [search, tag, plan, partner, now, marketing, since, until, phone],
})

/**
 * Each order reads an index of its own. A member's last session is one after which there is none.
 * `$11` and `$12` are the position before the page; one in the order of names is that member's id.
 */
const memberSorts = {
  JOINED: {
    from: 'members m',
    keyset: `jsonb_build_object('at', m.created_at::text, 'id', m.id)`,
    after: '(m.created_at, m.id) < ($11::timestamptz, $12::uuid)',
    order: 'm.created_at DESC NULLS LAST, m.id DESC',
  },
  NAME: {
    from: 'members m',
    keyset: `jsonb_build_object('at', m.created_at::text, 'id', m.id)`,
    after: `$11::timestamptz IS NOT NULL
      AND (m.name, m.id) > ((SELECT b.name FROM members b WHERE b.customer_id = $1 AND b.id = $12::uuid), $12::uuid)`,
    order: 'm.name, m.id',
  },
  SEEN: {
    from: `sessions l JOIN members m ON m.customer_id = $1 AND m.id = l.member_id
      AND l.customer_id = $1 AND l.viewer IS NULL AND NOT EXISTS (
        SELECT FROM sessions n WHERE n.customer_id = $1 AND n.member_id = l.member_id AND n.viewer IS NULL
           AND (n.last_seen_at, n.id) > (l.last_seen_at, l.id))`,
    keyset: `jsonb_build_object('at', l.last_seen_at::text, 'id', l.id)`,
    after: '(l.last_seen_at, l.id) < ($11::timestamptz, $12::uuid)',
    order: 'l.last_seen_at DESC NULLS LAST, l.id DESC',
  },
} as const satisfies Record<MemberSort, object>

/**
 * One more member than the page has. A search reads one index: reading each member would take
 * several times as long. The members of the page are read by their ids at once, because a join
 * alone may read all members for each of them while the statistics do not know a new store.
 */
export const readMemberPage = async (
  db: TenantDb,
  customerId: CustomerId,
  { sort, after, size, ...filter }: MemberPageFilter,
) => {
  const { where, values } = memberConditions(filter)
  const { from, keyset, after: isAfter, order } = memberSorts[sort]
  const { rows } = await db.$client.query<MemberPageRow>(
    `WITH page AS (
       SELECT m.id, ${keyset} AS keyset, row_number() OVER (ORDER BY ${order}) AS place
         FROM ${from}
        WHERE ${where} AND ${after ? isAfter : '$11::timestamptz IS NULL AND $12::uuid IS NULL'}
        ORDER BY ${order} LIMIT $13)
     SELECT page.keyset, m.id, ${memberColumns}
       FROM members m JOIN page ON page.id = m.id
      WHERE m.customer_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM page))
      ORDER BY page.place`,
    [customerId, ...values, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** The ids of members that fit a filter, latest first, at most `limit`. */
export const readMemberIds = async (db: TenantDb, customerId: CustomerId, filter: MemberFilter, limit: number) => {
  const { where, values } = memberConditions(filter)
  const { rows } = await db.$client.query<{ id: MemberId }>(
    `SELECT m.id FROM members m WHERE ${where} ORDER BY m.created_at DESC NULLS LAST, m.id DESC LIMIT $11`,
    [customerId, ...values, limit],
  )
  return rows.map(({ id }) => id)
}

/** The names of partnerships that have not ended, with their members, at most 500. */
export const readPartners = async (db: TenantDb, customerId: CustomerId, now: Date) => {
  const { rows } = await db.$client.query<{ name: string; members: number }>(
    `SELECT partnership_name AS name, count(*)::int AS members FROM members
      WHERE customer_id = $1 AND partnership_until > $2 AND partnership_name IS NOT NULL
      GROUP BY partnership_name ORDER BY partnership_name LIMIT 500`,
    [customerId, now],
  )
  return rows
}
