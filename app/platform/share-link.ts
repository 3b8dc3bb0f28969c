import { msg } from '@lingui/core/macro'
import { showToast } from '~/platform/toasts/toasts'

/** Shares an address by the device's own means; where it has none, copies it and says so. */
export async function shareLink(title: string, url: string): Promise<void> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    showToast({ severity: 'success', summary: msg`Link copied.` })
  } catch (error) {
    // Closing the device's sheet is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    showToast({ severity: 'error', summary: msg`Couldn’t copy the link.`, detail: url })
  }
}
