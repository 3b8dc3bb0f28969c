import { createToaster } from '@ark-ui/react/toast'
import { useLingui } from '@lingui/react/macro'
import { ToastArea } from '~/ui/toast-area'

export const toaster = createToaster({ placement: 'bottom-end', overlap: false, gap: 8 })

export function Toasts() {
  const { t } = useLingui()
  return <ToastArea toaster={toaster} closeLabel={t`Close`} label={t`Notifications`} />
}
