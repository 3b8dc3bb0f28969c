import { Trans } from '@lingui/react/macro'
import type { CSSProperties, ReactNode } from 'react'
import { storeText } from '~/platform/i18n/store-text'
import { Picture, type PictureSource } from '~/ui/picture'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './product-page.module.css'
import titleStyles from './title-block.module.css'

interface ProductSkeletonProps {
  /** The content of the tile that linked here. */
  tile?: { title: string; summary: string; poster: PictureSource } | undefined
  price?: ReactNode
}

/** The placeholder of a product page. Shows the content of the tile that linked here. */
export function ProductSkeleton({ tile, price }: ProductSkeletonProps) {
  const tint: CSSProperties & Record<'--tint', string | undefined> = { '--tint': tile?.poster.color }
  return (
    <div className={styles.page} style={tint} aria-busy>
      <VisuallyHidden>
        <Trans>Loading product…</Trans>
      </VisuallyHidden>
      <div className={styles.stage}>
        <div className={styles.way}>
          <Skeleton width="16rem" height="1.25rem" />
        </div>
        {tile ? (
          // The width from the list is cached already. The page loads its own.
          <Picture
            picture={tile.poster}
            sizes="20rem"
            ratio={16 / 9}
            eager
            decorative
            transitionName="product-poster"
          />
        ) : (
          <Skeleton ratio={16 / 9} />
        )}
        <div className={styles.side}>
          {tile ? (
            <div className={titleStyles.block}>
              <h1 className={titleStyles.title}>{storeText(tile, 'title')}</h1>
              {tile.summary && <p className={titleStyles.summary}>{storeText(tile, 'summary')}</p>}
              {price && <div>{price}</div>}
            </div>
          ) : (
            <>
              <Skeleton width="85%" height="2.5rem" />
              <SkeletonText lines={2} />
            </>
          )}
          <Skeleton height="15rem" />
        </div>
      </div>
    </div>
  )
}
