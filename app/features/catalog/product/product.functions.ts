import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type commentPage, likeBody } from '#contract/engagement.ts'
import { attachmentId, productId, productIdOrCode } from '#contract/ids.ts'
import type { Attachment, ProductDetail } from '#contract/product-page.ts'
import {
  type CardList,
  createTileMapper,
  type HtmlList,
  toCardList,
  toHtmlList,
  withoutSingleSource,
} from '~/features/catalog/products.functions'
import { commentsPerPage, commentsQuery } from '~/features/engagement/comments.functions'
import { call, notFoundStatuses } from '~/platform/api/call'
import { unwrap } from '~/platform/api/problem'
import { checked, sharedReadFn, writeFn } from '~/platform/request/server-fn'

export interface ProductPageData {
  /** Without its description, which is in `about`. */
  product: ProductDetail
  /** The description as HTML; no item if there is none. */
  about: HtmlList<string>
  related: CardList
  attachments: Attachment[]
  comments: z.output<typeof commentPage>
}

/** The data of a product page in one request. Returns 404 and 410 as data. */
const getProductPage = sharedReadFn()
  .validator(checked(z.object({ code: productIdOrCode })))
  .handler(({ data, context }) =>
    context.callApi(async (api): Promise<ProductPageData> => {
      const { related, ...found } = await api.catalog.product({ id: data.code, view: false })
      const { id, description } = found
      const product: ProductDetail = {
        ...found,
        description: '',
        poster: withoutSingleSource(found.poster),
        posterTall: found.posterTall && withoutSingleSource(found.posterTall),
        gallery: found.gallery.map(withoutSingleSource),
      }
      const [attachments, comments] = await Promise.all([
        product.attachmentCount > 0 ? api.catalog.attachments({ id }) : { items: [] },
        api.engagement.comments({ id, page: 1, size: commentsPerPage }),
      ])
      return {
        product,
        about: toHtmlList(description ? [description] : []),
        related: toCardList(createTileMapper()(related)),
        attachments: attachments.items,
        comments,
      }
    }),
  )

/** Counts a view. The page itself may come from a cache or be prefetched. */
export const recordView = writeFn()
  .validator(checked(z.object({ id: productId })))
  .handler(({ data, context }) =>
    context.callApi(async (api) => {
      await api.engagement.view(data)
      return null
    }),
  )

export const likeProduct = writeFn()
  .validator(checked(z.extend(likeBody, { id: productId })))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.like(data)))

/** Accepts a file's terms and returns its short-lived URL. */
export const confirmAttachment = writeFn()
  .validator(checked(z.object({ id: productId, attachmentId })))
  .handler(({ data, context }) => context.callApi((api) => api.catalog.confirmAttachment(data)))

/** Fills the cache of a product's first comments. Returns the rest of its page. */
function withoutComments(client: QueryClient, { comments, ...page }: ProductPageData) {
  client.setQueryData(commentsQuery(page.product.id).queryKey, { pages: [comments], pageParams: [1] })
  return page
}

/** A product page by code. Also fills the cache of its first comments. */
export const productPageQuery = (code: string) =>
  queryOptions({
    queryKey: ['product', code],
    queryFn: async ({ signal, client }) =>
      withoutComments(
        client,
        await call((s) => getProductPage({ data: { code }, signal: s }), {
          signal,
          expected: [...notFoundStatuses, 410],
        }),
      ),
  })

/** The same page, which the visitor has not opened: a failure is not shown, and not tried again. */
export const unopenedPageQuery = (code: string) =>
  queryOptions({
    ...productPageQuery(code),
    queryFn: async ({ signal, client }) =>
      withoutComments(client, unwrap(await getProductPage({ data: { code }, signal }))),
    retry: false,
  })
