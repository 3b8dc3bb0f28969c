import { type CreateToasterReturn, Toast, Toaster } from '@ark-ui/react/toast'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { Icon } from './icon'
import { IconButton } from './icon-button'
import type { IconName } from './icon-shapes'
import styles from './toast-area.module.css'

export type ToastTone = 'success' | 'info' | 'warn' | 'error'

const marks = { success: 'success', info: 'info', warn: 'warning', error: 'error' } as const satisfies Record<
  ToastTone,
  IconName
>

export interface ToastAreaProps {
  /** Made with Ark's `createToaster({ placement: 'top-end', overlap: false, gap: 8 })`; its toasts' `type` is a ToastTone. */
  toaster: CreateToasterReturn
  closeLabel: string
}

/** Where toasts appear: 25rem, in the upper corner. Mount it in the browser only, for it places itself by inline style. */
export function ToastArea({ toaster, closeLabel }: ToastAreaProps) {
  return (
    <Toaster toaster={toaster} className={styles.area}>
      {(toast) => (
        <Toast.Root className={classNames(styles.toast, styles[toneOf(toast.type)])}>
          <span className={styles.mark}>
            <Icon name={marks[toneOf(toast.type)]} size="m" />
          </span>
          <div className={styles.text}>
            <Toast.Title className={styles.summary}>{toast.title as ReactNode}</Toast.Title>
            {toast.description && (
              <Toast.Description className={styles.detail}>{toast.description as ReactNode}</Toast.Description>
            )}
            {toast.action && <Toast.ActionTrigger className={styles.action}>{toast.action.label}</Toast.ActionTrigger>}
          </div>
          {toast.closable !== false && (
            <Toast.CloseTrigger asChild>
              <IconButton icon="close" label={closeLabel} size="s" className={styles.close} />
            </Toast.CloseTrigger>
          )}
        </Toast.Root>
      )}
    </Toaster>
  )
}

function toneOf(type: string | undefined): ToastTone {
  return type !== undefined && type in marks ? (type as ToastTone) : 'info'
}
