import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createIdempotencyKey } from '#contract/http.ts'
import { problemOf, unknownError } from '~/platform/api/problem'

interface BeginPayment<Input> {
  /** The idempotency key of the first request, which the page without JavaScript posts too. */
  firstKey: string
  begin: (input: Input, idempotencyKey: string) => Promise<{ redirectUrl: string }>
  /** Whether a refusal means that the shown items or prices are out of date. */
  isOutdated: (code: string) => boolean
  /** Loads again what is out of date. The next request has a new idempotency key. */
  refresh: () => Promise<unknown>
  /** Called when Back has brought the viewer back from the provider's page. */
  onBack?: () => void
}

/**
 * Begins a payment and leaves for the page that the API names. The button stays locked until then.
 * Back unlocks it, and another press leads to the same payment. `problem` is the code of a refusal.
 */
export function useBeginPayment<Input>({ firstKey, begin, isOutdated, refresh, onBack }: BeginPayment<Input>) {
  const [idempotencyKey, setIdempotencyKey] = useState(firstKey)
  const [redirecting, setRedirecting] = useState(false)
  // A second press may come before the state has locked the button.
  const sent = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (input: Input) => begin(input, idempotencyKey),
    onSuccess: ({ redirectUrl }) => {
      setRedirecting(true)
      window.location.assign(redirectUrl)
    },
    onError: async (reason) => {
      sent.current = false
      if (!isOutdated(problemOf(reason)?.code ?? '')) return
      setIdempotencyKey(createIdempotencyKey())
      await refresh()
    },
  })

  const latest = useRef(onBack)
  latest.current = onBack
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      sent.current = false
      setRedirecting(false)
      reset()
      latest.current?.()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [reset])

  const problem = error ? (problemOf(error)?.code ?? unknownError) : undefined
  const start = (input: Input) => {
    if (sent.current) return
    sent.current = true
    mutate(input)
  }
  return { start, idempotencyKey, locked: isPending || redirecting, problem }
}
