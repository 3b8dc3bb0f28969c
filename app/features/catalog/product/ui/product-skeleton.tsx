import { Trans } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import { posterOf, pressedCardOf } from '~/platform/navigation/pressed-card'
import { PictureFrame } from '~/ui/picture'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './product-page.module.css'
import titleStyles from './title-block.module.css'

/** The placeholder of a product page. Shows the content of the card that linked here. */
export function ProductSkeleton({ code }: { code: string }) {
  const card = pressedCardOf(code)
  const tint: CSSProperties & Record<'--tint', string | undefined> = { '--tint': card?.color }
  return (
    <div className={styles.page} style={tint} aria-busy>
      <VisuallyHidden>
        <Trans>Loading product…</Trans>
      </VisuallyHidden>
      <div className={styles.stage}>
        <div className={styles.way}>
          <Skeleton width="16rem" height="1.25rem" />
        </div>
        {card ? (
          // The width from the list is cached already. The page loads its own.
          <PictureFrame html={card.picture} color={card.color} ratio={16 / 9} frameRef={posterOf(code)} />
        ) : (
          <Skeleton ratio={16 / 9} />
        )}
        <div className={styles.side}>
          {card ? (
            <div className={titleStyles.block}>
              <h1 className={titleStyles.title}>
                <bdi lang={card.titleLang}>{card.title}</bdi>
              </h1>
              <SkeletonText lines={1} />
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the page has shown it. */}
              {card.price && <div dangerouslySetInnerHTML={{ __html: card.price }} />}
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
