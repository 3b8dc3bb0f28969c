import { largestPicture } from './picture.ts'
import type { ProblemCode } from './problem.ts'
import { urlOf } from './request-url.ts'
import { largestInquiryFile } from './support.ts'

/** The maximum body of a request without a file. Bytes. */
export const largestBody = 256 * 1024
/** The maximum of one file of an inquiry or a product, or of one picture, with its form. */
const largestFileRequest = Math.max(largestInquiryFile, largestPicture) + 64 * 1024
const largestFileForm = largestInquiryFile + 1024 * 1024

/** The maximum nesting of JSON. No form or procedure needs more. */
const maxJsonDepth = 64
const maxJsonValues = 20_000
const maxFormFields = 1_000

const resumableUpload = /^\/api\/v1\/customers\/[^/]+\/uploads(?:\/[^/]*)?$/
const filePath =
  /^\/api\/(?:inquiry-files|v1\/customers\/[^/]+\/(?:inquiries\/files|admin\/(?:imports|pictures|(?:settings|banners\/[^/]+)\/pictures\/[a-z-]+|products\/[^/]+\/(?:attachments|pictures(?:\/[a-z]+)?)|videos\/[^/]+\/captions\/[^/]+|(?:inquiries|notices)\/[^/]+\/files)))$/
const fileForm = /^(?:\/[a-z]{2})?\/mypages\/inquiries\/[^/]+\/?$/

/** Whether a path receives resumable uploads, which have their own limit. */
export const acceptsUploads = (path: string): boolean => resumableUpload.test(path)

const isMultipart = (type: string | null | undefined) => /^multipart\/form-data\b/i.test(type ?? '')

/** Whether a request may carry a file. Its session must be verified before its body is read. */
export const acceptsFile = (path: string, contentType: string | null | undefined): boolean =>
  (filePath.test(path) || fileForm.test(path)) && isMultipart(contentType)

/** Returns the maximum size of a request's body in bytes. */
export const bodyLimit = (path: string, contentType: string | null | undefined): number => {
  if (acceptsUploads(path)) return Number.POSITIVE_INFINITY
  if (!acceptsFile(path, contentType)) return largestBody
  return filePath.test(path) ? largestFileRequest : largestFileForm
}

/** The body is too large (413) or clearly invalid before parsing (400). */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused'
  readonly code: Extract<ProblemCode, 'PAYLOAD_TOO_LARGE' | 'BAD_REQUEST'>
  constructor(code: BodyRefused['code']) {
    super(code === 'BAD_REQUEST' ? 'The request cannot be read.' : 'The request is too large for this address.')
    this.code = code
  }
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether JSON stays within the limits of depth and of values, without parsing it. Invalid JSON may
 * pass, because the parser rejects it in linear time.
 */
export const isModestJson = (json: string): boolean => {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at++
      while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
    } else if (code === openBracket || code === openBrace) {
      values++
      if (++depth > maxJsonDepth) return false
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma) values++
    if (values > maxJsonValues) return false
  }
  return true
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1

const isWithinLimits = (text: string, type: string): boolean => {
  if (/\bjson\b/i.test(type)) return isModestJson(text)
  if (isMultipart(type)) return occurrences(text, '\r\n--') <= maxFormFields
  return !/urlencoded/i.test(type) || occurrences(text, '&') < maxFormFields
}

/** @throws BodyRefused if the declared length is too large */
const checkDeclaredLength = ({ headers }: Request, limit: number) => {
  if (Number(headers.get('content-length')) > limit) throw new BodyRefused('PAYLOAD_TOO_LARGE')
}

/**
 * Returns the request with its whole body in memory, after checks of size and shape. Its `json()`
 * parses once, however often it is called.
 *
 * @throws BodyRefused
 */
export const bufferBody = async (request: Request): Promise<Request> => {
  checkDeclaredLength(request, largestBody)
  const { url, method, headers, signal, body } = request
  if (method === 'GET' || method === 'HEAD' || body === null) return request
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > largestBody) {
      // Not cancelled: the server reads the rest for a moment, so that the client reads the answer.
      reader.releaseLock()
      throw new BodyRefused('PAYLOAD_TOO_LARGE')
    }
    parts.push(part.value)
  }
  const bytes = new Uint8Array(size)
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.byteLength
  }
  const text = new TextDecoder().decode(bytes)
  if (!isWithinLimits(text, headers.get('content-type') ?? '')) throw new BodyRefused('BAD_REQUEST')
  const buffered = new Request(url, { method, headers, signal, ...(size > 0 && { body: bytes }) })
  let parsed: { value: unknown } | undefined
  const json = async () => {
    parsed ??= { value: JSON.parse(text) }
    return parsed.value
  }
  return Object.defineProperty(buffered, 'json', { value: json })
}

/**
 * The common form of the header (RFC 2046, 5.1.1). The counter and the parser must see the same
 * boundary.
 */
const multipart =
  /^multipart\/form-data;\s*(?:charset=[\w-]+;\s*)?boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*$/i

/** Counts the parts of a multipart body chunk by chunk. A delimiter may span two chunks. */
const createPartCounter = (type: string | null): ((chunk: Uint8Array) => number) => {
  const [, quoted, plain] = multipart.exec(type ?? '') ?? []
  const delimiter = `--${quoted ?? plain ?? ''}`
  const decoder = new TextDecoder('latin1')
  let rest = ''
  let parts = 0
  return (chunk) => {
    const text = rest + decoder.decode(chunk)
    parts += occurrences(text, delimiter)
    const end = text.lastIndexOf(delimiter)
    rest = text.slice(Math.max(end < 0 ? 0 : end + delimiter.length, text.length - delimiter.length + 1))
    return parts
  }
}

/**
 * Counts the body while it streams, for a handler that first verifies the caller.
 *
 * @throws BodyRefused if the declared length is too large
 */
export const countBody = (request: Request): { request: Request; isExceeded: () => boolean } => {
  const { url, method, headers, signal, body } = request
  const limit = bodyLimit(urlOf(request).pathname, headers.get('content-type'))
  checkDeclaredLength(request, limit)
  if (!multipart.test(headers.get('content-type') ?? '')) throw new BodyRefused('BAD_REQUEST')
  let left = limit
  const countParts = createPartCounter(headers.get('content-type'))
  if (!body) return { request, isExceeded: () => false }
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, stream) => {
        left -= part.byteLength
        if (left < 0) stream.error(new BodyRefused('PAYLOAD_TOO_LARGE'))
        else if (countParts(part) > maxFormFields) stream.error(new BodyRefused('BAD_REQUEST'))
        else stream.enqueue(part)
      },
    }),
    { preventCancel: true },
  )
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body: counted, duplex: 'half' }
  return { request: new Request(url, init), isExceeded: () => left < 0 }
}
