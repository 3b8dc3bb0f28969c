import { and, count, desc, eq, inArray, isNotNull, isNull, like, lt, lte, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { lessons, products } from '#api/modules/catalog/catalog.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import type { CustomerId, LessonId, ProductCode, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import { videoJobs } from './media.schema.ts'

export type VideoJobRow = typeof videoJobs.$inferSelect
/** Columns to update: values, or SQL such as `databaseNow`. */
export type VideoJobChanges = PgUpdateSetSource<typeof videoJobs>
type JobNames = { productCode: ProductCode | null; productTitle: string | null; lesson: number | null }
/** A job with its product, null for the library, and the number of its lesson. */
export type NamedVideoJob = VideoJobRow & JobNames

/** The channel that announces due jobs. The payload is the tenant's id. */
export const videoChannel = 'marquee_videos'
/** The application name of the listening connection. Without one, no worker is running. */
export const videoListener = 'marquee-videos'

/** Whether a worker listens for jobs, embedded in the server or external. */
export const isAnyoneListening = async (pool: pg.Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [videoListener],
  )
  return (rowCount ?? 0) > 0
}

/** The database's time, because several machines work on the jobs of one installation. */
export const databaseNow = sql`now()`
/** A time relative to the database's clock. */
export const secondsFromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`
const secondsAgo = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`

/** Notifies workers that a tenant has due jobs, and its open consoles. */
export const announceVideoJobs = (db: TenantDb, customerId: CustomerId) =>
  announceChange(db, customerId, 'videos', videoChannel)

const ownJob = (customerId: CustomerId, id: VideoJobId) =>
  and(eq(videoJobs.customerId, customerId), eq(videoJobs.id, id))

/** The position of a lesson in its product, from 1. */
const lessonNumber = (customerId: CustomerId) => sql<number | null>`(
  SELECT count(*)::int FROM ${lessons} l JOIN ${lessons} mine ON mine.customer_id = l.customer_id AND mine.product_id = l.product_id
   WHERE mine.customer_id = ${customerId} AND mine.id = ${videoJobs.lessonId} AND (l.sort, l.id) <= (mine.sort, mine.id)
  HAVING count(*) > 0)`

const named = (customerId: CustomerId) => ({
  job: videoJobs,
  productCode: products.code,
  productTitle: products.title,
  lesson: lessonNumber(customerId),
})
const asNamed = ({ job, ...names }: JobNames & { job: VideoJobRow }): NamedVideoJob => ({ ...job, ...names })
const withProduct = and(eq(products.customerId, videoJobs.customerId), eq(products.id, videoJobs.productId))

/** Returns a job with the code of its product, or null. */
export const findVideoJob = async (
  db: TenantDb,
  customerId: CustomerId,
  id: VideoJobId,
): Promise<NamedVideoJob | null> => {
  const [row] = await db
    .select(named(customerId))
    .from(videoJobs)
    .leftJoin(products, withProduct)
    .where(ownJob(customerId, id))
  return row ? asNamed(row) : null
}

/** Returns the job that made a video; null for one that was imported. */
export const findJobOfVideo = async (db: TenantDb, customerId: CustomerId, id: VideoId) => {
  const [row] = await db
    .select(named(customerId))
    .from(videoJobs)
    .leftJoin(products, withProduct)
    .where(and(eq(videoJobs.customerId, customerId), eq(videoJobs.videoId, id)))
  return row ? asNamed(row) : null
}

/** The row, locked until the transaction ends. */
export const lockVideoJob = async (
  db: TenantDb,
  customerId: CustomerId,
  id: VideoJobId,
): Promise<VideoJobRow | null> => {
  const [row] = await db.select().from(videoJobs).where(ownJob(customerId, id)).for('update')
  return row ?? null
}

export interface JobFilter {
  status?: VideoJobRow['status'] | undefined
  productCode?: ProductCode | undefined
  page: number
  size: number
}

