import { createHash } from 'node:crypto'
import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import {
  type CustomerId,
  type MemberId,
  memberId as memberIdSchema,
  type OperatorTokenId,
  type SessionId,
} from '#contract/ids.ts'
import { members, operatorTokens, sessions } from './identity.schema.ts'

/**
 * The credentials behind an email address. `lock` prevents a change of the password until the
 * transaction ends; `alone` also prevents other locks meanwhile.
 */
export const findCredentials = async (
  db: TenantDb,
  customerId: CustomerId,
  emailLower: string,
  { lock = false }: { lock?: boolean | 'alone' } = {},
) => {
  const query = db
    .select({ id: members.id, passwordHash: members.passwordHash, blockedAt: members.blockedAt })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.emailLower, emailLower), isNull(members.withdrawnAt)))
  const [row] = await (lock ? query.for(lock === 'alone' ? 'no key update' : 'share') : query)
  return row ?? null
}

export interface LiveSession {
  id: SessionId
  memberId: MemberId
  lastSeenAt: string
  /** Whether it is a session of staff who look at the store as the member. */
  viewing: boolean
}

/** Stores the time and address of the last use of a session. */
export const touchSession = (db: TenantDb, customerId: CustomerId, id: SessionId, now: Date, address: string) =>
  named(db, 'touch-session', 'UPDATE sessions SET last_seen_at = $3, address = $4 WHERE customer_id = $1 AND id = $2', [
    customerId,
    id,
    now,
    address,
  ])

/** Networks remembered per member: home, work, mobile and some of travels. */
const maxNetworks = 20

/** The hash includes the member's secret id, so that the network cannot be recovered. */
const hashOf = (memberId: MemberId, network: string) =>
  createHash('sha256').update(`${memberId}\n${network}`).digest('base64url')

const nobody = memberIdSchema.parse('00000000-0000-7000-8000-000000000000')

/**
 * Whether a member has signed in from a network before. Without a member the query runs too, so
 * that timing does not differ.
 */
export const isKnownNetwork = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId | null,
  network: string,
): Promise<boolean> => {
  const id = memberId ?? nobody
  const { rowCount } = await db.$client.query(
    'SELECT FROM known_networks WHERE customer_id = $1 AND member_id = $2 AND network_hash = $3',
    [customerId, id, hashOf(id, network)],
  )
  return rowCount === 1
}

/** Remembers a member's network and deletes the least recently used ones above the limit. */
export const rememberNetwork = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  network: string,
  now: Date,
) => {
  await db.$client.query(
    `INSERT INTO known_networks (customer_id, member_id, network_hash, last_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (customer_id, member_id, network_hash) DO UPDATE SET last_at = excluded.last_at`,
    [customerId, memberId, hashOf(memberId, network), now.toISOString()],
  )
  await db.$client.query(
    `DELETE FROM known_networks WHERE customer_id = $1 AND member_id = $2 AND network_hash IN (
       SELECT network_hash FROM known_networks WHERE customer_id = $1 AND member_id = $2 ORDER BY last_at DESC OFFSET $3)`,
    [customerId, memberId, maxNetworks],
  )
}

/** Inserts a signed-in session, known by the hash of its token. */
export const insertSession = async (db: TenantDb, row: typeof sessions.$inferInsert) => {
  await db.insert(sessions).values(row)
}

const ofMember = (customerId: CustomerId, memberId: MemberId) =>
  and(eq(sessions.customerId, customerId), eq(sessions.memberId, memberId))

/** Deletes one session of a member. Returns false if it does not exist. */
export const deleteSession = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, id: SessionId) => {
  const deleted = await db
    .delete(sessions)
    .where(and(ofMember(customerId, memberId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return deleted.length > 0
}

/** Deletes all sessions of a member, or all but one. */
export const deleteSessions = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { except }: { except?: SessionId } = {},
) => {
  await db.delete(sessions).where(and(ofMember(customerId, memberId), except && ne(sessions.id, except)))
}

/**
 * The latest hundred live sessions of a member, the most recently seen first, without those of
 * staff.
 */
export const liveSessionsOf = (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) =>
  db
    .select()
    .from(sessions)
    .where(and(ofMember(customerId, memberId), gt(sessions.expiresAt, now.toISOString()), isNull(sessions.viewer)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(100)

type OperatorRow = typeof operatorTokens.$inferSelect

/** All operator tokens, latest first. */
export const readOperatorTokens = (db: TenantDb, customerId: CustomerId): Promise<OperatorRow[]> =>
  db
    .select()
    .from(operatorTokens)
    .where(eq(operatorTokens.customerId, customerId))
    .orderBy(desc(operatorTokens.createdAt))

/** The operator token behind a hash, unless it was revoked or has expired. */
export const findLiveOperator = async (
  db: TenantDb,
  customerId: CustomerId,
  tokenHash: string,
  now: Date,
): Promise<OperatorRow | null> => {
  const [row] = await db
    .select()
    .from(operatorTokens)
    .where(
      and(
        eq(operatorTokens.customerId, customerId),
        eq(operatorTokens.tokenHash, tokenHash),
        isNull(operatorTokens.revokedAt),
        sql`coalesce(${operatorTokens.expiresAt} > ${now.toISOString()}, true)`,
      ),
    )
  return row ?? null
}

/** Inserts a token of an operator as its hash, so that it cannot be shown again. */
export const insertOperatorToken = async (db: TenantDb, row: typeof operatorTokens.$inferInsert) => {
  await db.insert(operatorTokens).values(row)
}

/** Updates the last use or the revocation of an operator token. */
export const updateOperatorToken = async (
  db: TenantDb,
  customerId: CustomerId,
  id: OperatorTokenId,
  change: Partial<Pick<OperatorRow, 'lastUsedAt' | 'revokedAt'>>,
) => {
  await db
    .update(operatorTokens)
    .set(change)
    .where(and(eq(operatorTokens.customerId, customerId), eq(operatorTokens.id, id)))
}
