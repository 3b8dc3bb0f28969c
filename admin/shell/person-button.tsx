import type { ComponentProps, RefObject } from 'react'
import { Avatar } from '~/ui/avatar'
import { Button } from '~/ui/button'
import { useMe } from '../platform/session'
import styles from './shell.module.css'

/** Opens the menu of the signed-in person. */
export function PersonButton(props: Omit<ComponentProps<typeof Button>, 'children' | 'className' | 'variant'>) {
  const { name } = useMe()
  return (
    <Button {...props} variant="ghost" className={styles.person}>
      <Avatar name={name} size="s" />
      <span className={styles.personName}>{name}</span>
    </Button>
  )
}

/** What was done with the button before its menu was there. */
export interface EarlyUse {
  hasFocus: boolean
  isPressed: boolean
}

/** The button before its menu is loaded. The menu takes its place, its focus and its press. */
export function EarlyPersonButton({ early }: { early: RefObject<EarlyUse> }) {
  const note = (use: Partial<EarlyUse>) => () => void Object.assign(early.current, use)
  return (
    <PersonButton
      aria-haspopup="menu"
      aria-expanded={false}
      onFocus={note({ hasFocus: true })}
      onBlur={note({ hasFocus: false })}
      // The menu may come between this and the release.
      onPointerDown={note({ isPressed: true })}
      onPointerCancel={note({ isPressed: false })}
      onClick={note({ isPressed: true })}
      onKeyDown={({ key }) => key.startsWith('Arrow') && note({ isPressed: true })()}
    />
  )
}
