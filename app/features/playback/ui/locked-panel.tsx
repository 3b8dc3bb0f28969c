import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { Product } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { openModal } from '~/platform/modals/modal-events'
import { useMe } from '~/platform/shell/shell.queries'
import { Button } from '~/ui/button'
import { Picture } from '~/ui/picture'
import type { PreviewRequest } from '../preview-request'
import styles from './locked-panel.module.css'

/** In place of the player where the right to watch is missing: the preview, and the way to the right. */
export function LockedPanel({ product }: { product: Product }) {
  const format = useFormat()
  const member = useMe()
  const location = useLocation()
  const { previewId, price } = product
  const forMembers = product.access === 'MEMBER' && !member
  return (
    <section className={styles.locked} aria-labelledby="locked">
      <Picture className={styles.poster} picture={product.poster} sizes="100vw" rounded={false} eager decorative />
      <div className={styles.words}>
        <h2 id="locked" className={styles.title}>
          {forMembers ? (
            <Trans>Sign in to watch this for free.</Trans>
          ) : price ? (
            <Trans>Yours to watch from {format.money(price)}.</Trans>
          ) : (
            <Trans>This is not open to you yet.</Trans>
          )}
        </h2>
        <div className={styles.actions}>
          {forMembers ? (
            <Button
              variant="primary"
              size="l"
              icon="user"
              render={<Link to="/login" search={{ redirect: location.href }} />}
            >
              <Trans>Sign in</Trans>
            </Button>
          ) : (
            <Button variant="primary" size="l" render={<Link to="/products/$code" params={{ code: product.code }} />}>
              {price ? <Trans>See how to buy it</Trans> : <Trans>See how to get it</Trans>}
            </Button>
          )}
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
          {!member && !forMembers && (
            <Button variant="ghost" size="l" render={<Link to="/login" search={{ redirect: location.href }} />}>
              <Trans>I have bought it: sign in</Trans>
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
