import { setBannerPicture, viewBanner } from '#api/modules/content/store-content.ts'
import { changeSettings, viewSettings } from '#api/modules/tenancy/settings.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import type { Picture } from '#contract/picture.ts'
import { brandKey, NotAPicture, storePicture } from './pictures.ts'
import { queueFinishedUploads, type VideoFileDeps, videoIntakeDeps } from './video-files.ts'
import { listJobs, showJob } from './video-job-states.ts'
import { cancelJob, retryJob } from './video-jobs.ts'

/** What the procedures of this module need of the process. */
interface MediaDeps extends VideoFileDeps {
  storage: MediaStorage
}

const os = implementProcedures<MediaDeps>()

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

const bytesOf = async (file: File) => Buffer.from(await file.arrayBuffer())

/** @throws ApiError VALIDATION_FAILED, in the language of the person */
const refuseFile = (context: ProcedureContext, formats: string): never => {
  const i18n = messagesOf(context.locale)
  const text = i18n._('Choose a picture: {formats}.', { formats })
  throw new ApiError('VALIDATION_FAILED', { errors: { file: [text] } })
}

export const bannerPictureProcedures = {
  setPicture: os.admin.banners.setPicture.handler(async ({ context, input: { file, ...place } }) => {
    const { customer, deps } = context
    // Nothing is stored for a banner that is not there.
    await transactAsOperator(context, (ctx) => viewBanner(ctx, place.id))
    const picture: Picture = await storePicture(customer, deps.storage, await bytesOf(file)).catch((error: unknown) => {
      if (error instanceof NotAPicture) return refuseFile(context, 'JPEG, PNG, WebP, AVIF, GIF')
      throw error
    })
    return transactAsOperator(context, (ctx, by) => setBannerPicture(ctx, by, { ...place, picture }))
  }),
}

const brandSettings = {
  logo: { group: 'base', name: 'logoPublicUrl' },
  'logo-dark': { group: 'base', name: 'logoDarkPublicUrl' },
  favicon: { group: 'base', name: 'faviconPublicUrl' },
  shared: { group: 'seo', name: 'ogImagePublicUrl' },
} as const

export const brandPictureProcedures = {
  setPicture: os.admin.settings.setPicture.handler(async ({ context, input: { picture, file } }) => {
    const { customer, deps } = context
    const bytes = await bytesOf(file)
    const key = brandKey(customer, bytes) ?? refuseFile(context, 'SVG, PNG, JPEG, WebP, ICO (5 MB)')
    await deps.storage.put(key, bytes)
    const { group, name } = brandSettings[picture]
    return transactAsOperator(context, async (ctx, by) => {
      await changeSettings(ctx, by, { [group]: { [name]: `/media/${key}` } })
      return viewSettings(ctx)
    })
  }),
}
