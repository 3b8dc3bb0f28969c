import { uploadLivesMilliseconds } from './uploads.ts'

/**
 * OpenAPI paths of resumable uploads. The contract does not cover them: they follow tus 1.0, which
 * sends bytes and headers instead of JSON.
 */

const header = (description: string, schema: object, required = true) => ({ description, required, schema })
const parameter = (name: string, description: string, schema: object, required = true) => ({
  name,
  in: 'header',
  ...header(description, schema, required),
})
const [text, bytes] = [{ type: 'string' }, { type: 'integer', format: 'int64', minimum: 0 }]

const version = parameter('Tus-Resumable', 'The protocol version.', { type: 'string', const: '1.0.0' })
const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the upload: the last segment of its `Location`',
  schema: { type: 'string', format: 'uuid' },
}
const length = (required: boolean) =>
  parameter(
    'Upload-Length',
    'The size of the file in bytes. With `Upload-Defer-Length: 1` it is sent with a later part.',
    bytes,
    required,
  )

const offset = { 'Upload-Offset': header('The number of received bytes.', bytes) }
const expires = {
  'Upload-Expires': header(
    `When an incomplete upload expires: ${uploadLivesMilliseconds / 3_600_000} hours after it was created.`,
    text,
    false,
  ),
}
const job = {
  'X-Video-Job': header(
    'The id of the video job. Returned when the upload is complete and its metadata names a product.',
    { type: 'string', format: 'uuid' },
    false,
  ),
}
const answer = (description: string, headers: object = {}) => ({ description, headers })
const failed = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})
const body = (description: string, required: boolean) => ({
  description,
  required,
  content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
})

const refusals = {
  401: failed('The operator token is missing or invalid'),
  403: failed('The token is not valid for this store or this operation, or a protocol header is missing'),
  412: failed('`Tus-Resumable` is missing or has another version'),
}
const unknownUpload = { 404: failed('The store has no such upload'), 410: failed('The upload has expired') }
const tooLarge = {
  413: failed('The file is larger than the limit'),
  503: failed('The disk is full. Retry after the seconds in `Retry-After`'),
}
const locked = { 423: failed('The upload is locked by another request') }

/** Responses to HEAD have a status and no body. */
const withoutBody = (answers: Record<number, { description: string }>) =>
  Object.fromEntries(Object.entries(answers).map(([status, { description }]) => [status, { description }]))

const operation = (operationId: string, summary: string, rest: object) => ({
  operationId,
  summary,
  tags: ['Media'],
  security: [{ operator: [] }],
  ...rest,
})

const metadata = `Pairs of a name and a base64 value (UTF-8), separated by commas: \`filename bGVjdHVyZS5tcDQ=,product SzEwMA==\`.
\`filename\` is the name of the file. With \`product\` (a product code) the completed upload becomes a video job. Its options are
\`lesson\` (counted from 1), \`language\`, \`chapters\` (lines of a time and a title), \`previewSeconds\`, \`previewStartSeconds\` and
\`poster\` (counted from 1). Without \`product\` the upload is kept for \`POST /videos/jobs\`.`

export const uploadPaths = {
  '/uploads': {
    post: operation('uploads.create', 'Create an upload', {
      description:
        'Resumable uploads with tus 1.0 (https://tus.io/protocols/resumable-upload) and its extensions creation, creation-with-upload, creation-defer-length, termination and expiration. Use any tus client. Send either `Upload-Length` or `Upload-Defer-Length`.',
      parameters: [
        version,
        length(false),
        parameter(
          'Upload-Defer-Length',
          'The size of the file is not known yet.',
          { type: 'integer', const: 1 },
          false,
        ),
        parameter('Upload-Metadata', metadata, text, false),
      ],
      requestBody: body('The first part of the file (optional)', false),
      responses: {
        201: answer('The upload was created', {
          Location: header('The URL of the upload.', text),
          ...expires,
          ...job,
          'Upload-Offset': header('The number of received bytes. Returned where the request had a body.', bytes, false),
        }),
        400: failed('A header is invalid, or the length is missing'),
        ...refusals,
        ...tooLarge,
        422: failed('The metadata is invalid. `errors` describes each field'),
      },
    }),
    options: operation('uploads.capabilities', 'Retrieve the supported protocol features', {
      responses: {
        204: answer('The supported versions and extensions', {
          'Tus-Version': header('The supported protocol versions.', text),
          'Tus-Extension': header('The supported extensions.', text),
          'Tus-Max-Size': header('The maximum size of a file in bytes.', bytes),
        }),
      },
    }),
  },
  '/uploads/{id}': {
    head: operation('uploads.offset', 'Retrieve the offset of an upload', {
      description:
        'Use it to resume an upload after a connection error, or after the response to the last part was lost.',
      parameters: [id, version],
      responses: {
        200: answer('The state of the upload', {
          ...offset,
          ...job,
          'Upload-Length': header('The size of the file in bytes, where it is known.', bytes, false),
          'Upload-Metadata': header('The metadata of the upload.', text, false),
        }),
        ...withoutBody({ ...refusals, ...unknownUpload, ...locked }),
      },
    }),
    patch: operation('uploads.send', 'Upload a part of a file', {
      description:
        'Send the parts one after the other. A new request ends an earlier one of the same upload that is still waiting for bytes.',
      parameters: [
        id,
        version,
        parameter('Upload-Offset', 'The position of this part, which must equal the number of received bytes.', bytes),
        length(false),
      ],
      requestBody: body('The part of the file', true),
      responses: {
        204: answer('The part was received', { ...offset, ...expires, ...job }),
        400: failed('A header is invalid, or another request has replaced this one'),
        ...refusals,
        ...unknownUpload,
        ...tooLarge,
        ...locked,
        409: failed('The offset is not the number of received bytes. Send HEAD for the current offset'),
        422: failed('The metadata is no longer valid. `errors` describes each field'),
      },
    }),
    delete: operation('uploads.end', 'Delete an upload', {
      parameters: [id, version],
      responses: { 204: answer('The upload was deleted'), ...refusals, ...unknownUpload, ...locked },
    }),
  },
}
