import { useLingui } from '@lingui/react/macro'
import { shortcutList } from '../shortcuts'
import { PlayerSheet } from './player-sheet'
import styles from './shortcut-help.module.css'

/** Which keys do what, over the picture. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  return (
    <PlayerSheet title={t`Keyboard shortcuts`} onClose={onClose}>
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
    </PlayerSheet>
  )
}
