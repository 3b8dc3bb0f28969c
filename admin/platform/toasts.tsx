import { createToaster } from '@ark-ui/react/toast'
import { useLingui } from '@lingui/react/macro'
import { ToastArea } from '~/ui/toast-area'

/** On a phone, notifications at the bottom would cover the buttons of dialogs. */
const isNarrow = window.matchMedia('(max-width: 40rem)').matches

const toaster = createToaster({ placement: isNarrow ? 'top' : 'bottom-end', overlap: false, gap: 8 })

/** Notifications that are shown at once. */
const shownAtOnce = 3

/** Shows a notification. The oldest one makes room where too many are shown. */
export const showToast = (type: 'success' | 'warning' | 'error', title: string): void => {
  const shown = toaster.getVisibleToasts()
  for (const { id } of shown.slice(shownAtOnce - 1)) toaster.dismiss(id)
  toaster.create({ type, title })
}

export function Toasts() {
  const { t } = useLingui()
  return <ToastArea toaster={toaster} closeLabel={t`Close`} label={t`Notifications`} />
}
