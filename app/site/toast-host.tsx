import { createToaster } from '@ark-ui/react/toast'
import type { I18n, MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { useEffect } from 'react'
import { labels } from '~/platform/labels'
import { onToast, type Toast } from '~/platform/toasts/toasts'
import { ToastArea, toastTypes } from '~/ui/toast-area'

const toaster = createToaster({ placement: 'top-end', overlap: false, gap: 8, pauseOnPageIdle: true })

/** Puts the toasts that the platform announces into the toast area, in the page's language. */
export function ToastHost() {
  const { i18n } = useLingui()
  useEffect(() => onToast((toast) => toaster.create(dressed(toast, i18n))), [i18n])
  return <ToastArea toaster={toaster} closeLabel={i18n._(labels.close)} />
}

const words = (text: MessageDescriptor | string, i18n: I18n) => (typeof text === 'string' ? text : i18n._(text))

const dressed = ({ severity, summary, detail, life, closable, action }: Toast, i18n: I18n) => ({
  type: toastTypes[severity],
  title: words(summary, i18n),
  duration: life,
  closable,
  ...(detail ? { description: words(detail, i18n) } : {}),
  ...(action ? { action: { label: words(action.label, i18n), onClick: action.run } } : {}),
})
