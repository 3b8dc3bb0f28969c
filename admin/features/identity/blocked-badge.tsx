import { Trans } from '@lingui/react/macro'
import { Badge } from '~/ui/chip'

/** Beside a member who cannot sign in. */
export const BlockedBadge = () => (
  <Badge tone="danger">
    <Trans>Blocked</Trans>
  </Badge>
)
