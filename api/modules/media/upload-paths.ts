import { uploadLivesMilliseconds } from './uploads.ts'

/**
 * OpenAPI paths of resumable uploads. The contract does not cover them: they follow tus 1.0, which
 * uses bytes and headers instead of JSON.
 */

const header = (description: string, schema: object, required = true) => ({ description, required, schema })
const parameter = (name: string, description: string, schema: object, required = true) => ({
  name,
  in: 'header',
  ...header(description, schema, required),
})
const [text, bytes] = [{ type: 'string' }, { type: 'integer', format: 'int64', minimum: 0 }]

const version = parameter('Tus-Resumable', 'The version of the protocol.', { type: 'string', const: '1.0.0' })
const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The last part of the `Location` that made the upload',
  schema: { type: 'string', format: 'uuid' },
}
const length = (required: boolean) =>
  parameter(
    'Upload-Length',
    'The size of the whole file; it may come with a later part (`Upload-Defer-Length: 1`).',
    bytes,
    required,
  )

const offset = { 'Upload-Offset': header('How many bytes are here.', bytes) }
const expires = {
  'Upload-Expires': header(
    `When an unfinished upload is given up: ${uploadLivesMilliseconds / 3_600_000} hours after it was made.`,
    text,
    false,
  ),
}
const job = {
  'X-Video-Job': header(
    'The job that makes a stream of it: with the last byte, where the metadata names a product.',
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
  401: failed('No bearer of an operator'),
  403: failed('A bearer of someone else or of another store, or a header of the protocol is missing'),
  412: failed('`Tus-Resumable` is missing'),
}
const gone = { 404: failed('There is no such upload in this store'), 410: failed('The upload was given up') }
const noRoom = {
  413: failed('The file is larger than may be sent'),
  503: failed('There is no room for it on the disk now: `Retry-After` says when to ask again'),
}
const locked = { 423: failed('Another request is writing to this upload and does not end') }

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

const metadata = `Names and base64 of UTF-8, with commas between: \`filename bGVjdHVyZS5tcDQ=,product SzEwMA==\`.
\`filename\` is what the file is called. With \`product\` (its code) the upload becomes a job with its last byte, and \`lesson\`
(counted from 1), \`language\`, \`chapters\` (lines of a time and a title), \`previewSeconds\`, \`previewStartSeconds\` and \`poster\`
(counted from 1) say more. Without it the upload waits for \`POST /videos/jobs\`.`

export const uploadPaths = {
  '/uploads': {
    post: operation('uploads.create', 'Begin to send a file', {
      description:
        'Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload), with the extensions creation, creation-with-upload, creation-defer-length, termination and expiration: any client of the protocol will do. One of the two lengths is needed.',
      parameters: [
        version,
        length(false),
        parameter('Upload-Defer-Length', 'The size is not known yet.', { type: 'integer', const: 1 }, false),
        parameter('Upload-Metadata', metadata, text, false),
      ],
      requestBody: body('The first part, if it is sent at once', false),
      responses: {
        201: answer('The upload is there', {
          Location: header('Where its parts are sent.', text),
          ...expires,
          ...job,
          'Upload-Offset': header('How many bytes are here, if some were sent at once.', bytes, false),
        }),
        400: failed('A header cannot be read, or the length is missing'),
        ...refusals,
        ...noRoom,
        422: failed('What the metadata ask for cannot be: sentences by field'),
      },
    }),
    options: operation('uploads.capabilities', 'What the protocol can do here', {
      responses: {
        204: answer('Versions and extensions', {
          'Tus-Version': header('Versions of the protocol.', text),
          'Tus-Extension': header('Its extensions.', text),
          'Tus-Max-Size': header('The largest file that is taken.', bytes),
        }),
      },
    }),
  },
  '/uploads/{id}': {
    head: operation('uploads.offset', 'How much of a file is here', {
      description: 'Asked after a line has broken, and by a client that has missed the answer to its last part.',
      parameters: [id, version],
      responses: {
        200: answer('The upload is there', {
          ...offset,
          ...job,
          'Upload-Length': header('The size of the whole file, where it is known.', bytes, false),
          'Upload-Metadata': header('As they were given.', text, false),
        }),
        ...withoutBody({ ...refusals, ...gone, ...locked }),
      },
    }),
    patch: operation('uploads.send', 'Send a part of a file', {
      description:
        'Parts may reach any process that serves, one after the other. A request that comes while an earlier one still waits for bytes ends that one.',
      parameters: [
        id,
        version,
        parameter('Upload-Offset', 'Where this part begins: how many bytes are here.', bytes),
        length(false),
      ],
      requestBody: body('The part', true),
      responses: {
        204: answer('The part is here', { ...offset, ...expires, ...job }),
        400: failed('A header cannot be read, or another request took the upload over'),
        ...refusals,
        ...gone,
        ...noRoom,
        ...locked,
        409: failed('The part does not begin where the upload ends: ask how much is here'),
        422: failed('What the metadata ask for cannot be any more: sentences by field'),
      },
    }),
    delete: operation('uploads.end', 'Give an upload up', {
      parameters: [id, version],
      responses: { 204: answer('It is gone'), ...refusals, ...gone, ...locked },
    }),
  },
}
