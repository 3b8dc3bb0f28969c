import * as z from 'zod/mini'
import { productId, videoId } from '../ids.ts'
import { playback, playbackStart, preview, progressAnswer, progressPut } from '../playback.ts'
import { call } from './call.ts'

const tag = 'Playback'

export const playbackCalls = {
  preview: call('public', 'GET', '/products/{id}/preview-player/{previewId}', {
    tag,
    summary: 'The public preview of a product',
  })
    .input(z.object({ id: productId, previewId: videoId }))
    .output(preview),
  startPlayback: call('guest', 'POST', '/products/{id}/playback', {
    tag,
    summary: 'A stream one may play now',
    description: 'Free products play for guests. Everything else needs a live right: 403 NOT_ENTITLED without it.',
  })
    .input(playbackStart)
    .output(playback),
  progress: call('guest', 'PUT', '/products/{id}/progress', {
    tag,
    summary: 'Keep the position; counts a play after 10 s or 30 %',
  })
    .input(progressPut)
    .output(progressAnswer),
}
