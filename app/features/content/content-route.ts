import type { EnsureQueryDataOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import type { FaqEntry } from '#contract/content.ts'
import { problemOf } from '~/platform/api/problem'

/** Loads what an address names; one that names nothing (404) or is malformed (400) is a page not found. */
export async function loadNamed<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: EnsureQueryDataOptions<Data, Error, Data, Key>,
): Promise<Data> {
  try {
    return await queryClient.ensureQueryData(query)
  } catch (error) {
    const status = problemOf(error)?.status
    if (status === 404 || status === 400 || status === 422) throw notFound()
    throw error
  }
}

/** What search engines read of the questions. */
export const faqData = (entries: readonly FaqEntry[]): Record<string, unknown> => ({
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

/** Rich text without its tags, as short as a description. */
export const excerpt = (html: string, longest = 160): string => {
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text
}
