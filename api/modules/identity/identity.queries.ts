import { createHash } from 'node:crypto'
import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId, SessionId } from '#contract/ids.ts'
import { type ConsentType, consents, joinVerifications, members, passwordResets } from './identity.schema.ts'

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

/** Networks that are remembered of one member: home, work, the phone's, and some of travels. */
const mostNetworks = 20

/** No network can be read back: the member's id, which nobody knows, is part of the hash. */
const hashOf = (memberId: string, network: string) =>
  createHash('sha256').update(`${memberId}\n${network}`).digest('base64url')

/** Whether a member has signed in from a network before. For no member it is asked all the same, and takes as long. */
export const knowsNetwork = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId | null,
  network: string,
): Promise<boolean> => {
  const id = memberId ?? '00000000-0000-7000-8000-000000000000'
  const { rowCount } = await db.$client.query(
    'SELECT FROM known_networks WHERE customer_id = $1 AND member_id = $2 AND network_hash = $3',
    [customerId, id, hashOf(id, network)],
  )
  return rowCount === 1
}

/** Remembers a network of a member, and forgets those least lately used beyond the most that are kept. */
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
    [customerId, memberId, mostNetworks],
  )
}

const opens = (customerId: CustomerId, keyHash: string, now: Date) =>
  and(
    eq(passwordResets.customerId, customerId),
    eq(passwordResets.keyHash, keyHash),
    isNull(passwordResets.usedAt),
    gt(passwordResets.expiresAt, now.toISOString()),
  )

/** The member a key still opens a new password for; null for any other key. */
export const findReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const [row] = await db
    .select({ memberId: sql<MemberId>`${members.id}`, email: members.email })
    .from(passwordResets)
    .innerJoin(members, and(eq(members.customerId, passwordResets.customerId), eq(members.id, passwordResets.memberId)))
    .where(and(opens(customerId, keyHash, now), isNull(members.withdrawnAt)))
  return row ?? null
}

/** Lets a member's unused keys that were made since a moment open for longer; answers whether there was one. */
export const extendResets = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { now, since, expiresAt }: { now: Date; since: Date; expiresAt: Date },
): Promise<boolean> => {
  const extended = await db
    .update(passwordResets)
    .set({ expiresAt: expiresAt.toISOString() })
    .where(
      and(
        eq(passwordResets.customerId, customerId),
        eq(passwordResets.memberId, memberId),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now.toISOString()),
        gt(passwordResets.createdAt, since.toISOString()),
      ),
    )
    .returning({ id: passwordResets.id })
  return extended.length > 0
}

/** Uses a key up. Of two at once one gets the member, the other nothing. The member's other keys are used up with it. */
export const consumeReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const usedAt = now.toISOString()
  const [used] = await db
    .update(passwordResets)
    .set({ usedAt })
    .where(opens(customerId, keyHash, now))
    .returning({ memberId: sql<MemberId>`${passwordResets.memberId}` })
  if (!used) return null
  await closeResets(db, customerId, used.memberId, now)
  return used.memberId
}

/** Closes every way a member's mails still open to a new password. */
export const closeResets = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  await db
    .update(passwordResets)
    .set({ usedAt: now.toISOString() })
    .where(
      and(
        eq(passwordResets.customerId, customerId),
        eq(passwordResets.memberId, memberId),
        isNull(passwordResets.usedAt),
      ),
    )
}

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
/** All of a member's row; null for one who has left. `lock` holds it until the transaction ends. */
export const findMember = async (db: TenantDb, customerId: CustomerId, id: MemberId, { lock = false } = {}) => {
  const query = db
    .select()
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

/** The email address and the language of a member, null for one who has chosen none; null for a member who has left. */
export const readAddressee = async (db: TenantDb, customerId: CustomerId, id: MemberId) => {
  const [row] = await db
    .select({ email: members.email, locale: members.locale })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
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

export type JoinRow = typeof joinVerifications.$inferSelect

/** A join by what is kept of its token, its row locked for the transaction. */
export const lockJoin = async (db: TenantDb, customerId: CustomerId, tokenHash: string): Promise<JoinRow | null> => {
  const [row] = await db
    .select()
    .from(joinVerifications)
    .where(and(eq(joinVerifications.customerId, customerId), eq(joinVerifications.tokenHash, tokenHash)))
    .for('update')
  return row ?? null
}

export const changeJoin = async (
  db: TenantDb,
  { customerId, id }: Pick<JoinRow, 'customerId' | 'id'>,
  values: { [Column in keyof JoinRow]?: JoinRow[Column] | SQL },
): Promise<JoinRow> => {
  const [row] = await db
    .update(joinVerifications)
    .set(values)
    .where(and(eq(joinVerifications.customerId, customerId), eq(joinVerifications.id, id)))
    .returning()
  if (!row) throw new Error(`The join ${id} is gone, though it was locked`)
  return row
}

export interface Consent {
  type: ConsentType
  version: string
  granted: boolean
  at: string
}

/** Writes evidence of consents given or taken back; nothing written before is changed. */
export const appendConsents = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  given: readonly Consent[],
) => {
  if (given.length === 0) return
  await db.insert(consents).values(given.map((consent) => ({ customerId, id: newId(), memberId, ...consent })))
}

/** The latest word of a member on one matter; null when there is none. */
export const latestConsent = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, type: ConsentType) => {
  const [row] = await db
    .select({ granted: consents.granted, version: consents.version, at: consents.at })
    .from(consents)
    .where(and(eq(consents.customerId, customerId), eq(consents.memberId, memberId), eq(consents.type, type)))
    .orderBy(desc(consents.at), desc(consents.id))
    .limit(1)
  return row ?? null
}
