import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Product } from '#contract/catalog.ts'
import { call } from '~/platform/api/call'
import { likeProduct } from './product.functions'
import { productPageQuery } from './product.queries'

interface Like {
  liked: boolean
  countOfLikes: number
}

/** Likes a product or takes it back: shown at once, undone where the server refuses. */
export function useLike(product: Product) {
  const queryClient = useQueryClient()
  const { queryKey } = productPageQuery(product.code)
  const before: Like = { liked: product.viewer?.liked ?? false, countOfLikes: product.countOfLikes }

  const show = ({ liked, countOfLikes }: Like) =>
    queryClient.setQueryData(queryKey, (page) => {
      if (!page?.product.viewer) return page
      return { ...page, product: { ...page.product, countOfLikes, viewer: { ...page.product.viewer, liked } } }
    })

  const { mutate } = useMutation({
    mutationFn: (liked: boolean) => call((signal) => likeProduct({ data: { id: product.id, liked }, signal })),
    onMutate: async (liked) => {
      await queryClient.cancelQueries({ queryKey })
      show({ liked, countOfLikes: before.countOfLikes + (liked ? 1 : -1) })
      return before
    },
    onError: (_error, _liked, was) => was && show(was),
    onSuccess: show,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['liked-products'] }),
  })
  return { liked: before.liked, toggle: () => mutate(!before.liked) }
}
