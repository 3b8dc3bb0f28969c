import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './drop-menu.module.css'

interface DropMenuProps {
  /** What opens it, and its name for those who do not see it. */
  trigger: ReactNode
  label: string
  children: ReactNode
  className?: string | undefined
}

/**
 * A small panel below its trigger. It is a plain `<details>`, so it opens without script; with it, Escape, a press
 * elsewhere, leaving by Tab and every navigation close it.
 */
export function DropMenu({ trigger, label, children, className }: DropMenuProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const router = useRouter()

  useEffect(() => {
    const details = element.current
    if (!details) return
    const close = () => {
      details.open = false
    }
    const onPress = (event: Event) => {
      if (details.open && !details.contains(event.target as Node)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !details.open) return
      close()
      details.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('focusin', onPress)
    document.addEventListener('keydown', onKey)
    const stopRouting = router.subscribe('onBeforeNavigate', close)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('focusin', onPress)
      document.removeEventListener('keydown', onKey)
      stopRouting()
    }
  }, [router])

  return (
    <details ref={element} className={className ? `${styles.menu} ${className}` : styles.menu}>
      <summary className={styles.trigger} aria-label={label}>
        {trigger}
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  )
}
