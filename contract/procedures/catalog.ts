import * as z from 'zod/mini'
import {
  category,
  chosenQuery,
  exposureQuery,
  historiesAnswer,
  optionsQuery,
  productList,
  productOption,
  searchAnswer,
  searchQuery,
  sitemapAnswer,
  sitemapQuery,
  suggestAnswer,
  suggestQuery,
  viewerStatesAnswer,
  viewerStatesQuery,
} from '../catalog.ts'
import { attachmentId, productId, productIdOrCode } from '../ids.ts'
import { serverTime } from '../paging.ts'
import { attachmentConfirm } from '../playback.ts'
import { attachment, product } from '../product-page.ts'
import { procedure } from './procedure.ts'

const tag = 'Catalog'
const byId = z.object({ id: productId })

export const catalogProcedures = {
  categories: procedure('public', 'GET', '/categories', {
    tag,
    summary: 'List categories',
    description: 'Returns all categories in menu order. `parentId` forms the tree.',
  }).output(z.object({ items: z.array(category) })),
  search: procedure('guest', 'GET', '/new-search', { tag, summary: 'Search products' })
    .input(searchQuery)
    .output(searchAnswer),
  chosen: procedure('guest', 'GET', '/products/chosen', {
    tag,
    summary: 'List the chosen products of a home page section',
    description:
      'Returns the products on sale of a section with the kind PRODUCTS, in its order. Empty where the home page has no such section, or hides it.',
  })
    .input(chosenQuery)
    .output(productList),
  suggest: procedure('public', 'GET', '/new-search/suggestions', { tag, summary: 'List search suggestions' })
    .input(suggestQuery)
    .output(suggestAnswer),
  sitemap: procedure('guest', 'GET', '/products/sitemap', {
    tag,
    summary: 'List products for a sitemap',
    description: 'Returns all products on sale, a thousand per page.',
  })
    .input(sitemapQuery)
    .output(sitemapAnswer),
  recentlyWatched: procedure('guest', 'GET', '/products/recently-watched', {
    tag,
    summary: 'List recently watched products',
    description: 'Returns products with the viewer’s progress, latest first.',
  })
    .input(exposureQuery)
    .output(z.extend(productList, serverTime)),
  viewed: procedure('guest', 'GET', '/products/viewed', { tag, summary: 'List recently viewed products' })
    .input(exposureQuery)
    .output(productList),
  histories: procedure('guest', 'GET', '/products/histories', {
    tag,
    summary: 'List recently watched and recently viewed products',
  })
    .input(exposureQuery)
    .output(historiesAnswer),
  product: procedure('guest', 'GET', '/new-products/{id}', {
    tag,
    summary: 'Retrieve a product',
    description:
      '`id` is the id or the code of the product. Counts a view unless `view=false` is sent. Returns 410 where the sale has ended and the viewer does not own the product.',
  })
    .input(z.object({ id: productIdOrCode, view: z._default(z.boolean(), true) }))
    .output(product),
  viewerStates: procedure('guest', 'GET', '/products/viewer-states', {
    tag,
    summary: 'Retrieve the viewer’s state of products',
    description:
      'Returns which of the products the viewer likes, has in the cart, owns and has watched. For clients that show cached product cards; `marked=true` omits products whose cards look the same to all. Empty for a guest without a cart or a history.',
  })
    .input(viewerStatesQuery)
    .output(viewerStatesAnswer),
  productOptions: procedure('public', 'GET', '/products/{id}/options', {
    tag,
    summary: 'List the options of a product',
    description: 'Returns the ways to buy or rent it.',
  })
    .input(byId)
    .output(z.object({ items: z.array(productOption) })),
  options: procedure('public', 'GET', '/products/options', { tag, summary: 'List the options of several products' })
    .input(optionsQuery)
    .output(z.object({ items: z.array(productOption) })),
  attachments: procedure('guest', 'GET', '/products/{id}/attachments', {
    tag,
    summary: 'List the attachments of a product',
  })
    .input(byId)
    .output(z.object({ items: z.array(attachment) })),
  confirmAttachment: procedure('guest', 'GET', '/products/{id}/attachments/{attachmentId}/confirm', {
    tag,
    summary: 'Create a download URL for an attachment',
    description:
      'The request accepts the attachment’s confirmation text. Returns a URL that expires. The download of a purchased file begins its fulfillment, which ends the right to a refund and is stored as evidence.',
  })
    .input(z.object({ id: productId, attachmentId }))
    .output(attachmentConfirm),
}
