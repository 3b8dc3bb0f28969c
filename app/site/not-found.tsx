import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'

export function NotFound() {
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <h1>
      <Trans>Page not found: {path}</Trans>
    </h1>
  )
}
