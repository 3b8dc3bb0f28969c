import type { FaqEntry } from '#contract/content.ts'

/** Structured data of the questions for search engines. */
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
