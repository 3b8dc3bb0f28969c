import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import type { FaqEntry } from '#contract/content.ts'
import { faqQuery } from '~/features/content/content.functions'
import { FaqPage } from '~/features/content/ui/faq-page'
import { pageHead } from '~/platform/document/head'
import { searchSchema, text } from '~/platform/navigation/search-schema'
import { TextSkeleton } from '~/site/layout/later-parts'

/** Structured data of the questions for search engines. */
const faqData = (entries: readonly FaqEntry[]): Record<string, unknown> => ({
  'script:ld+json': {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: entries.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  },
})

export const Route = createFileRoute('/faq')({
  staticData: { content: true },
  validateSearch: searchSchema({ q: text(100) }),
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
