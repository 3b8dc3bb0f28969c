import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { inquiryDetailQuery, readInquiryCode } from '~/features/support/inquiries.functions'
import { handleReplyForm } from '~/features/support/inquiry-form.server'
import { InquiryDetail } from '~/features/support/ui/inquiry-detail'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { InquiriesPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/inquiries/$code')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, params, context, next }) =>
        answerOrShow(await handleReplyForm(request, params.code, context.requestContext), next),
    },
  },
  loader: async ({ context, params, serverContext }) => {
    const code = readInquiryCode(params.code)
    if (!code) throw notFound()
    const { title } = await orNotFound(
      context.queryClient.ensureQueryData({ ...inquiryDetailQuery(code), revalidateIfStale: true }),
    )
    return { code, title, outcome: serverContext?.outcome ?? null }
  },
  head: ({ match, loaderData }) => pageHead(match.context, { title: loaderData?.title ?? msg`Support`, noindex: true }),
  pendingComponent: InquiriesPending,
  component: () => {
    const { code, outcome } = Route.useLoaderData()
    return <InquiryDetail code={code} outcome={outcome} />
  },
})
