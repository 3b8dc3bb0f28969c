import { Trans } from '@lingui/react/macro'
import type { Product } from '#contract/catalog.ts'
import type { VideoId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Picture } from '~/ui/picture'
import { usePreview } from '../use-preview'
import styles from './locked-panel.module.css'
import { WayActions, WayWords } from './ways-to-watch'

/** In place of the player where the right to watch is missing: the preview, and the way to the right. */
export function LockedPanel({ product }: { product: Product }) {
  const { previewId } = product
  return (
    <section className={styles.locked} aria-labelledby="locked">
      <Picture className={styles.poster} picture={product.poster} sizes="100vw" rounded={false} eager decorative />
      <div className={styles.words}>
        <h2 id="locked" className={styles.title}>
          <WayWords product={product} />
        </h2>
        <div className={styles.actions}>
          <WayActions product={product} />
          {previewId && <PreviewButton product={product} previewId={previewId} />}
        </div>
      </div>
    </section>
  )
}

function PreviewButton({ product, previewId }: { product: Product; previewId: VideoId }) {
  const preview = usePreview({ productId: product.id, previewId, code: product.code, title: product.title })
  return (
    <Button variant="secondary" size="l" icon="play" {...preview}>
      <Trans>Watch the preview</Trans>
    </Button>
  )
}
