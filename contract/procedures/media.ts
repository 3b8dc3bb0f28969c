import { videoJob, videoJobPage, videoJobPath, videoJobQuery, videoOrder } from '../media.ts'
import { procedure } from './procedure.ts'

const tag = 'Media'
const permission = 'videos:write'

export const mediaProcedures = {
  videoJobs: procedure('operator', 'GET', '/videos/jobs', {
    tag,
    permission: 'videos:read',
    summary: 'List video jobs',
    description: 'Returns the latest jobs first.',
  })
    .input(videoJobQuery)
    .output(videoJobPage),
  videoJob: procedure('operator', 'GET', '/videos/jobs/{id}', {
    tag,
    permission: 'videos:read',
    summary: 'Retrieve a video job',
  })
    .input(videoJobPath)
    .output(videoJob),
  addVideo: procedure('operator', 'POST', '/videos/jobs', {
    tag,
    permission,
    summary: 'Create a video job',
    description: 'Encodes completed uploads into a stream. The current stream is served until the new one is complete.',
    status: 201,
  })
    .input(videoOrder)
    .output(videoJob),
  cancelVideoJob: procedure('operator', 'POST', '/videos/jobs/{id}/cancel', {
    tag,
    permission,
    summary: 'Cancel a video job',
    description: 'Cancels a queued or running job.',
  })
    .input(videoJobPath)
    .output(videoJob),
  retryVideoJob: procedure('operator', 'POST', '/videos/jobs/{id}/retry', {
    tag,
    permission,
    summary: 'Retry a video job',
    description: 'Queues a failed or cancelled job again.',
  })
    .input(videoJobPath)
    .output(videoJob),
}
