import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Preview } from '#contract/playback.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import { langOf } from '~/platform/i18n/locales'
import { Button } from '~/ui/button'
import styles from './preview-page.module.css'

/** A product's preview in the browser's player, for visitors without JavaScript. */
export function PreviewPage({ product, preview }: { product: ProductDetail; preview: Preview }) {
  const { code, title, poster } = product
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>
        <bdi lang={langOf(product, 'title')}>{title}</bdi>
      </h1>
      {/* biome-ignore lint/a11y/useMediaCaption: the preview's captions are listed below */}
      <video className={styles.video} controls playsInline preload="metadata" poster={poster.url}>
        <source src={preview.manifestUrl} type="application/vnd.apple.mpegurl" />
        {preview.captions.map(({ language, label, url }) => (
          <track key={language} kind="captions" srcLang={language} label={label} src={url} />
        ))}
        <Trans>This browser can’t play the preview without JavaScript.</Trans>
      </video>
      <p className={styles.note}>
        <Trans>If the preview doesn’t start, turn on JavaScript and open the product page.</Trans>
      </p>
      <Button variant="primary" render={<Link to="/products/$code" params={{ code }} />}>
        <Trans>See options and prices</Trans>
      </Button>
    </div>
  )
}
