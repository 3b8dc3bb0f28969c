import { Trans } from '@lingui/react/macro'
import { useFormat } from '~/platform/format/use-format'
import { Badge } from '~/ui/badge'
import type { Tile } from '../tiles'

const day = 24 * 60 * 60 * 1000
const newFor = 14 * day
const endingWithin = 7 * day

/** What is true of a product for the person looking at it; the most telling fact only, and nothing to say is said with nothing. */
export function ProductBadges({ product, covered }: { product: Tile; covered?: boolean | undefined }) {
  const format = useFormat()
  const { viewer } = product
  if (viewer?.entitled) {
    if (viewer.source === 'RENT') return <RentalBadge startBy={viewer.startBy} expiresAt={viewer.expiresAt} />
    if (viewer.source === 'PLAN' && !covered) {
      return (
        <Badge tone="accent" icon="check">
          <Trans>In your plan</Trans>
        </Badge>
      )
    }
    if (viewer.source === 'OWN' || viewer.source === 'GRANT') {
      return (
        <Badge tone="accent" icon="check">
          <Trans>Owned</Trans>
        </Badge>
      )
    }
  }
  const now = Date.now()
  if (product.saleTo && Date.parse(product.saleTo) - now < endingWithin) {
    return (
      <Badge tone="glass" icon="clock">
        <Trans>Available until {format.date(product.saleTo)}</Trans>
      </Badge>
    )
  }
  if (now - Date.parse(product.createdAt) < newFor) {
    return (
      <Badge tone="glass">
        <Trans>New</Trans>
      </Badge>
    )
  }
  return null
}

function RentalBadge({ startBy, expiresAt }: { startBy: string | null; expiresAt: string | null }) {
  const format = useFormat()
  if (!expiresAt && !startBy) return null
  return (
    <Badge tone="accent" icon="clock">
      {expiresAt ? (
        <Trans>Rented until {format.date(expiresAt)}</Trans>
      ) : (
        <Trans>Start by {format.date(startBy ?? '')}</Trans>
      )}
    </Badge>
  )
}
