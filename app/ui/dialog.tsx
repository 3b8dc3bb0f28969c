import { Dialog as ArkDialog } from '@ark-ui/react/dialog'
import { Portal } from '@ark-ui/react/portal'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './button'
import styles from './dialog.module.css'
import { classNames } from './element'

export interface DialogProps {
  open: boolean
  /** The person wants it gone: by its button, Escape, or a press outside. */
  onClose: () => void
  /** After the closing motion, when nothing of it is left. */
  onGone?: (() => void) | undefined
  title: ReactNode
  description?: ReactNode
  closeLabel: string
  /** 440 or 720 px. */
  size?: 'narrow' | 'wide' | undefined
  /** Buttons, the confirming one last. */
  footer?: ReactNode
  /** The body runs to the edges, as a picture or a player does. */
  flush?: boolean | undefined
  /** Must be answered: a press outside does not close it. */
  alert?: boolean | undefined
  initialFocus?: RefObject<HTMLElement | null> | undefined
  children?: ReactNode
}

/** A modal dialog. One a page: it costs the server nothing only while it is not mounted. */
export function Dialog(props: DialogProps) {
  const { open, onClose, onGone, title, description, closeLabel, size = 'narrow', footer, flush, alert } = props
  const { initialFocus } = props
  return (
    <ArkDialog.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      onExitComplete={onGone}
      role={alert ? 'alertdialog' : 'dialog'}
      closeOnInteractOutside={!alert}
      // Only the person closes it: a focus that something beneath it takes is no wish.
      onFocusOutside={(event) => event.preventDefault()}
      initialFocusEl={initialFocus && (() => initialFocus.current)}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <ArkDialog.Backdrop className={styles.backdrop} />
        <ArkDialog.Positioner className={styles.positioner}>
          <ArkDialog.Content className={classNames(styles.content, styles[size])}>
            <header className={styles.head}>
              <div className={styles.titles}>
                <ArkDialog.Title className={styles.title}>{title}</ArkDialog.Title>
                {description && (
                  <ArkDialog.Description className={styles.description}>{description}</ArkDialog.Description>
                )}
              </div>
              <ArkDialog.CloseTrigger asChild>
                <IconButton icon="close" label={closeLabel} className={styles.close} />
              </ArkDialog.CloseTrigger>
            </header>
            {props.children && <div className={classNames(styles.body, flush && styles.flush)}>{props.children}</div>}
            {footer && <footer className={styles.footer}>{footer}</footer>}
          </ArkDialog.Content>
        </ArkDialog.Positioner>
      </Portal>
    </ArkDialog.Root>
  )
}
