import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { CaptionMatch, Category, SuggestAnswer } from '#contract/catalog.ts'
import { popularQuery, suggestionsQuery } from '~/features/catalog/products.functions'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useCategoryTree } from '~/platform/shell/categories'
import { Picture } from '~/ui/picture'
import { MarkedText } from '~/ui/prose'
import type { SearchGroup } from '~/ui/search-combobox'

const key = 'marquee:recent-searches'
const max = 6

/** A value once it has not changed for `pause` milliseconds: until then the one before. */
function useSettled<Value>(value: Value, pause: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}

/** The latest searches in this browser, latest first. Empty if storage is unavailable. */
function recentTerms(): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(saved) ? saved.filter((term) => typeof term === 'string').slice(0, max) : []
  } catch {
    return []
  }
}

export function saveRecentTerm(term: string): void {
  const others = recentTerms().filter((saved) => saved.toLowerCase() !== term.toLowerCase())
  write([term, ...others].slice(0, max))
}

function write(terms: string[]) {
  try {
    localStorage.setItem(key, JSON.stringify(terms))
  } catch {
    // Storage failures are harmless.
  }
}

const pause = 150

/**
 * Returns the suggestions below the search field. Empty field: recent searches and, with `popular`,
 * the most played titles and the categories. Otherwise products, categories and matches in
 * captions. Requests nothing until `wanted`. `placeOf` returns the target of a suggestion;
 * undefined for a search term.
 */
export function useSuggestions(typed: string, { wanted, popular }: { wanted: boolean; popular?: boolean | undefined }) {
  const { t } = useLingui()
  const format = useFormat()
  const trimmed = typed.trim()
  // An emptied field applies at once.
  const term = useSettled(trimmed, trimmed ? pause : 0)
  const { data, isFetching } = useQuery({
    ...suggestionsQuery(term),
    enabled: wanted && term !== '',
    placeholderData: keepPreviousData,
  })
  const suggestions = wanted && typed.trim() && term ? data : undefined
  const recent = useRecentTerms(typed)
  const mostPlayed = useQuery({
    ...popularQuery,
    enabled: popular ?? false,
  }).data
  const { roots } = useCategoryTree()
  const corrected = suggestions?.corrected

  const groups: SearchGroup[] = typed.trim()
    ? [
        {
          key: 'products',
          label: corrected ? t`Results for “${corrected}”` : t`Products`,
          suggestions: (suggestions?.products ?? []).map(productSuggestion),
        },
        {
          key: 'categories',
          label: t`Categories`,
          suggestions: (suggestions?.categories ?? []).map(categorySuggestion),
        },
        {
          key: 'captionMatches',
          label: t`Spoken in videos`,
          suggestions: (suggestions?.captionMatches ?? []).map(matchSuggestion),
        },
      ]
    : [
        {
          key: 'recent',
          label: t`Recent searches`,
          suggestions: recent.map((label) => ({ value: `recent:${label}`, label, icon: 'clock' })),
        },
        ...(popular
          ? [
              { key: 'popular', label: t`Popular now`, suggestions: (mostPlayed ?? []).map(productSuggestion) },
              { key: 'categories', label: t`Categories`, suggestions: roots.map(categorySuggestion) },
            ]
          : []),
      ]

  function productSuggestion(
    product: Pick<SuggestAnswer['products'][number], 'id' | 'title' | 'poster' | 'durationSeconds' | 'languages'>,
  ) {
    const { id, title, poster, durationSeconds } = product
    return {
      value: `product:${id}`,
      label: title,
      text: storeText(product, 'title'),
      hint: durationSeconds === null ? undefined : format.duration(durationSeconds),
      thumb: <Picture picture={poster} sizes="4rem" ratio={16 / 9} decorative rounded={false} />,
    }
  }

  function matchSuggestion(match: CaptionMatch) {
    const { product, startSeconds, snippet, hits, language } = match
    return {
      value: valueOfMatch(match),
      label: snippet,
      text: <MarkedText text={snippet} ranges={hits} lang={language} />,
      hint: (
        <>
          {format.duration(Math.floor(startSeconds))} · {storeText(product, 'title')}
        </>
      ),
      thumb: <Picture picture={product.poster} sizes="4rem" ratio={16 / 9} decorative rounded={false} />,
    }
  }

  function categorySuggestion(category: Pick<Category, 'path' | 'name' | 'languages'>) {
    const { path, name } = category
    return { value: `category:${path}`, label: name, text: storeText(category, 'name'), icon: 'grid' as const }
  }

  const placeOf = (value: string): NavigateOptions | undefined => {
    const product = [...(suggestions?.products ?? []), ...(mostPlayed ?? [])].find(
      ({ id }) => value === `product:${id}`,
    )
    if (product) return { to: '/products/$code', params: { code: product.code } }
    const match = suggestions?.captionMatches.find((match) => value === valueOfMatch(match))
    if (match) return placeOfMatch(match)
    const category = [...(suggestions?.categories ?? []), ...roots].find(({ path }) => value === `category:${path}`)
    return category && { to: '/products', search: { category: category.path } }
  }

  /** Whether the suggestions for the current text are complete. */
  const answered = suggestions !== undefined && !isFetching && term === typed.trim()
  return { groups, placeOf, loading: isFetching, answered }
}

const valueOfMatch = ({ product, lesson, startSeconds, language }: CaptionMatch) =>
  `match:${product.id}:${lesson?.id ?? 'main'}:${language}:${startSeconds}`

const placeOfMatch = ({ product: { code }, lesson, startSeconds }: CaptionMatch): NavigateOptions => ({
  to: '/products/$code/watch',
  params: { code },
  search: { ...(lesson && { lesson: lesson.id }), t: Math.floor(startSeconds) },
})

/** Recent searches, read again whenever the field is emptied. Empty on the server. */
function useRecentTerms(typed: string): string[] {
  const [terms, setTerms] = useState<string[]>([])
  useEffect(() => {
    if (!typed) setTerms(recentTerms())
  }, [typed])
  return terms
}
