import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { showToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'

/** Shares the page by the device's own means; where it has none, copies the address. */
export function ShareButton({ title }: { title: string }) {
  const share = async () => {
    const url = window.location.href
    try {
      if (navigator.share && matchMedia('(pointer: coarse)').matches) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      showToast({ severity: 'success', summary: msg`The link was copied.` })
    } catch (error) {
      // Closing the device's sheet is no failure.
      if (error instanceof DOMException && error.name === 'AbortError') return
      showToast({ severity: 'error', summary: msg`The link could not be copied.`, detail: url })
    }
  }
  return (
    <Button variant="ghost" icon="share" onClick={share}>
      <Trans>Share</Trans>
    </Button>
  )
}
