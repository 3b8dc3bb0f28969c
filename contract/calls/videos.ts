import { videoJob, videoJobPage, videoJobPath, videoJobQuery, videoOrder } from '../videos.ts'
import { call } from './call.ts'

const tag = 'Videos'
const scope = 'videos:write'

export const videoCalls = {
  videoJobs: call('operator', 'GET', '/videos/jobs', {
    tag,
    scope: 'videos:read',
    summary: 'Files on their way to a stream, latest first',
  })
    .input(videoJobQuery)
    .output(videoJobPage),
  videoJob: call('operator', 'GET', '/videos/jobs/{id}', {
    tag,
    scope: 'videos:read',
    summary: 'How far one file is',
  })
    .input(videoJobPath)
    .output(videoJob),
  addVideo: call('operator', 'POST', '/videos/jobs', {
    tag,
    scope,
    summary: 'Make a stream of finished uploads',
    description: 'The stream there is now serves until the new one is whole.',
    status: 201,
  })
    .input(videoOrder)
    .output(videoJob),
  cancelVideoJob: call('operator', 'POST', '/videos/jobs/{id}/cancel', {
    tag,
    scope,
    summary: 'End a job that waits or runs',
  })
    .input(videoJobPath)
    .output(videoJob),
  retryVideoJob: call('operator', 'POST', '/videos/jobs/{id}/retry', {
    tag,
    scope,
    summary: 'Begin a failed or cancelled job again',
  })
    .input(videoJobPath)
    .output(videoJob),
}
