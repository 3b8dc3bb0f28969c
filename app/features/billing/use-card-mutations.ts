import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createIdempotencyKey } from '#contract/http.ts'
import type { CardId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { cardsQuery, makeCardDefault, registerCard, removeCard } from './cards.functions'

/** Statuses whose errors are shown beside the cards. */
const handledInline = [0, 400, 404, 409, 422, 429, 500, 502, 503, 504]
const here = { to: '/mypages/cards', search: {}, resetScroll: false } as const

/** Writes of the member's cards, one at a time. `problem` is the code of the latest refusal. */
export function useCardMutations(firstKey: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [idempotencyKey, setIdempotencyKey] = useState(firstKey)
  const [redirecting, setRedirecting] = useState(false)

  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries(cardsQuery),
      queryClient.invalidateQueries({ queryKey: ['subscription'] }),
    ])
  const register = useMutation({
    mutationFn: (replaces: CardId | undefined) =>
      call((signal) => registerCard({ data: { idempotencyKey, ...(replaces && { replaces }) }, signal }), {
        expected: handledInline,
      }),
    onSuccess: ({ redirectUrl }) => {
      setRedirecting(true)
      window.location.assign(redirectUrl)
    },
    onError: () => setIdempotencyKey(createIdempotencyKey()),
  })
  const makeDefault = useMutation({
    mutationFn: (id: CardId) =>
      call((signal) => makeCardDefault({ data: { id }, signal }), { expected: handledInline }),
    onSuccess: async () => {
      await refresh()
      showToast({ severity: 'success', summary: msg`This is now your default card.` })
    },
  })
  const remove = useMutation({
    mutationFn: (id: CardId) => call((signal) => removeCard({ data: { id }, signal }), { expected: handledInline }),
    onSuccess: async () => {
      await refresh()
      showToast({ severity: 'success', summary: msg`Card removed.` })
      await navigate(here)
    },
  })

  useEffect(() => {
    // After Back from the provider's page, the browser may restore the old state.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setRedirecting(false)
      setIdempotencyKey(createIdempotencyKey())
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  const mutations = [register, makeDefault, remove]
  const error = mutations.map((mutation) => mutation.error).find(Boolean)
  const withReset = <Input>(run: (input: Input) => void) => {
    return (input: Input) => {
      for (const mutation of mutations) mutation.reset()
      run(input)
    }
  }
  return {
    register: withReset(register.mutate),
    makeDefault: withReset(makeDefault.mutate),
    remove: withReset(remove.mutate),
    idempotencyKey,
    busy: redirecting || mutations.some((mutation) => mutation.isPending),
    /** The card to replace, or null for a new one. */
    registering: redirecting || register.isPending ? (register.variables ?? null) : undefined,
    problem: error ? (problemOf(error)?.code ?? unknownError) : undefined,
  }
}
