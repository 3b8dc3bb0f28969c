import type { InquiryFileId } from '#contract/ids.ts'
import { inquiryBody, inquiryReply } from '#contract/support.ts'
import { problemResponse } from '~/platform/api/problem'
import { type FormPost, formAction, refusedForm, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { isSameOrigin } from '~/platform/request/request-origin'
import { type InquiryOutcome, inquiryFields } from './inquiry-labels'

/** Uploads the files of a form. A file field without a choice contains one empty file. */
async function uploadFiles({ fields, api }: FormPost): Promise<InquiryFileId[]> {
  const ids: InquiryFileId[] = []
  for (const file of fields.getAll('files')) {
    if (file instanceof File && file.size > 0) ids.push((await api.support.sendFile({ file })).id)
  }
  return ids
}

/** Handles a form with files. Files are read for members only. */
const inquiryAction = (
  request: Request,
  requestContext: RequestContext,
  submit: (form: FormPost) => Promise<Response | InquiryOutcome>,
) =>
  formAction<InquiryOutcome>(request, requestContext, {
    authorize: ({ api }) => api.identity.me(),
    submit,
    refuse: (problem, { text }) => ({
      ...refusedForm(problem, inquiryFields),
      values: { type: text('type'), title: text('title'), body: text('body') },
    }),
  })

/** Handles the inquiry form without JavaScript, then redirects to the inquiry. */
export const handleInquiryForm = (request: Request, requestContext: RequestContext) =>
  inquiryAction(request, requestContext, async (form) => {
    const { api, text, parse } = form
    const seconds = text('timeSeconds')
    const inquiry = parse(inquiryBody, {
      type: text('type'),
      title: text('title'),
      body: text('body'),
      productId: text('productId') || undefined,
      orderCode: text('orderCode') || undefined,
      timeSeconds: seconds ? Number(seconds) : undefined,
    })
    const { code } = await api.support.createInquiry({ ...inquiry, files: await uploadFiles(form) })
    return seeOther(`/mypages/inquiries/${code}`)
  })

/** Handles the reply form without JavaScript, then redirects to the inquiry. */
export const handleReplyForm = (request: Request, code: string, requestContext: RequestContext) =>
  inquiryAction(request, requestContext, async (form) => {
    const reply = form.parse(inquiryReply, { code, body: form.text('body') })
    await form.api.support.reply({ ...reply, files: await uploadFiles(form) })
    return seeOther(`/mypages/inquiries/${reply.code}`)
  })

/** Proxies an uploaded file to the API as the member. Returns the API's response. */
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
