import type { FormEvent, ReactNode } from 'react'

interface Props {
  intent: 'cancel' | 'resume' | 'retry' | 'change'
  /** Further fields. */
  fields?: Record<string, string | undefined>
  onSend: (form: FormData) => void
  className?: string | undefined
  children: ReactNode
}

/** One thing done with the subscription. A real form: it works without script. */
export function IntentForm({ intent, fields = {}, onSend, className, children }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSend(new FormData(event.currentTarget))
  }
  return (
    <form method="post" action="/mypages/subscription" className={className} onSubmit={submit} noValidate>
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(fields).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}
