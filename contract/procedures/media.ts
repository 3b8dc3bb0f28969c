import { videoJob, videoJobPage, videoJobPath, videoJobQuery, videoOrder } from '../media.ts'
import { procedure } from './procedure.ts'

const tag = 'Media'
const scope = 'videos:write'

export const mediaProcedures = {
  videoJobs: procedure('operator', 'GET', '/videos/jobs', {
    tag,
    scope: 'videos:read',
    summary: 'Files on their way to a stream, latest first',
  })
    .input(videoJobQuery)
    .output(videoJobPage),
  videoJob: procedure('operator', 'GET', '/videos/jobs/{id}', {
    tag,
    scope: 'videos:read',
    summary: 'How far one file is',
  })
    .input(videoJobPath)
    .output(videoJob),
  addVideo: procedure('operator', 'POST', '/videos/jobs', {
    tag,
    scope,
    summary: 'Make a stream of finished uploads',
    description: 'The stream there is now serves until the new one is whole.',
    status: 201,
  })
    .input(videoOrder)
    .output(videoJob),
  cancelVideoJob: procedure('operator', 'POST', '/videos/jobs/{id}/cancel', {
    tag,
    scope,
    summary: 'End a job that waits or runs',
  })
    .input(videoJobPath)
    .output(videoJob),
  retryVideoJob: procedure('operator', 'POST', '/videos/jobs/{id}/retry', {
    tag,
    scope,
    summary: 'Begin a failed or cancelled job again',
  })
    .input(videoJobPath)
    .output(videoJob),
}
