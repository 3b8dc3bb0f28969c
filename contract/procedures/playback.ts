import * as z from 'zod/mini'
import { productId, videoId } from '../ids.ts'
import {
  dismissWatchedAnswer,
  dismissWatchedPut,
  playback,
  playbackStart,
  preview,
  progressAnswer,
  progressPut,
} from '../playback.ts'
import { procedure } from './procedure.ts'

const tag = 'Playback'

export const playbackProcedures = {
  preview: procedure('public', 'GET', '/products/{id}/preview-player/{previewId}', {
    tag,
    summary: 'The public preview of a product',
  })
    .input(z.object({ id: productId, previewId: videoId }))
    .output(preview),
  startPlayback: procedure('guest', 'POST', '/products/{id}/playback', {
    tag,
    summary: 'A stream one may play now',
    description:
      'Free products play for guests. Everything else needs a live right: 403 NOT_ENTITLED without it. Where as many streams or ' +
      'devices play as may, 409 STREAM_LIMIT or DEVICE_LIMIT says which; ask again with `takeOver` or `signOut`.',
  })
    .input(playbackStart)
    .output(playback),
  progress: procedure('guest', 'PUT', '/products/{id}/progress', {
    tag,
    summary: 'Keep the position; counts a play after 10 s or 30 %',
  })
    .input(progressPut)
    .output(progressAnswer),
  dismissWatched: procedure('guest', 'PUT', '/products/{id}/recently-watched', {
    tag,
    summary: 'Take a product off the continue-watching list, or put it back',
    description: 'The positions stay; 404 where there is none.',
  })
    .input(dismissWatchedPut)
    .output(dismissWatchedAnswer),
}
