import { Trans } from '@lingui/react/macro'
import type { Product } from '#contract/catalog.ts'
import { openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { Picture } from '~/ui/picture'
import type { PreviewRequest } from '../preview-request'
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
          {previewId && (
            <Button
              variant="secondary"
              size="l"
              icon="play"
              onClick={() =>
                openModal('videoPreview', {
                  productId: product.id,
                  previewId,
                  code: product.code,
                  title: product.title,
                } satisfies PreviewRequest)
              }
            >
              <Trans>Watch the preview</Trans>
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
