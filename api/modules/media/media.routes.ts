import {
  addAttachment,
  addProductPicture,
  changeGallery,
  setProductPicture,
  viewProductParts,
  viewProductPictures,
} from '#api/modules/catalog/product-parts.ts'
import { addNoticeFile, setBannerPicture, viewBanner, viewNotice } from '#api/modules/content/store-content.ts'
import { changeSettings, viewSettings } from '#api/modules/tenancy/settings.ts'
import type { Failure } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { hashOfFile } from '#api/platform/storage/disk-storage.ts'
import { licenceUrls, signMedia } from '#api/platform/storage/media-urls.ts'
import { type MediaStorage, storeDownload } from '#api/platform/storage/storage.ts'
import { largestUploadedAttachment } from '#contract/admin/products.ts'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { attachmentId, type ProductCode, type UploadId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { setPreview } from './edit-preview.ts'
import { editCaptions, readCaptions, setChapters } from './edit-videos.ts'
import { brandKey, NotAPicture, plainPoster, storePicture } from './pictures.ts'
import { readWhole, removeUpload, uploadFolder } from './uploads.ts'
import { queueFinishedUploads, type VideoFileDeps, videoIntakeDeps } from './video-files.ts'
import { listJobs, showJob } from './video-job-states.ts'
import { cancelJob, removeProductVideo, retryJob } from './video-jobs.ts'
import { pageVideos, renameVideo, retireUnshown, shareVideo, viewVideo } from './video-library.ts'

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

const streamHours = 4

/** Adds the stream that the person of the staff may watch in the console. */
const withStream = (
  { customer, deps, operator }: ProcedureContext<MediaDeps>,
  { view, productId, lessonId, asset, manifest, drm }: Exclude<Awaited<ReturnType<typeof viewVideo>>, Failure>,
): StoreVideo => {
  if (operator?.kind !== 'STAFF') return { ...view, stream: null }
  const expiresAt = new Date(deps.clock.now().getTime() + streamHours * 3_600_000)
  const address = signMedia(secretFor(deps.secret, 'media'), {
    customerId: customer.id,
    memberId: null,
    productId,
    lessonId,
    playId: null,
    staffSessionId: operator.sessionId,
    asset,
    expiresAt: expiresAt.getTime() / 1000,
  })
  const stream = { manifestUrl: `${address}/${manifest}`, expiresAt: expiresAt.toISOString() }
  return { ...view, stream: { ...stream, drm: drm && licenceUrls(address, drm) } }
}

export const videoProcedures = {
  list: os.admin.videos.list.handler(({ context, input }) => transact(context, (ctx) => pageVideos(ctx, input))),
  use: os.admin.videos.use.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => shareVideo(ctx, by, input))
    return withStream(context, await transact(context, (ctx) => viewVideo(ctx, input.id)))
  }),
  get: os.admin.videos.get.handler(async ({ context, input: { id } }) =>
    withStream(context, await transact(context, (ctx) => viewVideo(ctx, id))),
  ),
  rename: os.admin.videos.rename.handler(async ({ context, input }) =>
    withStream(context, await transactAsOperator(context, (ctx, by) => renameVideo(ctx, by, ifMatch(context), input))),
  ),
  retire: os.admin.videos.retire.handler(async ({ context, input: { id } }) => {
    await transactAsOperator(context, (ctx, by) => retireUnshown(ctx, by, id))
  }),
  captions: os.admin.videos.captions.handler(async ({ context, input }) =>
    unwrap(await readCaptions(detachedCtx(context), context.deps.storage, input)),
  ),
  setCaptions: os.admin.videos.setCaptions.handler(async ({ context, input: { file, label, ...track } }) => {
    const { deps } = context
    const by = operatorName(context)
    const change = { ...track, file: { bytes: await bytesOf(file), label }, expected: ifMatch(context) }
    return withStream(context, unwrap(await editCaptions(detachedCtx(context), by, deps.storage, change)))
  }),
  removeCaptions: os.admin.videos.removeCaptions.handler(async ({ context, input }) => {
    const change = { ...input, file: null, expected: ifMatch(context) }
    const by = operatorName(context)
    return withStream(context, unwrap(await editCaptions(detachedCtx(context), by, context.deps.storage, change)))
  }),
  setChapters: os.admin.videos.setChapters.handler(async ({ context, input }) =>
    withStream(context, await transactAsOperator(context, (ctx, by) => setChapters(ctx, by, ifMatch(context), input))),
  ),
  setPreview: os.admin.videos.setPreview.handler(async ({ context, input }) => {
    const change = { ...input, expected: ifMatch(context) }
    const by = operatorName(context)
    return withStream(context, unwrap(await setPreview(detachedCtx(context), by, context.deps, change)))
  }),
}

const bytesOf = async (file: File) => Buffer.from(await file.arrayBuffer())

/** @throws ApiError VALIDATION_FAILED, in the language of the person */
const refuseFile = (context: ProcedureContext, formats: string): never => {
  const i18n = messagesOf(context.locale)
  const text = i18n._('Choose a picture: {formats}.', { formats })
  throw new ApiError('VALIDATION_FAILED', { errors: { file: [text] } })
}

/** Scales and stores a picture. @throws ApiError VALIDATION_FAILED */
const storedPicture = async (context: ProcedureContext<MediaDeps>, file: File): Promise<Picture> =>
  storePicture(context.customer, context.deps.storage, await bytesOf(file)).catch((error: unknown) => {
    if (error instanceof NotAPicture) return refuseFile(context, 'JPEG, PNG, WebP, AVIF, GIF')
    throw error
  })

