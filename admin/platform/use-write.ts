import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Failure, failureOf } from './failure'
import { notify } from './notifications'
import { putAnswer } from './put-answer'
import { sendOnce } from './send-once'

interface WriteOptions<Output> {
  /** The notification after success, or after a success that is not the whole. */
  done?: string | { warning: string }
  /** The query whose data the write answers with, and these data. */
  answers?: (output: Output) => readonly [QueryKey, unknown]
  /** The queries to load again, by the beginnings of their keys. */
  changes?: readonly QueryKey[]
  /** Runs at once, while the queries are loaded again. */
  onDone?: (output: Output) => void
  /**
   * Closes the dialog of the write, once the queries are loaded again: whoever acts next on the
   * page acts on what the write has made, with its version.
   */
  onClose?: () => void
}

/** Calls listeners, each until it is removed. */
const createSignal = () => {
  const listeners = new Set<() => void>()
  return {
    emit: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * A write of the API. `sent` is its latest input. The same input is not sent again while it is
 * under way. The form that sends it shows `failure`. With `notifiesFailure`, for writes without a
 * form, a notification shows the failure.
 */
export const useWrite = <Input, Output>(
  send: (input: Input) => Promise<Output>,
  {
    done,
    answers,
    changes = [],
    onDone,
    onClose,
    notifiesFailure = false,
  }: WriteOptions<Output> & { notifiesFailure?: boolean } = {},
) => {
  const queryClient = useQueryClient()
  const [success] = useState(createSignal)
  const { mutateAsync, variables, isPending, isSuccess, data, error, reset } = useMutation({
    mutationFn: send,
    onSuccess: async (output) => {
      success.emit()
      if (answers) await putAnswer(queryClient, ...answers(output))
      if (typeof done === 'string') notify('success', done)
      else if (done) notify('warning', done.warning)
      onDone?.(output)
      await Promise.all(changes.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      onClose?.()
    },
    onError: (failed) => {
      if (notifiesFailure) notify('error', failureOf(failed))
    },
  })
  // TanStack Query keeps `mutateAsync` for the life of the component.
  const [sendAsync] = useState(() => sendOnce(mutateAsync))
  const failure: Failure | undefined = error === null ? undefined : failureOf(error)
  return {
    send: (...sent: Parameters<typeof sendAsync>) => {
      sendAsync(...sent).catch(() => {
        // `failure` has it.
      })
    },
    sendAsync,
    sent: variables,
    isPending,
    isDone: isSuccess,
    answer: data,
    failure,
    reset,
    /** Calls `listener` after success, before what leads away from the form. Returns its end. */
    whenDone: success.listen,
  }
}
