import type { Ctx } from '#api/context.ts'
import { findVideoJob, lockVideoJob, setVideoJob } from '#api/db/queries/video-jobs.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/videos.ts'
import { showJob } from './list-jobs.ts'
import { stateAfter, statesBefore, type VideoJobStatus } from './states.ts'
import { subjectOf } from './subject.ts'
import { viewJob } from './view-job.ts'

/** Ends a job that waits, or stops the worker that is at it within a second. Cancelling twice is no mistake. */
export const cancelJob = async (ctx: Ctx, by: AuditActor, id: VideoJobId): Promise<VideoJob | Failure> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, id)
  const found = job && (await findVideoJob(db, customer.id, id))
  if (!found) return failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
  const status = found.status as VideoJobStatus
  if (status === stateAfter.CANCELLED) return viewJob(found)
  if (!statesBefore('CANCELLED').includes(status))
    return failure('CONFLICT', {
      errors: { status: [`It is ${status}: only a job that waits or runs can be cancelled.`] },
    })
  await setVideoJob(db, customer.id, id, {
    ...{ status: stateAfter.CANCELLED, failure: 'CANCELLED', reason: `Cancelled by ${by}.` },
    ...{ secondsLeft: null, endedAt: clock.now().toISOString() },
  })
  const subject = subjectOf(found.productCode, found.lessonId)
  await audit(ctx, { actor: by, action: 'video.cancelled', subject, detail: { job: id } })
  return showJob(ctx, id)
}
