import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { Product } from '#contract/catalog.ts'
import { useReportLink } from '~/features/playback/use-watch-links'
import { ShareButton } from '~/parts/share-button'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Prose } from '~/ui/prose'
import { Breadcrumbs } from '~/ui/section-heading'
import { productPageQuery } from '../product.queries'
import { productAddress } from '../product-head'
import { useViewCount } from '../use-view-count'
import { AttachmentList } from './attachment-list'
import { BuyBar } from './buy-bar'
import { BuyPanel } from './buy-panel'
import { Gallery } from './gallery'
import { LessonList } from './lesson-list'
import { LikeButton } from './like-button'
import styles from './product-page.module.css'
import { TitleBlock } from './title-block'

interface ProductPageProps {
  code: string
  /** What other parts of the store say about this product. */
  comments: (product: Product) => ReactNode
  related: (product: Product) => ReactNode
}

export function ProductPage({ code, comments, related }: ProductPageProps) {
  const { t } = useLingui()
  const { product, attachments } = useSuspenseQuery(productPageQuery(code)).data
  const panel = useRef<HTMLDivElement>(null)
  useViewCount(product)
  const { context } = useRouter().options
  const address = productAddress(context, product)
  const report = useReportLink(product.code)
  const tint: CSSProperties & Record<'--tint', string> = { '--tint': product.poster.color }
  return (
    <article className={styles.page} style={tint}>
      <div className={styles.stage}>
        <div className={styles.way}>
          <Breadcrumbs label={t`Breadcrumb`}>
            {[
              <Link key="all" to="/products">
                <Trans>All products</Trans>
              </Link>,
              ...product.categoryPath.map((category) => (
                <Link key={category.id} to="/products" search={{ category: category.path }}>
                  {storeText(category, 'name')}
                </Link>
              )),
            ]}
          </Breadcrumbs>
        </div>
        <Gallery key={product.id} product={product} />
        <div className={styles.side}>
          <TitleBlock product={product} />
          <div ref={panel} id="buy" className={styles.offer}>
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
          {product.description && (
            <section className={styles.section} aria-labelledby="about">
              <h2 id="about">
                <Trans>About</Trans>
              </h2>
              <Prose html={product.description} lang={langOf(product, 'description')} />
            </section>
          )}
          <LessonList product={product} />
          <AttachmentList product={product} attachments={attachments} />
          {comments(product)}
        </div>
      </div>
      <BuyBar product={product} panel={panel} />
      <div className={styles.related}>{related(product)}</div>
    </article>
  )
}
