import type { ReactNode } from 'react'
import { Button } from './button'

/**
 * A link to the demo's mailbox, in a new tab, so that the page that waits for the mail stays open.
 */
export function MailboxLink({ href, label }: { href: string; label: ReactNode }) {
  return (
    <Button full iconEnd="external" render={<a href={href} target="_blank" rel="noreferrer" />}>
      {label}
    </Button>
  )
}
