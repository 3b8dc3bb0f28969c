import { csvFile } from '../admin/lists.ts'
import {
  storeCaptions,
  storeCaptionsPath,
  storeCaptionsQuery,
  storeCaptionsUpload,
  storeChaptersChange,
  storePreviewChange,
  storeVideo,
  storeVideoChange,
  storeVideoExport,
  storeVideoPage,
  storeVideoPath,
  storeVideoQuery,
  storeVideoUse,
} from '../admin/videos.ts'
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
    description:
      'Encodes completed uploads into a stream. The current stream is served until the new one is complete. Without a product it becomes a video of the library.',
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

const edits = { tag: 'Admin: videos', permission } as const

/** What operators change in a stream without encoding it again. */
export const videoProcedures = {
  list: procedure('operator', 'GET', '/admin/videos', {
    ...edits,
    permission: 'videos:read',
    summary: 'List the videos of the store',
    description: 'Returns the latest first, each with the products and lessons that show it.',
  })
    .input(storeVideoQuery)
    .output(storeVideoPage),
  export: procedure('operator', 'GET', '/admin/videos.csv', {
    ...edits,
    permission: 'videos:read',
    summary: 'Export the videos of the store as CSV',
    description: 'Returns all videos that fit the search as a stream. The audit log names the export.',
  })
    .input(storeVideoExport)
    .output(csvFile),
  use: procedure('operator', 'POST', '/admin/videos/{id}/uses', {
    ...edits,
    summary: 'Show a video of the store in another product or lesson',
    description:
      'The video is shared: its captions and chapters are the same everywhere. The video that was shown before is deleted where nothing else shows it.',
  })
    .input(storeVideoUse)
    .output(storeVideo),
  get: procedure('operator', 'GET', '/admin/videos/{id}', {
    ...edits,
    permission: 'videos:read',
    summary: 'Retrieve a video with its captions and chapters',
    description: 'Products and lessons name their video as `videoId`.',
  })
    .input(storeVideoPath)
    .output(storeVideo),
  rename: procedure('operator', 'PATCH', '/admin/videos/{id}', {
    ...edits,
    summary: 'Rename a video',
    versioned: true,
    description: '`null` is the name of its file.',
  })
    .input(storeVideoChange)
    .output(storeVideo),
  retire: procedure('operator', 'DELETE', '/admin/videos/{id}', {
    ...edits,
    summary: 'Delete a video that nothing shows',
    description: 'Its files are deleted some hours later. Answers CONFLICT while a product or lesson shows it.',
    status: 204,
  }).input(storeVideoPath),
  captions: procedure('operator', 'GET', '/admin/videos/{id}/captions/{language}', {
    ...edits,
    permission: 'videos:read',
    summary: 'Retrieve the captions of a video in one language',
    description: 'With `file`, an earlier version of them.',
  })
    .input(storeCaptionsQuery)
    .output(storeCaptions),
  setCaptions: procedure('operator', 'PUT', '/admin/videos/{id}/captions/{language}', {
    ...edits,
    summary: 'Set the captions of a video in one language',
    versioned: true,
    description:
      'Send multipart/form-data with a part `file`: SRT or WebVTT of at most 10 MB, and optionally `label`. Viewers get them with their next play.',
  })
    .input(storeCaptionsUpload)
    .output(storeVideo),
  removeCaptions: procedure('operator', 'DELETE', '/admin/videos/{id}/captions/{language}', {
    ...edits,
    summary: 'Remove the captions of a video in one language',
    versioned: true,
  })
    .input(storeCaptionsPath)
    .output(storeVideo),
  setChapters: procedure('operator', 'PUT', '/admin/videos/{id}/chapters', {
    ...edits,
    summary: 'Set the chapters of a video',
    versioned: true,
    description: 'Replaces all chapters. Their starts ascend and are within the video.',
  })
    .input(storeChaptersChange)
    .output(storeVideo),
  setPreview: procedure('operator', 'PUT', '/admin/videos/{id}/preview', {
    ...edits,
    summary: 'Set the public preview of a video',
    versioned: true,
    description:
      'Cuts it from the stream, without encoding. `0` seconds removes it. It begins at the key frame before `startSeconds` and lasts whole groups of pictures, so the answer may differ by up to two seconds. Answers CONFLICT for a stream that is encrypted or was made elsewhere.',
  })
    .input(storePreviewChange)
    .output(storeVideo),
}
