import { useLingui } from '@lingui/react/macro'
import { rootRouteId, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { labels } from '~/platform/labels'
import { SearchCombobox } from '~/ui/search-combobox'
import { saveRecentTerm, useSuggestions } from '../use-suggestions'

/**
 * The search field of the store. Shows suggestions while typing. Without JavaScript a plain form.
 */
export function SearchBox({ large, inSheet }: { large?: boolean; inSheet?: boolean }) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const { q = '' } = useSearch({ from: rootRouteId })
  const [typed, setTyped] = useTyped(q)
  const { groups, placeOf, loading, answered } = useSuggestions(typed, {
    wanted: inSheet || typed !== q,
    popular: inSheet,
  })

  const search = (term: string) => {
    setTyped(term)
    if (term) saveRecentTerm(term)
    void navigate({ to: '/products', search: term ? { q: term } : {} })
  }

  return (
    <SearchCombobox
      action="/products"
      name="q"
      value={typed}
      onValueChange={setTyped}
      groups={groups}
      loading={loading}
      emptyText={answered ? i18n._(labels.noResults) : undefined}
      large={large}
      inSheet={inSheet}
      onSearch={search}
      onChoose={({ value, label }) => {
        const place = placeOf(value)
        if (!place) return search(label)
        if (typed.trim()) saveRecentTerm(typed.trim())
        setTyped('')
        void navigate(place)
      }}
      labels={{
        field: t`Search the store`,
        placeholder: t`Search titles, people, topics`,
        clear: t`Clear search`,
        count: (count) => t`Suggestions: ${count}`,
      }}
    />
  )
}

/**
 * The value of the field: the typed text, replaced by the term of the URL whenever that changes.
 */
function useTyped(q: string) {
  const [state, setState] = useState({ q, typed: q })
  if (state.q !== q) setState({ q, typed: q })
  return [state.typed, (typed: string) => setState({ q, typed })] as const
}
