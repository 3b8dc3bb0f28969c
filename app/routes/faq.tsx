import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { faqQuery } from '~/features/content/content.functions'
import { faqSearch } from '~/features/content/content.search'
import { faqData } from '~/features/content/content-head'
import { FaqPage } from '~/features/content/ui/faq-page'
import { TextSkeleton } from '~/features/content/ui/text-skeleton'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/faq')({
  staticData: { content: true },
  validateSearch: faqSearch,
  loader: async ({ context }) => {
    await context.queryClient.ensureQueryData(faqQuery)
  },
  head: ({ match }) => {
    const { meta } = pageHead(match.context, { title: msg`FAQ` })
    const entries = match.context.queryClient.getQueryData(faqQuery.queryKey)?.items ?? []
    return { meta: [...meta, faqData(entries)] }
  },
  component: () => <FaqPage q={Route.useSearch().q} />,
  pendingComponent: TextSkeleton,
})
