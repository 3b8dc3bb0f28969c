import { Dialog as ArkDialog } from '@ark-ui/react/dialog'
import { Portal } from '@ark-ui/react/portal'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './button'
import styles from './dialog.module.css'
import { classNames } from './element'

export interface DialogProps {
  open: boolean
  /** Called for the close button, Escape, or a press outside. */
  onClose: () => void
  /** Called after the closing animation. */
  onExitComplete?: (() => void) | undefined
  title: ReactNode
  description?: ReactNode
  closeLabel: string
  /** 440 or 720 px. */
  size?: 'narrow' | 'wide' | undefined
  /** Buttons. The confirming one comes last. */
  footer?: ReactNode
  /** Without padding, for a picture or a player. */
  flush?: boolean | undefined
  /** Requires an answer: a press outside does not close it. */
  alert?: boolean | undefined
  initialFocus?: RefObject<HTMLElement | null> | undefined
  children?: ReactNode
}

/** A modal dialog. Mount it only when needed: it costs server rendering time. */
export function Dialog(props: DialogProps) {
  const { open, onClose, onExitComplete, title, description, closeLabel, size = 'narrow', footer, flush, alert } = props
  const { initialFocus } = props
  return (
    <ArkDialog.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      onExitComplete={onExitComplete}
      role={alert ? 'alertdialog' : 'dialog'}
      closeOnInteractOutside={!alert}
      // Focus that moves to an element below must not close it.
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
