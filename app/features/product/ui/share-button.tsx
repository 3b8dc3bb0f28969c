import { Trans } from '@lingui/react/macro'
import { shareLink } from '~/platform/share-link'
import { Button } from '~/ui/button'

/** Shares the page. */
export function ShareButton({ title }: { title: string }) {
  return (
    <Button variant="ghost" icon="share" onClick={() => shareLink(title, window.location.href)}>
      <Trans>Share</Trans>
    </Button>
  )
}
