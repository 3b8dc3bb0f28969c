import { msg } from '@lingui/core/macro'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { showToast } from '~/platform/toasts/toasts'
import { dismissWatched } from './playback.functions'

const undoLife = 8_000

interface WatchedProduct {
  id: ProductId
  title: string
}

/**
 * Removes a title from a continue-watching list, with undo in a toast. `without` returns the list's
 * data without the product.
 */
export function useDismiss<Data>(queryKey: QueryKey, without: (data: Data, id: ProductId) => Data) {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ product, dismissed }: { product: WatchedProduct; dismissed: boolean }) =>
      call((signal) => dismissWatched({ data: { id: product.id, dismissed }, signal })),
    onMutate: async ({ product, dismissed }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<Data>(queryKey)
      if (before && dismissed) queryClient.setQueryData<Data>(queryKey, without(before, product.id))
      return { before }
    },
    onSuccess: (_answer, { product, dismissed }) => {
      if (!dismissed) return
      showToast({
        severity: 'info',
        summary: msg`Removed from the list.`,
        detail: product.title,
        life: undoLife,
        action: { label: msg`Undo`, run: () => mutate({ product, dismissed: false }) },
      })
    },
    onError: (_error, _change, saved) => {
      if (saved?.before) queryClient.setQueryData(queryKey, saved.before)
    },
    onSettled: () => {
      for (const key of [['continue-watching'], ['products', 'personal']])
        void queryClient.invalidateQueries({ queryKey: key })
    },
  })
  return (product: WatchedProduct) => mutate({ product, dismissed: true })
}
