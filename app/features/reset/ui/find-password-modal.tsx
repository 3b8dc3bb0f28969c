import { rememberedEmail } from '~/platform/forms/credentials'
import { AskForm } from './ask-form'

/** The e-mail comes along from the page that opened it. */
export function FindPasswordModal({ data }: { data: unknown }) {
  const { email = rememberedEmail.get() } = (data ?? {}) as { email?: string }
  return <AskForm email={email} attempt={null} />
}
