import { type CreateToasterReturn, Toast, Toaster } from '@ark-ui/react/toast'
import { IconButton } from './button'
import { classNames } from './element'
import type { IconName } from './icon'
import { Icon } from './icon'
import styles from './toast-area.module.css'

export type ToastSeverity = 'success' | 'info' | 'warn' | 'error'

/** Ark's toast type for each severity. Ark fails on unknown types. */
export const toastTypes = {
  success: 'success',
  info: 'info',
  warn: 'warning',
  error: 'error',
} as const satisfies Record<ToastSeverity, string>

type ToastType = (typeof toastTypes)[ToastSeverity]

const icons = { success: 'success', info: 'info', warning: 'warning', error: 'error' } as const satisfies Record<
  ToastType,
  IconName
>

export interface ToastAreaProps {
  /**
   * Made with Ark's `createToaster({ placement: 'top-end', overlap: false, gap: 8 })`; its toasts'
   * `type` is one of `toastTypes`.
   */
  toaster: CreateToasterReturn
  closeLabel: string
  /** The accessible name. */
  label: string
  /** The next toast is not announced, because the page announces the same. */
  silent?: boolean | undefined
}

/**
 * The toast region in the upper corner. Mount it in the browser only: it positions itself by inline
 * style.
 */
export function ToastArea({ toaster, closeLabel, label, silent }: ToastAreaProps) {
  return (
    <Toaster
      toaster={toaster}
      className={styles.area}
      style={{ zIndex: 'var(--z-toast)' }}
      aria-label={label}
      aria-live={silent ? 'off' : 'polite'}
    >
      {(toast) => (
        // The region announces new toasts; a live region per toast would announce them twice.
        <Toast.Root role="group" className={classNames(styles.toast, styles[typeOf(toast.type)])}>
          <span className={styles.mark}>
            <Icon name={icons[typeOf(toast.type)]} size="m" />
          </span>
          <div className={styles.text}>
            <Toast.Title className={styles.summary}>{toast.title}</Toast.Title>
            {toast.description && <Toast.Description className={styles.detail}>{toast.description}</Toast.Description>}
            {typeof toast.meta?.code === 'string' && <code className={styles.code}>{toast.meta.code}</code>}
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

const isToastType = (type: string): type is ToastType => type in icons

function typeOf(type: string | undefined): ToastType {
  return type !== undefined && isToastType(type) ? type : 'info'
}
