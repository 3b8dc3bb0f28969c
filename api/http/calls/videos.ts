import { cancelJob } from '#api/domain/videos/cancel-job.ts'
import { listJobs, showJob } from '#api/domain/videos/list-jobs.ts'
import { retryJob } from '#api/domain/videos/retry-job.ts'
import { takeUploads } from '#api/domain/videos/take-uploads.ts'
import { operatorName, transactAsOperator, unwrap } from '../call-context.ts'
import { givingEnv } from '../giving-env.ts'
import { os } from '../implementer.ts'

export const videoCalls = {
  videoJobs: os.videos.videoJobs.handler(({ context, input: { product, ...input } }) =>
    transactAsOperator(context, (ctx) => listJobs(ctx, { ...input, productCode: product })),
  ),
  videoJob: os.videos.videoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx) => showJob(ctx, input.id)),
  ),
  addVideo: os.videos.addVideo.handler(async ({ context, input }) => {
    const { id } = unwrap(await takeUploads(givingEnv(context), operatorName(context), input))
    return transactAsOperator(context, (ctx) => showJob(ctx, id))
  }),
  cancelVideoJob: os.videos.cancelVideoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => cancelJob(ctx, by, input.id)),
  ),
  retryVideoJob: os.videos.retryVideoJob.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => retryJob(ctx, by, input.id)),
  ),
}
