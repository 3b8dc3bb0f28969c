import {
  detachedCtx,
  implementProcedures,
  operatorName,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { queueFinishedUploads, type VideoFileDeps, videoIntakeDeps } from './video-files.ts'
import { listJobs, showJob } from './video-job-states.ts'
import { cancelJob, retryJob } from './video-jobs.ts'

const os = implementProcedures<VideoFileDeps>()

export const mediaProcedures = {
  videoJobs: os.media.videoJobs.handler(({ context, input: { product, ...input } }) =>
    transactAsOperator(context, (ctx) => listJobs(ctx, { ...input, productCode: product })),
  ),
  videoJob: os.media.videoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx) => showJob(ctx, input.id)),
  ),
  addVideo: os.media.addVideo.handler(async ({ context, input }) => {
    const intake = videoIntakeDeps(detachedCtx(context), context.deps)
    const { id } = unwrap(await queueFinishedUploads(intake, operatorName(context), input))
    return transactAsOperator(context, (ctx) => showJob(ctx, id))
  }),
  cancelVideoJob: os.media.cancelVideoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => cancelJob(ctx, by, input.id)),
  ),
  retryVideoJob: os.media.retryVideoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => retryJob(ctx, by, input.id)),
  ),
}