/** Returns jobs, latest first, and their total number. */
export const readVideoJobs = async (db: TenantDb, customerId: CustomerId, options: JobFilter) => {
  const where = and(
    eq(videoJobs.customerId, customerId),
    options.status === undefined ? undefined : eq(videoJobs.status, options.status),
    options.productCode === undefined ? undefined : eq(products.code, options.productCode),
  )
  const rows = await db
    .select(named(customerId))
    .from(videoJobs)
    .leftJoin(products, withProduct)
    .where(where)
    .orderBy(desc(videoJobs.createdAt), desc(videoJobs.id))
    .limit(options.size)
    .offset((options.page - 1) * options.size)
  const [all] = await db.select({ total: count() }).from(videoJobs).leftJoin(products, withProduct).where(where)
  return { items: rows.map(asNamed), total: all?.total ?? 0 }
}

/** Jobs of the same product or lesson that have not ended. */
export const openJobsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId, lessonId: LessonId | null) =>
  db
    .select()
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customerId),
        eq(videoJobs.productId, productId),
        lessonId === null ? isNull(videoJobs.lessonId) : eq(videoJobs.lessonId, lessonId),
        isNull(videoJobs.endedAt),
      ),
    )
    .for('update')

/** Returns the tenant's jobs in some states. */
export const jobsInStates = (db: TenantDb, customerId: CustomerId, states: readonly VideoJobRow['status'][]) =>
  db
    .select()
    .from(videoJobs)
    .where(and(eq(videoJobs.customerId, customerId), inArray(videoJobs.status, [...states])))

/** Jobs with a source key of this prefix: the film or one of its tracks. */
export const jobsOfSources = (db: TenantDb, customerId: CustomerId, prefix: string) =>
  db
    .select()
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customerId),
        or(like(videoJobs.sourceKey, `${prefix}%`), like(sql`${videoJobs.options}::text`, `%"${prefix}%`)),
      ),
    )

/**
 * Claims the longest due job and increments its attempts. The worker owns the job until the number
 * changes.
 */
export const claimDueJob = async (db: TenantDb, customerId: CustomerId, only: readonly VideoJobId[] | null) => {
  const [due] = await db
    .select({ id: videoJobs.id, startedAt: videoJobs.startedAt })
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customerId),
        eq(videoJobs.status, 'QUEUED'),
        lte(videoJobs.dueAt, sql`now()`),
        only === null ? undefined : inArray(videoJobs.id, [...only]),
      ),
    )
    .orderBy(videoJobs.dueAt, videoJobs.id)
    .limit(1)
    .for('update', { skipLocked: true })
  if (!due) return null
  const [job] = await db
    .update(videoJobs)
    .set({
      status: 'RUNNING',
      step: 'PROBE',
      percent: 0,
      secondsLeft: null,
      failure: null,
      reason: null,
      attempts: sql`${videoJobs.attempts} + 1`,
      seenAt: databaseNow,
      // COALESCE of a function that is not immutable is refused in a cluster.
      ...(due.startedAt === null && { startedAt: databaseNow }),
    })
    .where(ownJob(customerId, due.id))
    .returning()
  if (job) await announceChange(db, customerId, 'videos')
  return job ?? null
}

/** One attempt at a job. A higher number means that another worker has claimed the job. */
export type Attempt = Pick<VideoJobRow, 'id' | 'attempts' | 'videoId'>

/** Updates a job if it still belongs to this attempt. Returns whether it did. */
export const writeAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, attempts, videoId }: Attempt,
  values: VideoJobChanges,
): Promise<boolean> => {
  const { rowCount } = await db
    .update(videoJobs)
    .set(values)
    .where(
      and(
        ownJob(customerId, id),
        eq(videoJobs.attempts, attempts),
        eq(videoJobs.videoId, videoId),
        eq(videoJobs.status, 'RUNNING'),
      ),
    )
  if (!rowCount) return false
  await announceChange(db, customerId, 'videos')
  return true
}

