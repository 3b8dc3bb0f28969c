import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { laterAttribute } from '~/platform/hydration-boundary'
import { showToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from './share-button.module.css'

/** Opens the device's share sheet, or copies the link and shows a toast. */
export async function shareLink(title: string, url: string): Promise<void> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    showToast({ severity: 'success', summary: msg`Link copied.` })
  } catch (error) {
    // Closing the share sheet is not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    showToast({ severity: 'error', summary: msg`Couldn’t copy the link.`, detail: url })
  }
}

interface ShareButtonProps {
  title: string
  /** The full address of the page. */
  url: string
}

/** Shares the page with the device's share sheet. Without JavaScript it lists share targets. */
export function ShareButton({ title, url }: ShareButtonProps) {
  return (
    <>
      <Button
        variant="ghost"
        icon="share"
        className={styles.scripted}
        {...laterAttribute}
        onClick={() => shareLink(title, window.location.href)}
      >
        <Trans>Share</Trans>
      </Button>
      <noscript>
        <ShareTargets title={title} url={url} />
      </noscript>
    </>
  )
}

function ShareTargets({ title, url }: { title: string; url: string }) {
  const { t } = useLingui()
  const link = encodeURIComponent(url)
  const text = encodeURIComponent(title)
  const targets = [
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
        {targets.map(({ name, href }) => (
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
