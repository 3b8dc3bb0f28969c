import { msg } from '@lingui/core/macro'
import { showToast } from '~/platform/toasts/toasts'

/** Opens the device's share sheet, or copies the link and shows a toast. */
export async function shareLink(title: string, url: string): Promise<void> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    showToast({ severity: 'success', summary: msg`Link copied.` })
  } catch (error) {
    // Closing the share sheet is not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    showToast({ severity: 'error', summary: msg`Couldn’t copy the link.`, detail: url })
  }
}
