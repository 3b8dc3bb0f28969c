import { problemResponse } from '~/platform/api/problem'
import { isSameOrigin } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

/** Hands a file through to the API as it comes, in the member's name. Answers what the API answers. */
export async function handleUpload(request: Request, requestContext: RequestContext): Promise<Response> {
  const { requestId } = requestContext
  const refuse = (status: number, code: string, message: string) =>
    problemResponse(status, { code, message, requestId })
  if (!isSameOrigin(request)) return refuse(403, 'FORBIDDEN', 'Files are taken from pages of this store only.')
  if (!requestContext.hasToken) return refuse(401, 'UNAUTHORIZED', 'Sign in first.')
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) {
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.')
  }
  const length = request.headers.get('content-length')
  const answer = await requestContext.apiProxy('/inquiries/files', {
    method: 'POST',
    headers: { 'content-type': type, ...(length && { 'content-length': length }) },
    body: request.body,
    duplex: 'half',
    signal: request.signal,
  })
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Response(answer.body, { status: answer.status, headers })
}
