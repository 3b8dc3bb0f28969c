import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cleanText, repairPath } from '~/platform/address'
import { Button } from '~/ui/button'
import styles from './message-page.module.css'

interface MessagePageProps {
  /** A status code or another short text above the title. */
  mark?: ReactNode
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Small text, for example the request id. */
  note?: ReactNode
}

/** A page with one message: not found, failed or closed. */
export function MessagePage({ mark, title, children, actions, note }: MessagePageProps) {
  return (
    <div className={styles.page}>
      {mark && <p className={styles.mark}>{mark}</p>}
      <h1 className={styles.title}>{title}</h1>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}

/** The only page of a closed store. */
export function ClosedStore({ title, text }: { title: ReactNode; text: ReactNode }) {
  return (
    <MessagePage title={title}>
      <p>{text}</p>
    </MessagePage>
  )
}

/** The page for an unknown path, inside the normal layout. */
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
        <Trans>Check the address. The page may have moved.</Trans>
      </p>
    </MessagePage>
  )
}

/** The maximum length of a displayed path, in characters. */
const longestPath = 200

function decodedPath(pathname: string): string {
  const path = cleanText(decodeURI(repairPath(pathname)), 10_000)
  return path.length > longestPath ? `${cleanText(path, longestPath)}…` : path
}