/** Adds a job to the queue. The encoders find it when they are notified or look again. */
export const insertVideoJob = async (db: TenantDb, job: typeof videoJobs.$inferInsert) => {
  await db.insert(videoJobs).values(job)
}

/** Locks and returns the running jobs whose worker has sent no heartbeat for `silentSeconds`. */
export const claimLostJobs = (db: TenantDb, customerId: CustomerId, silentSeconds: number): Promise<VideoJobRow[]> =>
  db
    .select()
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customerId),
        eq(videoJobs.status, 'RUNNING'),
        lt(videoJobs.seenAt, secondsAgo(silentSeconds)),
      ),
    )
    .for('update', { skipLocked: true })

/** Whether a queued job is due. */
export const hasDueJobs = async (db: TenantDb, customerId: CustomerId): Promise<boolean> => {
  const due = and(
    eq(videoJobs.customerId, customerId),
    eq(videoJobs.status, 'QUEUED'),
    lte(videoJobs.dueAt, databaseNow),
  )
  return (await db.$count(videoJobs, due)) > 0
}

/** Jobs that ended while a worker ran them, and whose stored files may remain. */
export const listJobsToCleanUp = (db: TenantDb, customerId: CustomerId, silentSeconds: number) =>
  db
    .select({ id: videoJobs.id, videoId: videoJobs.videoId })
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customerId),
        inArray(videoJobs.status, ['FAILED', 'CANCELLED']),
        isNotNull(videoJobs.step),
        lt(videoJobs.seenAt, secondsAgo(silentSeconds)),
      ),
    )

/** Updates a job, whatever its state. */
export const setVideoJob = async (db: TenantDb, customerId: CustomerId, id: VideoJobId, values: VideoJobChanges) => {
  await db.update(videoJobs).set(values).where(ownJob(customerId, id))
  await announceChange(db, customerId, 'videos')
}

/** Records that an attempt's stored files are removed, so that the cleanup task skips the job. */
export const markCleaned = async (db: TenantDb, customerId: CustomerId, { id, videoId }: Omit<Attempt, 'attempts'>) => {
  await db
    .update(videoJobs)
    .set({ step: null })
    .where(and(ownJob(customerId, id), eq(videoJobs.videoId, videoId), isNotNull(videoJobs.endedAt)))
}

/** Where an operator asked the preview of a video to begin. Seconds. */
export const requestedPreviewStart = async (db: TenantDb, customerId: CustomerId, id: VideoId): Promise<number> => {
  const [job] = await db
    .select({ options: videoJobs.options })
    .from(videoJobs)
    .where(and(eq(videoJobs.customerId, customerId), eq(videoJobs.videoId, id)))
  return job?.options.previewStartSeconds ?? 0
}

/** The latest changes of a video's captions, also under what showed the video before. */
export const readCaptionEdits = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, subjects, language }: { id: VideoId; subjects: readonly string[]; language: string },
) => {
  const { rows } = await db.$client.query<{ at: string; actor: string; from: unknown; to: unknown }>(
    `WITH RECURSIVE places(subject) AS (SELECT unnest($3::text[]) UNION
       SELECT jsonb_array_elements_text(a.detail->'from') FROM places p JOIN audit a ON a.customer_id = $1 AND a.subject = p.subject AND a.action = 'video.shared' AND a.detail->>'video' = $2)
     SELECT at, actor, changes->$4::text->'from' AS "from", changes->$4::text->'to' AS "to" FROM audit
      WHERE customer_id = $1 AND subject IN (SELECT subject FROM places) AND starts_with(action, 'video.captions-')
        AND detail->>'video' = $2 AND changes->$4::text IS NOT NULL ORDER BY at DESC, id DESC LIMIT 500`,
    [customerId, id, subjects, language],
  )
  return rows
}
