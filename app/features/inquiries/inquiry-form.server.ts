import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import type { InquiryFileId } from '#contract/ids.ts'
import { inquiryBody, inquiryReply } from '#contract/inquiries.ts'
import { problemFromError } from '~/platform/api/client'
import { problemResponse } from '~/platform/api/problem'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import type { InquiryAttempt, InquiryField } from './inquiry-labels'

const refused = (status: number, attempt: InquiryAttempt): InquiryAttempt => {
  setResponseStatus(status)
  return attempt
}

const text = (fields: FormData | undefined, name: string) => {
  const value = fields?.get(name)
  return typeof value === 'string' ? value : ''
}

/** The form's fields, which may carry files: their sender's session is proven before any of it is read. */
async function readMemberForm(request: Request, { api }: RequestContext): Promise<FormData | undefined> {
  if (!isSameOrigin(request)) return undefined
  await api.accounts.me()
  return readForm(request)
}

/** Sends what a plain form carries; its own files field brings one empty file where none was chosen. */
async function sendFiles(fields: FormData, { api }: RequestContext): Promise<InquiryFileId[]> {
  const ids: InquiryFileId[] = []
  for (const file of fields.getAll('files')) {
    if (file instanceof File && file.size > 0) ids.push((await api.inquiries.sendFile({ file })).id)
  }
  return ids
}

/** An inquiry sent without any script: leads to it, or answers what was wrong. */
export async function receiveInquiry(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | InquiryAttempt> {
  let values: InquiryAttempt['values'] = { type: '', title: '', body: '' }
  return answering(
    requestContext,
    () => values,
    async () => {
      const fields = await readMemberForm(request, requestContext)
      values = { type: text(fields, 'type'), title: text(fields, 'title'), body: text(fields, 'body') }
      if (!fields) return refused(400, { values, fields: [], code: 'BAD_REQUEST' })
      const about = (name: string) => text(fields, name) || undefined
      const sent = inquiryBody.safeParse({
        ...values,
        productId: about('productId'),
        orderCode: about('orderCode'),
        timeSeconds: about('timeSeconds') === undefined ? undefined : Number(about('timeSeconds')),
      })
      if (!sent.success) {
        const faults = new Set(sent.error.issues.map(({ path }) => path[0] as InquiryField))
        return refused(422, { values, fields: [...faults], code: null })
      }
      const { code } = await requestContext.api.inquiries.ask({
        ...sent.data,
        files: await sendFiles(fields, requestContext),
      })
      return seeOther(`/mypages/inquiries/${code}`)
    },
  )
}

/** A reply sent without any script. */
export async function receiveReply(
  request: Request,
  code: string,
  requestContext: RequestContext,
): Promise<Response | InquiryAttempt> {
  let values: InquiryAttempt['values'] = { type: '', title: '', body: '' }
  return answering(
    requestContext,
    () => values,
    async () => {
      const fields = await readMemberForm(request, requestContext)
      values = { type: '', title: '', body: text(fields, 'body') }
      const sent = z.safeParse(inquiryReply, { code, body: values.body })
      if (!fields || !sent.success) return refused(422, { values, fields: ['body'], code: null })
      await requestContext.api.inquiries.reply({ ...sent.data, files: await sendFiles(fields, requestContext) })
      return seeOther(`/mypages/inquiries/${sent.data.code}`)
    },
  )
}

async function answering(
  requestContext: RequestContext,
  values: () => InquiryAttempt['values'],
  send: () => Promise<Response | InquiryAttempt>,
) {
  try {
    return await send()
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    return refused(problem.status, { values: values(), fields: [], code: problem.code })
  }
}

/** Reloading the next page sends nothing twice. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })

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
