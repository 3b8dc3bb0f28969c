import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { IconButton } from '~/ui/icon-button'
import { shortcutList } from '../shortcuts'
import styles from './shortcut-help.module.css'

/** Which keys do what, over the picture. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div
      ref={panel}
      className={styles.panel}
      role="dialog"
      aria-labelledby="player-keys"
      tabIndex={-1}
      dir={i18n.locale === 'ar' ? 'rtl' : 'ltr'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 id="player-keys">
          <Trans>Keys of the player</Trans>
        </h2>
        <IconButton icon="close" label={t`Close`} onClick={onClose} />
      </div>
      <dl className={styles.list}>
        {shortcutList.map(({ keys, means }) => (
          <div key={keys.join()} className={styles.row}>
            <dt className={styles.keys} dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{i18n._(means)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
