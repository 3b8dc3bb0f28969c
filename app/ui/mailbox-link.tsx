import type { ReactNode } from 'react'
import { Button } from './button'

/** Where mail arrives that never leaves this machine. In a tab of its own: what waits for the mail stays open. */
export function MailboxLink({ href, label }: { href: string; label: ReactNode }) {
  return (
    <Button full iconEnd="external" render={<a href={href} target="_blank" rel="noreferrer" />}>
      {label}
    </Button>
  )
}
