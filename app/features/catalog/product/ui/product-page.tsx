import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { type CSSProperties, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import type { ProductDetail } from '#contract/product-page.ts'
import type { CardList, HtmlList } from '~/features/catalog/products.functions'
import { useReportLink } from '~/features/playback/use-watch-links'
import { ShareButton as ShareButtonNow } from '~/parts/share-button'
import { call, keepaliveFetch } from '~/platform/api/call'
import { SharedElement } from '~/platform/document/html-parts'
import { hydratedLater, inSuspense, laterAttribute } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { pressedCardOf } from '~/platform/navigation/pressed-card'
import { contractQuery, useLoaded, useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Prose } from '~/ui/prose'
import { Breadcrumbs } from '~/ui/section-heading'
import { useHtmlList } from '../../ui/product-lists'
import { likeProduct, productPageQuery, recordView } from '../product.functions'
import { productAddress } from '../product-route'
import { AttachmentList as AttachmentListNow } from './attachment-list'
import { BuyBar as BuyBarNow } from './buy-bar'
import { BuyPanel as BuyPanelNow } from './buy-panel'
import { Gallery } from './gallery'
import { LessonList as LessonListNow } from './lesson-list'
import styles from './product-page.module.css'
import { TitleBlock } from './title-block'

const ShareButton = createIsomorphicFn()
  .server(() => inSuspense(ShareButtonNow))
  .client(() => hydratedLater(() => withMessages(import('~/parts/share-button')).then((part) => part.ShareButton)))()

const LessonList = createIsomorphicFn()
  .server(() => inSuspense(LessonListNow))
  .client(() => hydratedLater(() => withMessages(import('./lesson-list')).then((part) => part.LessonList)))()

const AttachmentList = createIsomorphicFn()
  .server(() => inSuspense(AttachmentListNow))
  .client(() => hydratedLater(() => withMessages(import('./attachment-list')).then((part) => part.AttachmentList)))()

const BuyPanel = createIsomorphicFn()
  .server(() => inSuspense(BuyPanelNow))
  .client(() => hydratedLater(() => withMessages(import('./buy-panel')).then((part) => part.BuyPanel)))()

const BuyBar = createIsomorphicFn()
  .server(() => inSuspense(BuyBarNow))
  .client(() => hydratedLater(() => withMessages(import('./buy-bar')).then((part) => part.BuyBar)))()

/**
 * Counts a view once the page is visible, however short, but not one through a preview link.
 * Failures are ignored.
 */
function useRecordView({ id, preview = false }: Pick<ProductDetail, 'id' | 'preview'>): void {
  useEffect(() => {
    if (!preview) recordView({ data: { id }, fetch: keepaliveFetch }).catch(() => {})
  }, [id, preview])
}

interface Like {
  liked: boolean
  countOfLikes: number
}

/** Likes or unlikes a product optimistically. Reverts where the server refuses. */
function useLike(product: ProductDetail) {
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

/** Likes a product. A guest signs in first and returns. */
function LikeButton({ product }: { product: ProductDetail }) {
  const member = useMe()
  const here = useLocation({ select: ({ href }) => href })
  const { liked, toggle } = useLike(product)
  const label = <Plural value={product.countOfLikes} _0="Wish list" other="Wish list (#)" />
  if (!member) {
    return (
      <Button variant="ghost" icon="heart" render={<Link to="/login" search={{ redirect: here }} />}>
        {label}
      </Button>
    )
  }
  return (
    <Button
      variant="ghost"
      icon={liked ? 'heart-filled' : 'heart'}
      aria-pressed={liked}
      className={styles.like ?? ''}
      onClick={toggle}
    >
      {liked && product.countOfLikes === 1 ? <Trans>In your wish list</Trans> : label}
    </Button>
  )
}

/**
 * What is below the first view of a product's page. A pressed card shows the first view before this
 * is rendered. Otherwise, on the way back and for a link to a part, it is there at once.
 */
function BelowFirstView({ code, children }: { code: string; children: ReactNode }) {
  const [isShown, setShown] = useState(
    () => !pressedCardOf(code) || location.hash !== '' || document.documentElement.hasAttribute('data-whole'),
  )

  useEffect(() => {
    if (isShown) return
    let timer: number | undefined
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setShown(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      window.clearTimeout(timer)
    }
  }, [isShown])

  return isShown && children
}

interface ProductPageProps {
  code: string
  /** Renders the comments of the product. */
  comments: (product: ProductDetail) => ReactNode
  /** Renders the related products. */
  related: (list: CardList) => ReactNode
}

export function ProductPage({ code, comments, related }: ProductPageProps) {
  const { t } = useLingui()
  const { product, about, related: relatedProducts, attachments } = useSuspenseQuery(productPageQuery(code)).data
  const panel = useRef<HTMLDivElement>(null)
  useRecordView(product)
  const { context } = useRouter().options
  const address = productAddress(context, product)
  const report = useReportLink(product.code)
  const isAtTime = Boolean(useLoaded(contractQuery)?.previewAt)
  const tint: CSSProperties & Record<'--tint', string> = { '--tint': product.poster.color }
  return (
    <article className={styles.page} style={tint}>
      <div className={styles.stage}>
        <SharedElement as="div" className={styles.way} shown={['way', product.preview, isAtTime, product.categoryPath]}>
          {product.preview && (
            <Notice tone="warning">
              {isAtTime ? (
                <Trans>Visitors won’t see this title at that time. Only people with the link can see it.</Trans>
              ) : (
                <Trans>Preview: visitors don’t see this title now. Only people with the link can see it.</Trans>
              )}
            </Notice>
          )}
          <Breadcrumbs label={t`Breadcrumb`}>
            {[
              <Link key="all" to="/products" activeOptions={{ exact: true, includeSearch: false }}>
                <Trans>All products</Trans>
              </Link>,
              ...product.categoryPath.map((category) => (
                <Link key={category.id} to="/products" search={{ category: category.path }}>
                  {storeText(category, 'name')}
                </Link>
              )),
            ]}
          </Breadcrumbs>
        </SharedElement>
        <Gallery key={product.id} product={product} />
        <div className={styles.side}>
          <TitleBlock product={product} />
          <div ref={panel} id="buy" className={styles.offer} {...laterAttribute}>
            <BuyPanel key={product.id} product={product} />
          </div>
          <div className={styles.gestures}>
            <LikeButton product={product} />
            <ShareButton title={product.title} url={address} />
            {report && (
              <Button variant="ghost" icon="comment" render={report()}>
                <Trans>Report a problem</Trans>
              </Button>
            )}
          </div>
        </div>
        <div className={styles.body}>
          {about.count > 0 && <About html={about} lang={langOf(product, 'description')} />}
          <LessonList product={product} />
          <AttachmentList product={product} attachments={attachments} />
          <BelowFirstView key={code} code={code}>
            {comments(product)}
          </BelowFirstView>
        </div>
      </div>
      <BuyBar product={product} panel={panel} />
      <div className={styles.related}>
        <BelowFirstView key={code} code={code}>
          {related(relatedProducts)}
        </BelowFirstView>
      </div>
    </article>
  )
}

/** The description of a product. */
function About({ html, lang }: { html: HtmlList<string>; lang: string | undefined }) {
  // Rich text may lead to files, which are no pages.
  const { onClick, ...list } = useHtmlList(html, (text) => ({
    shown: ['about', text, lang],
    element: <Prose key={lang} html={text} lang={lang} />,
  }))
  return (
    <section className={styles.section} aria-labelledby="about">
      <h2 id="about">
        <Trans>About</Trans>
      </h2>
      <div {...list} />
    </section>
  )
}

/** A product that is no longer for sale. */
export function ProductGone() {
  const { t } = useLingui()
  const member = useMe()
  return (
    <EmptyState
      icon="film"
      headingLevel="h1"
      title={<Trans>This title is no longer available</Trans>}
      actions={
        <>
          <Button variant="primary" render={<Link to="/products" />}>{t`See all products`}</Button>
          {member && <Button render={<Link to="/mypages/paid-products" />}>{t`Purchases`}</Button>}
        </>
      }
    >
      {member ? (
        <Trans>This title is no longer sold. If you bought it, you find it under Purchases.</Trans>
      ) : (
        <Trans>This title is no longer sold. If you bought it, sign in to find it under Purchases.</Trans>
      )}
    </EmptyState>
  )
}
