import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProductDetail } from '#contract/product-page.ts'
import { usePreview } from '~/features/playback/use-preview'
import { SharedElement } from '~/platform/document/html-parts'
import { posterOf } from '~/platform/navigation/pressed-card'
import { classNames } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { Picture } from '~/ui/picture'
import styles from './gallery.module.css'

/** The poster and the other pictures; the preview plays from here. */
export function Gallery({ product }: { product: ProductDetail }) {
  const { t } = useLingui()
  const [at, setAt] = useState(0)
  const pictures = [product.poster, ...product.gallery]
  const shown = pictures[at] ?? product.poster
  return (
    <div className={styles.gallery}>
      <div className={styles.frame}>
        <Picture
          picture={shown}
          sizes="(min-width: 80rem) calc(100vw - 40rem), (min-width: 60rem) 60vw, 100vw"
          ratio={16 / 9}
          eager
          frameRef={posterOf(product.code)}
        />
        {product.previewId && at === 0 && <PreviewButton product={product} previewId={product.previewId} />}
      </div>
      {pictures.length > 1 && (
        <SharedElement as="ul" className={styles.thumbs} shown={['thumbs', pictures]}>
          {pictures.map((picture, number) => (
            <li key={picture.url}>
              <button
                type="button"
                className={styles.thumb}
                aria-label={picture.alt || t`Image ${number + 1}`}
                aria-current={number === at || undefined}
                onClick={() => setAt(number)}
              >
                <Picture picture={picture} sizes="8rem" ratio={16 / 9} decorative rounded={false} />
              </button>
            </li>
          ))}
        </SharedElement>
      )}
    </div>
  )
}

function PreviewButton({
  product,
  previewId,
}: {
  product: ProductDetail
  previewId: NonNullable<ProductDetail['previewId']>
}) {
  const { id, code, title, previewSeconds } = product
  const preview = usePreview({ productId: id, previewId, code, title })
  const content = (
    <>
      <span className={styles.play}>
        <Icon name="play" size="l" />
      </span>
      <span className={styles.previewLabel}>
        <Plural value={previewSeconds ?? 0} _0="Watch the preview" one="Preview, # second" other="Preview, # seconds" />
      </span>
    </>
  )
  return (
    <>
      <button type="button" className={classNames(styles.preview, styles.scripted)} {...preview}>
        {content}
      </button>
      <noscript>
        <Link to="/products/$code/preview" params={{ code }} className={styles.preview}>
          {content}
        </Link>
      </noscript>
    </>
  )
}
