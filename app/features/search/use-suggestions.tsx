import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Moment, SuggestAnswer } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { MarkedText } from '~/ui/marked-text'
import { Picture } from '~/ui/picture'
import type { SearchGroup } from '~/ui/search-combobox'
import { recentTerms } from './recent-terms'
import { suggestionsQuery } from './suggest.queries'

const pause = 150

/**
 * What to offer under the search field: what was searched for before while it is empty; products, categories and what is said in videos once
 * something stands in it. Nothing is asked for before it is `wanted`. `placeOf` tells where a suggestion leads; nowhere means that it is a term to search for.
 */
export function useSuggestions(typed: string, wanted: boolean) {
  const { t } = useLingui()
  const format = useFormat()
  const term = useSettled(typed.trim())
  const { data, isFetching } = useQuery({
    ...suggestionsQuery(term),
    enabled: wanted && term !== '',
    placeholderData: keepPreviousData,
  })
  const found = wanted && typed.trim() && term ? data : undefined
  const recent = useRecentTerms(typed)

  const groups: SearchGroup[] = typed.trim()
    ? [
        { key: 'products', label: t`Products`, suggestions: (found?.products ?? []).map(productSuggestion) },
        {
          key: 'categories',
          label: t`Categories`,
          suggestions: (found?.categories ?? []).map(({ id, name }) => ({
            value: `category:${id}`,
            label: name,
            icon: 'grid',
          })),
        },
        { key: 'moments', label: t`Spoken in videos`, suggestions: (found?.moments ?? []).map(momentSuggestion) },
      ]
    : [
        {
          key: 'recent',
          label: t`Recent searches`,
          suggestions: recent.map((label) => ({ value: `recent:${label}`, label, icon: 'clock' })),
        },
      ]

  function productSuggestion(product: SuggestAnswer['products'][number]) {
    const { id, title, poster, durationSeconds } = product
    return {
      value: `product:${id}`,
      label: title,
      hint: durationSeconds === null ? undefined : format.duration(durationSeconds),
      thumb: <Picture picture={poster} sizes="4rem" ratio={16 / 9} decorative rounded={false} />,
    }
  }

  function momentSuggestion({ product, startSeconds, snippet, hits, language }: Moment, turn: number) {
    return {
      value: `moment:${turn}`,
      label: snippet,
      text: <MarkedText text={snippet} marks={hits} lang={language} />,
      hint: `${format.duration(Math.floor(startSeconds))} · ${product.title}`,
      thumb: <Picture picture={product.poster} sizes="4rem" ratio={16 / 9} decorative rounded={false} />,
    }
  }

  const placeOf = (value: string): NavigateOptions | undefined => {
    const product = found?.products.find(({ id }) => value === `product:${id}`)
    if (product) return { to: '/products/$code', params: { code: product.code } }
    const moment = found?.moments.find((_, turn) => value === `moment:${turn}`)
    if (moment) return placeOfMoment(moment)
    const category = found?.categories.find(({ id }) => value === `category:${id}`)
    return category && { to: '/products', search: { category: category.path } }
  }

  /** What stands in the field was asked for, and this is all there is. */
  const answered = found !== undefined && !isFetching && term === typed.trim()
  return { groups, placeOf, loading: isFetching, answered }
}

const placeOfMoment = ({ product: { code }, lesson, startSeconds }: Moment): NavigateOptions => ({
  to: '/products/$code/watch',
  params: { code },
  search: { ...(lesson && { lesson: lesson.id }), t: Math.floor(startSeconds) },
})

/** The value once it has stood still for a moment; an emptied one at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value ? pause : 0)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Read anew whenever the field is emptied; the server knows none. */
function useRecentTerms(typed: string): string[] {
  const [terms, setTerms] = useState<string[]>([])
  useEffect(() => {
    if (!typed) setTerms(recentTerms())
  }, [typed])
  return terms
}
