import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Failure, failureOf } from './failure'
import { notify } from './notifications'

interface WriteOptions<Output> {
  /** The notification after success. */
  done?: string
  /** The queries to load again, by the beginnings of their keys. */
  changes?: readonly QueryKey[]
  onDone?: (output: Output) => void
}

/**
 * A write of the API. The form that sends it shows `failure`. With `notifiesFailure`, for writes
 * without a form, a notification shows the failure.
 */
export const useWrite = <Input, Output>(
  send: (input: Input) => Promise<Output>,
  { done, changes = [], onDone, notifiesFailure = false }: WriteOptions<Output> & { notifiesFailure?: boolean } = {},
) => {
  const queryClient = useQueryClient()
  const { mutate, mutateAsync, isPending, isSuccess, data, error, reset } = useMutation({
    mutationFn: send,
    onSuccess: async (output) => {
      if (done) notify('success', done)
      onDone?.(output)
      await Promise.all(changes.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
    onError: (failed) => {
      if (notifiesFailure) notify('error', failureOf(failed))
    },
  })
  const failure: Failure | undefined = error === null ? undefined : failureOf(error)
  return { send: mutate, sendAsync: mutateAsync, isPending, isDone: isSuccess, answer: data, failure, reset }
}
