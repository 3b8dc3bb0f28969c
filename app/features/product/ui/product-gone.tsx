import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'

/** A product whose sale has ended. */
export function ProductGone() {
  const { t } = useLingui()
  return (
    <EmptyState
      icon="film"
      headingLevel="h1"
      title={<Trans>This title is no longer available</Trans>}
      actions={<Button variant="primary" render={<Link to="/products" />}>{t`See all products`}</Button>}
    >
      <Trans>This title is no longer sold. If you bought it, sign in to find it under Purchases.</Trans>
    </EmptyState>
  )
}
