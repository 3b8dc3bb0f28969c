import type { FormEvent, ReactNode } from 'react'
import type { CardId } from '#contract/ids.ts'

interface Props {
  attempt: string
  /** The card that the new one takes the place of. */
  replaces?: CardId | undefined
  onRegister: () => void
  /** The button. */
  children: ReactNode
}

/** Leads to the provider's page for a card. A real form: it works without script. */
export function RegisterForm({ attempt, replaces, onRegister, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRegister()
  }
  return (
    <form method="post" action="/mypages/cards" onSubmit={submit}>
      <input type="hidden" name="intent" value="register" />
      <input type="hidden" name="attempt" value={attempt} />
      {replaces && <input type="hidden" name="replaces" value={replaces} />}
      {children}
    </form>
  )
}
