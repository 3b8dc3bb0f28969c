import { sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { announceVideoJobs, findVideoJob, lockVideoJob, setVideoJob } from '#api/db/queries/video-jobs.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { LessonId, ProductId, VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/videos.ts'
import { showJob } from './list-jobs.ts'
import {
  countedOnFrom,
  isPassing,
  sourcesKeptMilliseconds,
  stateAfter,
  statesBefore,
  type VideoJobStatus,
} from './states.ts'
import { subjectOf } from './subject.ts'
import { supersede } from './supersede.ts'

/** Begins a job again that failed for a reason outside of its file, or that was cancelled. */
export const retryJob = async (ctx: Ctx, by: AuditActor, id: VideoJobId): Promise<VideoJob | Failure> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, id)
  const found = job && (await findVideoJob(db, customer.id, id))
  if (!found) return failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
  const refuse = (sentence: string) => failure('CONFLICT', { errors: { status: [sentence] } })
  const status = found.status as VideoJobStatus
  if (!statesBefore('RETRIED').includes(status))
    return refuse(`It is ${status}: only a job that failed or was cancelled can be tried again.`)
  if (status === stateAfter.FAILED && !isPassing(found.failure))
    return refuse(`The file itself was refused: ${found.reason ?? found.failure} Give another one.`)
  const age = clock.now().getTime() - Date.parse(found.endedAt ?? found.createdAt)
  if (age > sourcesKeptMilliseconds) return refuse('Its file was kept for a week and is gone: give it again.')

  await supersede(ctx, found.productId as ProductId, found.lessonId as LessonId | null, id)
  await setVideoJob(db, customer.id, id, {
    ...{ status: stateAfter.RETRIED, failure: null, reason: null, step: null, percent: 0, secondsLeft: null },
    // Never from zero: a worker that has not heard of its end yet would take the new attempt for its own.
    ...{ attempts: countedOnFrom(found.attempts), dueAt: sql`now()` as unknown as string, endedAt: null },
  })
  const subject = subjectOf(found.productCode, found.lessonId)
  await audit(ctx, { actor: by, action: 'video.retried', subject, detail: { job: id } })
  await announceVideoJobs(db, customer.id)
  return showJob(ctx, id)
}
