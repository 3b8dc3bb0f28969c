import * as z from 'zod/mini'
import { productId, videoId } from '#contract/ids.ts'
import { dismissWatchedPut, playbackStart, progressPut } from '#contract/playback.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'

/** The product a player page is about. */
export const getProductToWatch = readFn()
  .validator(checked(z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) })))
  .handler(({ data, context }) => context.ask((api) => api.catalog.product({ id: data.code, view: false })))

/** A stream one may play now; 403 NOT_ENTITLED without a right to it. Ask again before it expires. */
export const startPlayback = writeFn()
  .validator(checked(playbackStart))
  .handler(({ data, context }) => context.ask((api) => api.playback.startPlayback(data)))

/** Keeps the position on the server, for every device. */
export const saveProgress = writeFn()
  .validator(checked(progressPut))
  .handler(({ data, context }) => context.ask((api) => api.playback.progress(data)))

/** Takes a title off the continue-watching list, or puts it back. */
export const dismissWatched = writeFn()
  .validator(checked(dismissWatchedPut))
  .handler(({ data, context }) => context.ask((api) => api.playback.dismissWatched(data)))

/** The public preview's stream. */
export const getPreview = readFn()
  .validator(checked(z.object({ id: productId, previewId: videoId })))
  .handler(({ data, context }) => context.ask((api) => api.playback.preview(data)))
