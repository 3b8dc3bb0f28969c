import { translationColumn } from '#api/modules/catalog/products.queries.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, MemberId, PlayId, ProductId, SessionId } from '#contract/ids.ts'
import type { Translation } from '#contract/translations.ts'
import type { PlayEnd } from './playback.schema.ts'

export interface LivePlay {
  id: PlayId
  sessionId: SessionId
  productId: ProductId
  part: string
  device: string
  /** The title of the lesson, or of the product without one. */
  title: string
  translation: Translation | null
  startedAt: string
}

/**
 * Serializes the starts of one member until the transaction ends. Returns how to address the
 * member.
 */
export const lockViewer = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const [row] = await named<{ email: string }>(
    db,
    'lock-viewer',
    'SELECT email FROM members WHERE customer_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [customerId, memberId],
  )
  return row ?? null
}

/** Ends plays of a member that have not reported since a time. The remaining plays are live. */
export const endLapsedPlays = (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  silentSince: Date,
  now: Date,
) =>
  named(
    db,
    'end-lapsed-plays',
    `UPDATE plays SET ended_at = $4, ended_by = 'LAPSED'
      WHERE customer_id = $1 AND member_id = $2 AND ended_at IS NULL AND seen_at < $3`,
    [customerId, memberId, silentSince, now],
  )

/** The plays of a member that have not ended. */
export const livePlays = (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  language: Locale | null,
): Promise<LivePlay[]> =>
  named<LivePlay & Record<string, unknown>>(
    db,
    'live-plays',
    `SELECT y.id, y.session_id AS "sessionId", y.product_id AS "productId", y.part, y.device, y.started_at AS "startedAt",
            coalesce(l.title, p.title, '') AS title,
            CASE WHEN l.id IS NULL THEN ${translationColumn('p', '$3')} ELSE ${translationColumn('l', '$3')} END AS translation
       FROM plays y
       LEFT JOIN products p ON p.customer_id = y.customer_id AND p.id = y.product_id
       LEFT JOIN lessons l ON l.customer_id = y.customer_id AND l.product_id = y.product_id AND l.id::text = y.part
      WHERE y.customer_id = $1 AND y.member_id = $2 AND y.ended_at IS NULL
      ORDER BY y.started_at, y.id`,
    [customerId, memberId, language ?? ''],
  )

export interface NewPlay {
  id: PlayId
  memberId: MemberId
  sessionId: SessionId
  productId: ProductId
  part: string
  address: string
}

/** Inserts a play with the device name of its session. */
export const insertPlay = (db: TenantDb, customerId: CustomerId, play: NewPlay, now: Date) =>
  named(
    db,
    'insert-play',
    `INSERT INTO plays (customer_id, id, member_id, session_id, product_id, part, device, address, started_at, seen_at)
     SELECT customer_id, $2, $3, id, $5, $6, device, $7, $8, $8 FROM sessions WHERE customer_id = $1 AND id = $4`,
    [customerId, play.id, play.memberId, play.sessionId, play.productId, play.part, play.address, now],
  )

/** Ends a play. Returns whether it was live. */
export const endPlay = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  id: PlayId,
  by: PlayEnd,
  now: Date,
) => {
  const ended = await named(
    db,
    'end-play',
    `UPDATE plays SET ended_at = $4, ended_by = $5
      WHERE customer_id = $1 AND member_id = $2 AND id = $3 AND ended_at IS NULL RETURNING id`,
    [customerId, memberId, id, now, by],
  )
  return ended.length > 0
}

/**
 * Resumes a play that its viewer left, under its id and addresses. Returns whether there was one.
 */
export const resumePlay = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, sessionId, productId, part }: Pick<NewPlay, 'id' | 'sessionId' | 'productId' | 'part'>,
  now: Date,
) => {
  const resumed = await named(
    db,
    'resume-play',
    `UPDATE plays SET ended_at = NULL, ended_by = NULL, seen_at = $6
      WHERE customer_id = $1 AND id = $2 AND session_id = $3 AND product_id = $4 AND part = $5 AND ended_by = 'LEFT'
      RETURNING id`,
    [customerId, id, sessionId, productId, part, now],
  )
  return resumed.length > 0
}

/** Records that a play is still active. */
export const touchPlay = (db: TenantDb, customerId: CustomerId, id: PlayId, now: Date) =>
  named(db, 'sign-of-play', 'UPDATE plays SET seen_at = $3 WHERE customer_id = $1 AND id = $2 AND ended_at IS NULL', [
    customerId,
    id,
    now,
  ])

/** Returns how a session's play ended; a null end while it is live, null if there is none. */
export const playOfSession = async (db: TenantDb, customerId: CustomerId, sessionId: SessionId, id: PlayId) => {
  const [row] = await named<{ endedBy: PlayEnd | null }>(
    db,
    'play-of-session',
    'SELECT ended_by AS "endedBy" FROM plays WHERE customer_id = $1 AND session_id = $2 AND id = $3',
    [customerId, sessionId, id],
  )
  return row ?? null
}

export interface PlayingDevice {
  sessionId: SessionId
  device: string
  playedAt: string
}

/** Devices of a member that played since a time and are still signed in, latest first. */
export const playingDevices = (db: TenantDb, customerId: CustomerId, memberId: MemberId, since: Date, now: Date) =>
  named<PlayingDevice & Record<string, unknown>>(
    db,
    'playing-devices',
    `SELECT s.id AS "sessionId", s.device, y.seen_at AS "playedAt"
       FROM sessions s
       JOIN LATERAL (SELECT seen_at FROM plays WHERE customer_id = $1 AND session_id = s.id
                      ORDER BY seen_at DESC LIMIT 1) y ON true
      WHERE s.customer_id = $1 AND s.member_id = $2 AND s.expires_at > $4 AND y.seen_at > $3
      ORDER BY y.seen_at DESC`,
    [customerId, memberId, since, now],
  )