/** The latest request of each upload that is being added to a product in this process. */
const attaching = new Map<string, Promise<unknown>>()

/** Runs `attach` once the requests before it with the same key have ended. */
const inTurn = async <Answer>(key: string, attach: () => Promise<Answer>): Promise<Answer> => {
  const turn = (attaching.get(key) ?? Promise.resolve()).then(attach, attach)
  attaching.set(key, turn)
  try {
    return await turn
  } finally {
    if (attaching.get(key) === turn) attaching.delete(key)
  }
}

/** Adds a file that was uploaded. A repeated request finds what the first has added. */
const attachUpload = async (context: ProcedureContext<MediaDeps>, code: ProductCode, id: UploadId) => {
  const { customer, deps } = context
  // The file has the id of its upload.
  const added = attachmentId.parse(id)
  const folder = uploadFolder(deps.dataFolder, customer.id)
  // Nothing is stored for a product that is not there.
  const viewAdded = async () => {
    const parts = await transact(context, (ctx) => viewProductParts(ctx, code))
    return parts.attachments.some((each) => each.id === added) ? parts : null
  }
  const before = await viewAdded()
  if (before) {
    await removeUpload(folder, id)
    return before
  }
  const i18n = messagesOf(context.locale)
  const refused = (text: string) => new ApiError('VALIDATION_FAILED', { errors: { upload: [text] } })
  const missing = () => refused(i18n._('No completed upload has this ID. Uploads expire after two days.'))
  const upload = await readWhole(folder, id)
  if (!upload) throw missing()
  if (upload.bytes === 0) throw refused(i18n._('Choose a file that is not empty.'))
  if (upload.bytes > largestUploadedAttachment)
    throw refused(i18n._('Choose a file of at most {size} GB.', { size: largestUploadedAttachment / 1_000_000_000 }))
  try {
    const hash = await hashOfFile(upload.path)
    const stored = { ...(await storeDownload(customer, deps.storage, 'file', { ...upload, hash })), id: added }
    const parts = await transactAsOperator(context, (ctx, by) => addAttachment(ctx, by, code, stored))
    await removeUpload(folder, id)
    return parts
  } catch (error) {
    // Another process has added it meanwhile, and removed the upload.
    const after = await viewAdded()
    if (after) return after
    if (!(await readWhole(folder, id))) throw missing()
    throw error
  }
}

/** Pictures, videos and uploads of products. Nothing is stored for one that is not there. */
export const productPictureProcedures = {
  pictures: os.admin.products.pictures.handler(({ context, input }) =>
    transact(context, (ctx) => viewProductPictures(ctx, input.code)),
  ),
  setPicture: os.admin.products.setPicture.handler(async ({ context, input: { file, ...place } }) => {
    await transact(context, (ctx) => viewProductPictures(ctx, place.code))
    const picture = await storedPicture(context, file)
    return transactAsOperator(context, (ctx, by) => setProductPicture(ctx, by, { ...place, picture }))
  }),
  removePicture: os.admin.products.removePicture.handler(async ({ context, input: { code, place } }) => {
    const left =
      place === 'poster'
        ? { code, place, picture: await plainPoster(context.customer, context.deps.storage) }
        : { code, place, picture: null }
    return transactAsOperator(context, (ctx, by) => setProductPicture(ctx, by, left))
  }),
  addPicture: os.admin.products.addPicture.handler(async ({ context, input: { code, file } }) => {
    await transact(context, (ctx) => viewProductPictures(ctx, code))
    const picture = await storedPicture(context, file)
    return transactAsOperator(context, (ctx, by) => addProductPicture(ctx, by, code, picture))
  }),
  changePictures: os.admin.products.changePictures.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeGallery(ctx, by, ifMatch(context), input)),
  ),
  // Who asks again, because a proxy did not wait, waits for the request before.
  attachUpload: os.admin.products.attachUpload.handler(({ context, input: { code, upload } }) =>
    inTurn(`${context.customer.id}/${upload}`, () => attachUpload(context, code, upload)),
  ),
  removeVideo: os.admin.products.removeVideo.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => removeProductVideo(ctx, by, input.code))
  }),
}

export const bannerPictureProcedures = {
  setPicture: os.admin.banners.setPicture.handler(async ({ context, input: { file, ...place } }) => {
    // Nothing is stored for a banner that is not there.
    await transactAsOperator(context, (ctx) => viewBanner(ctx, place.id))
    const picture = await storedPicture(context, file)
    return transactAsOperator(context, (ctx, by) => setBannerPicture(ctx, by, { ...place, picture }))
  }),
}

/** A picture that a text will name. Like the files of an answer it is not audited: the text is. */
export const addPicture = os.admin.addPicture.handler(async ({ context, input: { file } }) => {
  const { url, width, height } = await storedPicture(context, file)
  return { url, width, height }
})

export const noticeFileProcedures = {
  addFile: os.admin.notices.addFile.handler(async ({ context, input: { id, file } }) => {
    const { customer, deps } = context
    // Nothing is stored for a notice that is not there.
    await transactAsOperator(context, (ctx) => viewNotice(ctx, id))
    const { key, name, bytes } = await storeDownload(customer, deps.storage, 'public', file)
    const stored = { name, bytes, url: `/media/${key}` }
    return transactAsOperator(context, (ctx, by) => addNoticeFile(ctx, by, { id, file: stored }))
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
