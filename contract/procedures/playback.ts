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
    summary: 'Retrieve the preview of a product',
  })
    .input(z.object({ id: productId, previewId: videoId }))
    .output(preview),
  startPlayback: procedure('guest', 'POST', '/products/{id}/playback', {
    tag,
    summary: 'Start a playback',
    description:
      'Returns the URL of the stream. Guests can play free products. All other products need the right to watch them; without it ' +
      'the response is NOT_ENTITLED. At the limit of streams or devices the response is STREAM_LIMIT or DEVICE_LIMIT with a list ' +
      'of them. Repeat the request with `takeOver` or `signOut` to end one of them.',
  })
    .input(playbackStart)
    .output(playback),
  progress: procedure('guest', 'PUT', '/products/{id}/progress', {
    tag,
    summary: 'Save the playback position',
    description: 'Counts a play after 10 seconds or 30 % of the video.',
  })
    .input(progressPut)
    .output(progressAnswer),
  dismissWatched: procedure('guest', 'PUT', '/products/{id}/recently-watched', {
    tag,
    summary: 'Remove a product from the continue-watching list or restore it',
    description: 'Saved positions are kept. Returns 404 where the viewer has none.',
  })
    .input(dismissWatchedPut)
    .output(dismissWatchedAnswer),
}
