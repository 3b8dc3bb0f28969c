import type { ReactNode } from 'react'
import { MessagePage } from './message-page'

/** What a closed store says instead of every page. */
export function ClosedStore({ title, text }: { title: ReactNode; text: ReactNode }) {
  return (
    <MessagePage title={title}>
      <p>{text}</p>
    </MessagePage>
  )
}
