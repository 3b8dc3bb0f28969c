import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'
import {
  type ConsentType,
  consents,
  joinVerifications,
  members,
  memberTags,
  passwordResets,
} from './identity.schema.ts'

const opens = (customerId: CustomerId, keyHash: string, now: Date) =>
  and(
    eq(passwordResets.customerId, customerId),
    eq(passwordResets.keyHash, keyHash),
    isNull(passwordResets.usedAt),
    gt(passwordResets.expiresAt, now.toISOString()),
  )

/** The member whose password a valid reset key can change, with its hash; otherwise null. */
export const findReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const [row] = await db
    .select({ memberId: members.id, email: members.email, passwordHash: members.passwordHash })
    .from(passwordResets)
    .innerJoin(members, and(eq(members.customerId, passwordResets.customerId), eq(members.id, passwordResets.memberId)))
    .where(and(opens(customerId, keyHash, now), isNull(members.withdrawnAt)))
  return row ?? null
}

/**
 * Extends a member's unused reset keys that were created since a time and are still valid at
 * another, and shortens none. Returns whether there was one.
 */
export const extendResets = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { validAt, since, expiresAt }: { validAt: Date; since: Date; expiresAt: Date },
): Promise<boolean> => {
  const extended = await db
    .update(passwordResets)
    .set({ expiresAt: sql`greatest(${passwordResets.expiresAt}, ${expiresAt.toISOString()})` })
    .where(
      and(
        eq(passwordResets.customerId, customerId),
        eq(passwordResets.memberId, memberId),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, validAt.toISOString()),
        gt(passwordResets.createdAt, since.toISOString()),
      ),
    )
    .returning({ id: passwordResets.id })
  return extended.length > 0
}

/** Stores a password reset. */
export const insertReset = async (db: TenantDb, row: typeof passwordResets.$inferInsert) => {
  await db.insert(passwordResets).values(row)
}

/**
 * Uses up a reset key and the member's other keys. Only one of two concurrent requests gets the
 * member.
 */
export const consumeReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const usedAt = now.toISOString()
  const [used] = await db
    .update(passwordResets)
    .set({ usedAt })
    .where(opens(customerId, keyHash, now))
    .returning({ memberId: passwordResets.memberId })
  if (!used) return null
  await closeResets(db, customerId, used.memberId, now)
  return used.memberId
}

/** Invalidates a member's open reset keys. */
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

export type MemberRow = typeof members.$inferSelect

/** A member's row; null after withdrawal. `lock` locks it until the transaction ends. */
export const findMember = async (db: TenantDb, customerId: CustomerId, id: MemberId, { lock = false } = {}) => {
  const query = db
    .select()
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

/** A member's email address and language (null without a choice). Returns null after withdrawal. */
export const readAddressee = async (db: TenantDb, customerId: CustomerId, id: MemberId) => {
  const [row] = await db
    .select({ email: members.email, locale: members.locale })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
  return row ?? null
}

/** Overwrites the given columns of a member. Requires the member's lock. */
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

/** The id of the member with an email address, withdrawn or not; null without one. */
export const findMemberId = async (db: TenantDb, customerId: CustomerId, emailLower: string) => {
  const [row] = await db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.emailLower, emailLower)))
  return row?.id ?? null
}

/** Inserts a member. Returns false if the email address is taken. */
export const insertMember = async (db: TenantDb, row: typeof members.$inferInsert): Promise<boolean> => {
  const inserted = await db.insert(members).values(row).onConflictDoNothing().returning({ id: members.id })
  return inserted.length > 0
}

/** Sets a member's password and returns their email address and name; null after withdrawal. */
export const setPassword = async (
  db: TenantDb,
  customerId: CustomerId,
  id: MemberId,
  values: Pick<MemberRow, 'passwordHash'> & Partial<Pick<MemberRow, 'marketing'>>,
) => {
  const [row] = await db
    .update(members)
    .set(values)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
    .returning({ email: members.email, emailLower: members.emailLower, name: members.name })
  return row ?? null
}

/** Sets the end of a member's partnership, which grants every product on a plan. */
export const updatePartnership = (
  db: TenantDb,
  customerId: CustomerId,
  id: MemberId,
  { until, name }: { until: string | null; name: string | null },
) =>
  db
    .update(members)
    .set({ partnershipUntil: until, partnershipName: name })
    .where(and(eq(members.customerId, customerId), eq(members.id, id)))

