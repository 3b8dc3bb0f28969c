import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { type ConsoleApi, useApi } from '../../platform/client'
import { type Failure, PasskeyNotUsed } from '../../platform/failure'
import { useSignIn } from '../../platform/session'
import { Refusal } from '../../ui/form'

type Library = typeof import('@simplewebauthn/browser')

/** Asks the browser for a passkey. Its dialog must follow a press within a few seconds. */
const askBrowser = async <Credential,>(ask: (library: Library) => Promise<Credential>): Promise<Credential> => {
  const library = await import('@simplewebauthn/browser')
  try {
    return await ask(library)
  } catch (error) {
    throw new PasskeyNotUsed('The browser gave no passkey', { cause: error })
  }
}

/** Whether the browser knows passkeys. Only pages with a secure origin have them. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

/** Asks for a passkey of this host. Throws `PasskeyNotUsed` if the person gives none. */
export const askForPasskey = async (api: ConsoleApi) => {
  const optionsJSON = await api.staff.passkeyChallenge()
  return { credential: await askBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON })) }
}

/** Makes a passkey of this host and adds it to the account. Returns recovery codes, if any. */
export const addPasskey = async (api: ConsoleApi, { name, password }: { name: string; password: string }) => {
  const optionsJSON = await api.staff.startPasskey({ password })
  const credential = await askBrowser(({ startRegistration }) => startRegistration({ optionsJSON }))
  return api.staff.addPasskey({ name, credential })
}

/** Why a passkey was refused. */
export function PasskeyRefusal({ failure }: { failure: Failure | undefined }) {
  if (failure?.fields.credential)
    return (
      <Notice tone="danger" urgent>
        <Trans>This passkey does not work here. Try again, or use your password.</Trans>
      </Notice>
    )
  return <Refusal failure={failure} />
}

/** Signs in with a passkey, or says why it was refused. `onPress` hides an earlier refusal. */
export function PasskeySignIn({ onPress }: { onPress: () => void }) {
  const api = useApi()
  const signIn = useSignIn(async () => api.staff.signInWithPasskey(await askForPasskey(api)))
  return (
    <>
      <PasskeyRefusal failure={signIn.failure} />
      <PasskeyButton write={signIn} onPress={onPress}>
        <Trans>Sign in with a passkey</Trans>
      </PasskeyButton>
    </>
  )
}

interface PasskeyButtonProps {
  /** The write that asks for the passkey. */
  write: { isPending: boolean; send: (input: undefined) => void }
  /** Runs before: hides what an earlier try has left. */
  onPress: () => void
  children: ReactNode
}

/** Asks for a passkey; nothing in a browser without them. */
export function PasskeyButton({ write, onPress, children }: PasskeyButtonProps) {
  if (!hasPasskeys()) return null
  return (
    <Button
      full
      loading={write.isPending}
      onClick={() => {
        onPress()
        write.send(undefined)
      }}
    >
      {children}
    </Button>
  )
}
