import * as z from 'zod/mini'
import {
  attachment,
  category,
  exposureQuery,
  historiesAnswer,
  optionsQuery,
  product,
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
import { attachmentId, productId } from '../ids.ts'
import { attachmentConfirm } from '../playback.ts'
import { procedure } from './procedure.ts'

const tag = 'Catalog'
const byId = z.object({ id: productId })

export const catalogProcedures = {
  categories: procedure('public', 'GET', '/categories', {
    tag,
    summary: 'The category tree, flat, in menu order',
  }).output(z.object({ items: z.array(category) })),
  search: procedure('guest', 'GET', '/new-search', { tag, summary: 'Search, filter, sort and page through products' })
    .input(searchQuery)
    .output(searchAnswer),
  suggest: procedure('public', 'GET', '/new-search/suggestions', { tag, summary: 'Results while typing' })
    .input(suggestQuery)
    .output(suggestAnswer),
  sitemap: procedure('guest', 'GET', '/products/sitemap', {
    tag,
    summary: 'Every product on sale, a thousand a page, as a sitemap names them',
  })
    .input(sitemapQuery)
    .output(sitemapAnswer),
  recentlyWatched: procedure('guest', 'GET', '/products/recently-watched', {
    tag,
    summary: 'What was watched last, with the position',
  })
    .input(exposureQuery)
    .output(productList),
  viewed: procedure('guest', 'GET', '/products/viewed', { tag, summary: 'Products looked at last' })
    .input(exposureQuery)
    .output(productList),
  histories: procedure('guest', 'GET', '/products/histories', {
    tag,
    summary: 'What was watched and what was looked at last',
  })
    .input(exposureQuery)
    .output(historiesAnswer),
  product: procedure('guest', 'GET', '/new-products/{id}', {
    tag,
    summary: 'One product, by id or code',
    description:
      'Counts a view, unless `view=false` says that nobody looks at it yet. 410 where its sale has ended and the viewer does not own it.',
  })
    .input(z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)), view: z._default(z.boolean(), true) }))
    .output(product),
  viewerStates: procedure('guest', 'GET', '/products/viewer-states', {
    tag,
    summary: 'The viewer’s state of products: liked, in the cart, owned, watched',
    description: 'For readers that share product cards among many. Nothing for a guest without a cart or a history.',
  })
    .input(viewerStatesQuery)
    .output(viewerStatesAnswer),
  productOptions: procedure('public', 'GET', '/products/{id}/options', { tag, summary: 'The ways to obtain a product' })
    .input(byId)
    .output(z.object({ items: z.array(productOption) })),
  options: procedure('public', 'GET', '/products/options', { tag, summary: 'The options of several products' })
    .input(optionsQuery)
    .output(z.object({ items: z.array(productOption) })),
  attachments: procedure('guest', 'GET', '/products/{id}/attachments', {
    tag,
    summary: 'Files that belong to a product',
  })
    .input(byId)
    .output(z.object({ items: z.array(attachment) })),
  confirmAttachment: procedure('guest', 'GET', '/products/{id}/attachments/{attachmentId}/confirm', {
    tag,
    summary: 'Accept the terms of a file and get its short-lived address',
    description: 'Downloading a bought file begins the fulfillment and is kept as evidence.',
  })
    .input(z.object({ id: productId, attachmentId }))
    .output(attachmentConfirm),
}
