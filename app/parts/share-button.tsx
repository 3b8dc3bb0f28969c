import { Trans, useLingui } from '@lingui/react/macro'
import { shareLink } from '~/platform/share-link'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from './share-button.module.css'

interface ShareButtonProps {
  title: string
  /** The full address of the page. */
  url: string
}

/** Shares the page by the device's own means. Without script it opens a list of ways to do so. */
export function ShareButton({ title, url }: ShareButtonProps) {
  return (
    <>
      <Button
        variant="ghost"
        icon="share"
        className={styles.scripted}
        onClick={() => shareLink(title, window.location.href)}
      >
        <Trans>Share</Trans>
      </Button>
      <noscript>
        <ShareWays title={title} url={url} />
      </noscript>
    </>
  )
}

function ShareWays({ title, url }: { title: string; url: string }) {
  const { t } = useLingui()
  const link = encodeURIComponent(url)
  const text = encodeURIComponent(title)
  const ways = [
    { name: t`Email`, href: `mailto:?subject=${text}&body=${link}` },
    { name: 'X', href: `https://x.com/intent/post?text=${text}&url=${link}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${link}` },
    { name: 'LINE', href: `https://social-plugins.line.me/lineit/share?url=${link}` },
  ]
  return (
    <details className={styles.ways}>
      <summary className={styles.summary}>
        <Icon name="share" size="m" />
        <Trans>Share</Trans>
      </summary>
      <label className={styles.link}>
        <span>
          <Trans>Copy this link</Trans>
        </span>
        <input readOnly value={url} dir="ltr" />
      </label>
      <ul className={styles.list}>
        {ways.map(({ name, href }) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
