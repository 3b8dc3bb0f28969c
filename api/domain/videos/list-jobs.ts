import type { Ctx } from '#api/context.ts'
import { findVideoJob, type JobFilter, readVideoJobs } from '#api/db/queries/video-jobs.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { VideoJobId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { VideoJob } from '#contract/videos.ts'
import { viewJob } from './view-job.ts'

export const listJobs = async ({ db, customer }: Ctx, wish: JobFilter): Promise<Page<VideoJob>> => {
  const { items, total } = await readVideoJobs(db, customer.id, wish)
  return { items: items.map(viewJob), total, page: wish.page, size: wish.size }
}

export const showJob = async ({ db, customer }: Ctx, id: VideoJobId): Promise<VideoJob | Failure> => {
  const job = await findVideoJob(db, customer.id, id)
  return job ? viewJob(job) : failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
}
