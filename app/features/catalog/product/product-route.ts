import type { QueryClient } from '@tanstack/react-query'
import { isRedirect, redirect } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import { minorDigits } from '#contract/money.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import { orNotFound } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { canonicalPath, categoryPath } from '~/platform/document/addresses'
import { addressOf, type HeadContext, pageHead } from '~/platform/document/head'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { productPageQuery } from './product.functions'

const setGoneStatus = createIsomorphicFn()
  .server(() => setResponseStatus(410))
  .client(() => {})

const setPreviewHeaders = createIsomorphicFn()
  .server(() => {
    setResponseHeader('cache-control', 'no-store')
    setResponseHeader('x-robots-tag', 'noindex')
  })
  .client(() => {})

/**
 * Loads the product of a page; null if its sale has ended. The head reads the product from the
 * cache, so that the state of the page contains it once.
 */
export async function loadProduct(queryClient: QueryClient, code: string) {
  try {
    const { product } = await orNotFound(queryClient.ensureQueryData(productPageQuery(code)))
    // The API finds a product by its id too; its page has one address.
    if (product.code !== code)
      throw redirect({ to: '/products/$code', params: { code: product.code }, statusCode: 301, replace: true })
    if (product.preview) setPreviewHeaders()
    return { locales: product.locales }
  } catch (error) {
    if (isRedirect(error) || problemOf(error)?.status !== 410) throw error
    setGoneStatus()
    return null
  }
}

/**
 * Title, pictures and structured data of a loaded product: the product, its offers, its video and
 * its breadcrumbs.
 */
export function productHead(context: HeadContext, code: string) {
  const product = context.queryClient.getQueryData(productPageQuery(code).queryKey)?.product
  if (!product) return { meta: [] }
  const { title, summary, seo, poster } = product
  const head = pageHead(context, {
    title: seo.title ?? title,
    description: seo.description ?? summary,
    image: poster,
    type: product.durationSeconds ? 'video.other' : 'product',
    noindex: product.preview,
  })
  const graph = [productData(context, product), videoData(context, product), breadcrumbData(context, product)]
  return {
    meta: [
      ...head.meta,
      { 'script:ld+json': { '@context': 'https://schema.org', '@graph': graph.filter((part) => part !== null) } },
    ],
  }
}

/** The full address of a product's page, in the language the visitor's address names. */
export const productAddress = (context: HeadContext, { code }: Pick<ProductDetail, 'code'>) =>
  addressOf(context, canonicalPath({ route: '/products/$code', params: { code } }))
const picturesOf = (context: HeadContext, { poster, gallery }: ProductDetail) =>
  [poster, ...gallery].map(({ url }) => new URL(url, addressOf(context, '/')).href)

function productData(context: HeadContext, product: ProductDetail) {
  const { title, summary, code, options, saleTo } = product
  const sells = context.queryClient.getQueryData(siteSettingsQuery.queryKey)?.order.usePayment
  return {
    '@type': 'Product',
    name: title,
    description: summary,
    sku: code,
    url: productAddress(context, product),
    image: picturesOf(context, product),
    // A store without single sales has no offers with a price.
    offers: (sells ? options : []).map(({ name, price }) => ({
      '@type': 'Offer',
      name,
      price: (price.amount / 10 ** minorDigits(price.currency)).toFixed(minorDigits(price.currency)),
      priceCurrency: price.currency,
      availability: 'https://schema.org/InStock',
      url: productAddress(context, product),
      ...(saleTo && { priceValidUntil: saleTo.slice(0, 10) }),
    })),
  }
}

function videoData(context: HeadContext, product: ProductDetail) {
  const { title, summary, durationSeconds, createdAt, access, countOfPlays } = product
  if (durationSeconds === null) return null
  return {
    '@type': 'VideoObject',
    name: title,
    description: summary || title,
    thumbnailUrl: picturesOf(context, product),
    uploadDate: createdAt,
    duration: `PT${durationSeconds}S`,
    url: productAddress(context, product),
    isAccessibleForFree: access === 'FREE' || access === 'MEMBER',
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'WatchAction' },
      userInteractionCount: countOfPlays,
    },
  }
}

function breadcrumbData(context: HeadContext, product: ProductDetail) {
  const steps = [
    ...product.categoryPath.map((category) => ({
      name: category.name,
      item: addressOf(context, categoryPath(category)),
    })),
    { name: product.title, item: productAddress(context, product) },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({ '@type': 'ListItem', position: at + 1, ...step })),
  }
}