/** Returns partnerships that ended since a time and were not mailed about, the earliest first. */
export const partnershipsThatEnded = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, now, limit }: { since: Date; now: Date; limit: number },
) => {
  const { rows } = await db.$client.query<{ id: MemberId; until: string; name: string | null }>(
    `SELECT m.id, m.partnership_until AS until, m.partnership_name AS name FROM members m
      WHERE m.customer_id = $1 AND m.partnership_until > $2 AND m.partnership_until <= $3 AND m.withdrawn_at IS NULL
        AND NOT EXISTS (SELECT FROM mails s WHERE s.customer_id = $1 AND s.member_id = m.id
                           AND s.template = 'partnership-ended' AND s.created_at >= m.partnership_until)
      ORDER BY m.partnership_until, m.id LIMIT $4`,
    [customerId, since, now, limit],
  )
  return rows
}

export type JoinRow = typeof joinVerifications.$inferSelect

/** Stores a join and returns its row. */
export const insertJoin = async (db: TenantDb, values: typeof joinVerifications.$inferInsert): Promise<JoinRow> => {
  const [row] = await db.insert(joinVerifications).values(values).returning()
  if (!row) throw new Error('A join was not saved')
  return row
}

/** Finds a join by the hash of its token and locks its row. */
export const lockJoin = async (db: TenantDb, customerId: CustomerId, tokenHash: string): Promise<JoinRow | null> => {
  const [row] = await db
    .select()
    .from(joinVerifications)
    .where(and(eq(joinVerifications.customerId, customerId), eq(joinVerifications.tokenHash, tokenHash)))
    .for('update')
  return row ?? null
}

/** Updates a locked join and returns its new row. */
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
  if (!row) throw new Error(`The join ${id} was deleted while it was locked`)
  return row
}

export interface Consent {
  type: ConsentType
  version: string
  granted: boolean
  at: string
}

/** Appends evidence of consents given or withdrawn. Existing rows never change. */
export const appendConsents = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  given: readonly Consent[],
) => {
  if (given.length === 0) return
  await db.insert(consents).values(given.map((consent) => ({ customerId, id: newId(), memberId, ...consent })))
}

/** A member's latest consent of a type; null without one. */
export const latestConsent = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, type: ConsentType) => {
  const [row] = await db
    .select({ granted: consents.granted, version: consents.version, at: consents.at })
    .from(consents)
    .where(and(eq(consents.customerId, customerId), eq(consents.memberId, memberId), eq(consents.type, type)))
    .orderBy(desc(consents.at), desc(consents.id))
    .limit(1)
  return row ?? null
}

/** Which of some members exist, with their tags. Locks the members until the transaction ends. */
export const readTagsForChange = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly MemberId[],
): Promise<Map<MemberId, string[]>> => {
  const { rows: present } = await db.$client.query<{ id: MemberId }>(
    `SELECT id FROM members WHERE customer_id = $1 AND id = ANY($2::uuid[]) AND withdrawn_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [customerId, ids],
  )
  const tags = new Map(present.map(({ id }): [MemberId, string[]] => [id, []]))
  const { rows } = await db.$client.query<{ id: MemberId; tag: string }>(
    'SELECT member_id AS id, tag FROM member_tags WHERE customer_id = $1 AND member_id = ANY($2::uuid[]) ORDER BY tag',
    [customerId, [...tags.keys()]],
  )
  for (const { id, tag } of rows) tags.get(id)?.push(tag)
  return tags
}

/** Replaces the tags of a member. */
export const writeTags = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
) => {
  if (removed.length > 0)
    await db.$client.query(
      'DELETE FROM member_tags WHERE customer_id = $1 AND member_id = $2 AND tag = ANY($3::text[])',
      [customerId, memberId, removed],
    )
  if (added.length > 0) await db.insert(memberTags).values(added.map((tag) => ({ customerId, memberId, tag })))
}

/** The tags of a store with the number of their members, the most used first, at most 500. */
export const readTagCounts = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<{ tag: string; members: number }>(
    `SELECT tag, count(*)::int AS members FROM member_tags WHERE customer_id = $1
      GROUP BY tag ORDER BY members DESC, tag LIMIT 500`,
    [customerId],
  )
  return rows
}
