import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { inquiryInputSearch, loadInquiryInput } from '~/features/support/inquiries.functions'
import { handleInquiryForm } from '~/features/support/inquiry-form.server'
import { InquiryForm } from '~/features/support/ui/inquiry-form'
import { pageHead } from '~/platform/document/head'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { InquiriesPending } from '~/site/layout/later-parts'
import { SectionHeading } from '~/ui/section-heading'

export const Route = createFileRoute('/_member/mypages/inquiries/input')({
  validateSearch: inquiryInputSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleInquiryForm(request, context.requestContext), next),
    },
  },
  loaderDeps: ({ search }) => inquiryInputSearch.parse(search),
  loader: async ({ context, deps, serverContext }) => ({
    subject: await loadInquiryInput(context.queryClient, deps),
    outcome: serverContext?.outcome ?? null,
  }),
  head: ({ match }) => pageHead(match.context, { title: msg`Contact support`, noindex: true }),
  pendingComponent: InquiriesPending,
  component: Input,
})

function Input() {
  const { subject, outcome } = Route.useLoaderData()
  return (
    <>
      <SectionHeading level="h1" title={<Trans>Contact support</Trans>} />
      <InquiryForm search={Route.useSearch()} subject={subject} outcome={outcome} />
    </>
  )
}
