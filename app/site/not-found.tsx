import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { cleanText, repairPath } from '~/platform/navigation/address'
import { Button } from '~/ui/button'
import { MessagePage } from './message-page'

/** A path that leads nowhere. The page around it stays whole. */
export function NotFound() {
  const path = useLocation({ select: ({ pathname }) => decodedPath(pathname) })
  return (
    <MessagePage
      mark="404"
      title={
        <Trans>
          Page not found: <bdi dir="ltr">{path}</bdi>
        </Trans>
      }
      actions={
        <>
          <Button variant="primary" size="l" render={<Link to="/" />}>
            <Trans>Go to home page</Trans>
          </Button>
          <Button size="l" render={<Link to="/products" />}>
            <Trans>See all products</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Check the address, or the page may have moved.</Trans>
      </p>
    </MessagePage>
  )
}

/** Of a path on the screen, in characters. */
const longestPath = 200

function decodedPath(pathname: string): string {
  const path = cleanText(decodeURI(repairPath(pathname)), 10_000)
  return path.length > longestPath ? `${cleanText(path, longestPath)}…` : path
}
