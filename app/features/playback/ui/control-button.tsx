import type { ComponentPropsWithRef } from 'react'
import { classNames } from '~/ui/class-names'
import { Icon } from '~/ui/icon'
import type { IconName } from '~/ui/icon-shapes'
import styles from './control-button.module.css'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  label: string
  /** The key that does the same, for the tooltip and for assistive technology. */
  keys?: string
  /** Words beside the icon. */
  text?: string | undefined
  /** Of the words, where it is not the page's. */
  textLang?: string | undefined
}

/** One control of the player's bar. The tooltip is its name and its key. */
export function ControlButton({ icon, label, keys, text, textLang, ...rest }: Props) {
  return (
    <button
      type="button"
      className={classNames(styles.button, text && styles.wide)}
      aria-label={text ? `${label}: ${text}` : label}
      aria-keyshortcuts={keys}
      {...rest}
    >
      <Icon name={icon} size="l" />
      {text && (
        <span className={styles.text} dir="auto" lang={textLang}>
          {text}
        </span>
      )}
      <span className={styles.tooltip} aria-hidden>
        {label}
        {keys && <kbd className={styles.key}>{keys}</kbd>}
      </span>
    </button>
  )
}
