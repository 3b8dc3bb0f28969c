import { Dialog } from '@ark-ui/react/dialog'
import { Portal } from '@ark-ui/react/portal'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './drawer.module.css'
import { IconButton } from './icon-button'

export interface DrawerProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  closeLabel: string
  /** The edge it comes from. */
  side?: 'start' | 'end' | 'bottom' | undefined
  footer?: ReactNode
  children: ReactNode
}

/** A panel from the edge: the menu or the filters on a phone, the cart anywhere. */
export function Drawer({ open, onClose, title, closeLabel, side = 'end', footer, children }: DrawerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(details) => !details.open && onClose()} lazyMount unmountOnExit>
      <Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Positioner className={styles.positioner}>
          <Dialog.Content className={classNames(styles.content, styles[side])}>
            <header className={styles.head}>
              <Dialog.Title className={styles.title}>{title}</Dialog.Title>
              <Dialog.CloseTrigger asChild>
                <IconButton icon="close" label={closeLabel} />
              </Dialog.CloseTrigger>
            </header>
            <div className={styles.body}>{children}</div>
            {footer && <footer className={styles.footer}>{footer}</footer>}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
