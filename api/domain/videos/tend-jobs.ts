import { and, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { announceVideoJobs, type VideoJobRow } from '#api/db/queries/video-jobs.ts'
import { videoJobs } from '#api/db/schema/videos.ts'
import { endAttempt } from './end-attempt.ts'
import { attemptsAtMost, lostAfterSeconds } from './states.ts'

const silent = sql`now() - make_interval(secs => ${lostAfterSeconds})`

type TendingCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>

/** A worker is gone in the middle of a job: it is begun again, or given up where it has taken its worker along too often. */
export const loseAttempt = (ctx: TendingCtx, job: Pick<VideoJobRow, 'id' | 'attempts' | 'videoId'>) =>
  endAttempt(ctx, job, {
    failure: 'WORKER_LOST',
    reason: `The worker ended in the middle of it ${attemptsAtMost} times: this file may need more memory than there is.`,
    cleaned: false,
  })

/** Frees the jobs of workers that have fallen silent, and tells the others what is due. */
export const tendJobs = async (ctx: TendingCtx) => {
  const { db, customer } = ctx
  const lost = await db
    .select()
    .from(videoJobs)
    .where(and(eq(videoJobs.customerId, customer.id), eq(videoJobs.status, 'RUNNING'), lt(videoJobs.seenAt, silent)))
    .for('update', { skipLocked: true })
  for (const job of lost) await loseAttempt(ctx, job)
  const due = and(
    eq(videoJobs.customerId, customer.id),
    eq(videoJobs.status, 'QUEUED'),
    lte(videoJobs.dueAt, sql`now()`),
  )
  if ((await db.$count(videoJobs, due)) > 0) await announceVideoJobs(db, customer.id)
}

/** Jobs that have ended while a worker was at them, which has not said that it took away what it had stored. */
export const uncleanJobs = ({ db, customer }: TendingCtx) =>
  db
    .select({ id: videoJobs.id, videoId: videoJobs.videoId })
    .from(videoJobs)
    .where(
      and(
        eq(videoJobs.customerId, customer.id),
        inArray(videoJobs.status, ['FAILED', 'CANCELLED']),
        isNotNull(videoJobs.step),
        lt(videoJobs.seenAt, silent),
      ),
    )
