import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { loadProductToWatch, previewQuery } from '~/features/playback/playback.functions'
import { PreviewPage } from '~/features/playback/ui/preview-page'
import { orNotFound } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { pageHead } from '~/platform/document/head'

/** The preview as a page, for browsers without JavaScript. Others play it in a dialog. */
export const Route = createFileRoute('/products/$code_/preview')({
  staticData: { content: true },
  loader: async ({ context: { queryClient }, params }) => {
    try {
      const product = await orNotFound(loadProductToWatch(queryClient, params.code))
      if (!product.previewId) throw notFound()
      const preview = await orNotFound(queryClient.ensureQueryData(previewQuery(product.id, product.previewId)))
      return { product, preview }
    } catch (error) {
      throw problemOf(error)?.status === 410 ? notFound() : error
    }
  },
  head: ({ match, loaderData }) => {
    if (!loaderData) return {}
    const { title, poster } = loaderData.product
    const name = match.context.i18n._(msg`Preview: ${title}`)
    return pageHead(match.context, { title: name, image: poster, type: 'video.other', noindex: true })
  },
  component: () => <PreviewPage {...Route.useLoaderData()} />,
})
