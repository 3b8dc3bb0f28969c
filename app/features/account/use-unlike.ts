import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { call } from '~/platform/api/call'
import { showToast } from '~/platform/toasts/toasts'
import { setLiked } from './account.functions'
import { likedProductsQuery } from './account.queries'
import type { LikedProductsSearch } from './account.search'

const undoLife = 8_000

/** Takes a like back in place; the toast gives it again. */
export function useUnlike(search: LikedProductsSearch) {
  const queryClient = useQueryClient()
  const list = likedProductsQuery(search)
  const send = ({ product, liked }: { product: ProductCard; liked: boolean }) =>
    call((signal) => setLiked({ data: { id: product.id, liked }, signal }))
  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: async ({ product, liked }) => {
      await queryClient.cancelQueries(list)
      const before = queryClient.getQueryData(list.queryKey)
      if (before && !liked) {
        const items = before.items.filter(({ id }) => id !== product.id)
        queryClient.setQueryData(list.queryKey, { ...before, items, total: before.total - 1 })
      }
      return { before }
    },
    onSuccess: (_answer, { product, liked }) => {
      if (liked) return
      showToast({
        severity: 'info',
        summary: msg`Removed from your wish list.`,
        detail: product.title,
        life: undoLife,
        action: { label: msg`Undo`, run: () => mutate({ product, liked: true }) },
      })
    },
    onError: (_error, _change, saved) => {
      if (saved?.before) queryClient.setQueryData(list.queryKey, saved.before)
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['liked-products'] })
      void queryClient.invalidateQueries({ queryKey: ['product'] })
    },
  })
  return (product: ProductCard) => mutate({ product, liked: false })
}
