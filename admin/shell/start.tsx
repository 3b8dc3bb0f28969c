import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { CustomerCode } from '#contract/ids.ts'
import type { CurrentStaff } from '#contract/staff.ts'
import { EmptyState } from '~/ui/empty-state'
import { EmailChanged, PasswordReset, SecondFactor, SignIn } from '../features/staff/sign-in'
import { consoleStore, findStore, StoreContext, useApi } from '../platform/client'
import { type FrameMemory, readFrameMemory, writeFrameMemory } from '../platform/frame-memory'
import { i18n, type Language, preferredLanguage, rememberAccountLanguage, switchLanguage } from '../platform/i18n'
import { leftKey, meQuery } from '../platform/session'
import { settingsQuery } from '../platform/settings'
import { Starting, takeEarlyPalette } from './early-frame'
import styles from './shell.module.css'

/** What a mail's link asks for: a new password, or the confirmation of a new address. */
interface LinkKey {
  kind: 'reset' | 'email'
  key: string
}

/** Returns the key of a mail's link, and removes it from the address. */
const takeLinkKey = (): LinkKey | null => {
  const hash = new URLSearchParams(location.hash.slice(1))
  const kind = hash.has('email') ? 'email' : 'reset'
  const key = hash.get(kind)
  if (key === null) return null
  history.replaceState(null, '', location.pathname)
  return { kind, key }
}
const openedLinkKey = takeLinkKey()

const Centered = ({ children }: { children: ReactNode }) => <main className={styles.centered}>{children}</main>

export const storeQuery = queryOptions({
  queryKey: ['store'],
  queryFn: findStore,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Finds the store of the host. */
export function Start({ children }: { children: ReactNode }) {
  const store = useQuery(storeQuery)
  const [remembered] = useState(readFrameMemory)
  if (store.data === undefined)
    return <Starting name={remembered?.store ?? ''} permissions={remembered?.permissions ?? null} queries={[store]} />
  if (store.data === null)
    return (
      <Centered>
        <EmptyState icon="info" headingLevel="h1" title={<Trans>There is no store at this address</Trans>}>
          <Trans>Open the console at the address of your store, followed by /admin.</Trans>
        </EmptyState>
      </Centered>
    )
  return (
    <SignedIn store={store.data} remembered={remembered}>
      {children}
    </SignedIn>
  )
}

interface GateProps {
  store: CustomerCode
  /** What the browser kept of the last session when the console was opened. */
  remembered: FrameMemory | null
  children: ReactNode
}

function SignedIn(props: GateProps) {
  const { store } = props
  const value = useMemo(() => consoleStore(store), [store])
  return (
    <StoreContext value={value}>
      <Gate {...props} />
    </StoreContext>
  )
}

/** The link of a mail that was opened, also while the console is open. */
const useLinkKey = () => {
  const [link, setLink] = useState(openedLinkKey)
  useEffect(() => {
    const change = new AbortController()
    window.addEventListener('hashchange', () => setLink((before) => takeLinkKey() ?? before), change)
    return () => change.abort()
  }, [])
  return [link, setLink] as const
}

/** Keeps for the next visit what the frame shows, and whether the session has ended by then. */
const useFrameMemory = (store: string | undefined, me: CurrentStaff | null | undefined, hasLeft: boolean) => {
  useEffect(() => {
    if (store === undefined || me === undefined) return
    if (me) writeFrameMemory({ store, permissions: me.permissions })
    else if (hasLeft || !readFrameMemory()) writeFrameMemory(null)
    else writeFrameMemory({ store, permissions: null })
  }, [store, me, hasLeft])
}

/** Shows the pages to signed-in staff. Others sign in or enter their second factor first. */
function Gate({ store, remembered, children }: GateProps) {
  const { t } = useLingui()
  const api = useApi()
  const settings = useQuery(settingsQuery(api))
  const me = useQuery(meQuery(api))
  const locale = me.data?.locale
  const hasLeft = useQueryClient().getQueryData(leftKey) === true
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (me.data && !wasSignedIn) setWasSignedIn(true)
  useEffect(() => {
    if (locale !== undefined) rememberAccountLanguage(locale)
  }, [locale])
  const name = settings.data?.base.name ?? store
  useFrameMemory(settings.data && name, me.data, hasLeft)
  const [link, setLink] = useLinkKey()
  const endLink = () => {
    setLink(null)
    void me.refetch()
  }
  const isSignedOut = me.data === null
  useEffect(() => {
    if (!isSignedOut) return
    document.title = t`Sign in · ${name}`
    // The palette was wanted by whoever was signed in.
    takeEarlyPalette()
  }, [isSignedOut, name, t])

  const known = settings.data ? name : (remembered?.store ?? '')
  const frame = { name: known, permissions: me.data?.permissions ?? remembered?.permissions ?? null }
  if (!settings.data || me.data === undefined) return <Starting {...frame} queries={[settings, me]} />
  if (link?.kind === 'reset') return <PasswordReset resetKey={link.key} onEnd={endLink} />
  if (link) return <EmailChanged emailKey={link.key} onEnd={endLink} />
  const lastSession = wasSignedIn ? 'here' : remembered && 'before'
  if (me.data === null) return <SignIn store={name} hasEnded={hasLeft ? null : lastSession} />
  const { isSetUp, hasPasskey, isConfirmed } = me.data.secondFactor
  return (
    <InLanguage language={preferredLanguage(me.data.locale)} frame={frame}>
      {(isSetUp || hasPasskey) && !isConfirmed ? (
        <SecondFactor />
      ) : (
        <Suspense fallback={<Starting {...frame} queries={[]} />}>{children}</Suspense>
      )}
    </InLanguage>
  )
}

interface InLanguageProps {
  language: Language
  frame: { name: string }
  children: ReactNode
}

/** Shows its children once they are in a language, or in the present one if it cannot be loaded. */
function InLanguage({ language, frame: { name }, children }: InLanguageProps) {
  const [isReady, setReady] = useState(() => i18n.locale === language)
  useEffect(() => {
    switchLanguage(language)
      .catch(() => {})
      .finally(() => setReady(true))
  }, [language])
  // The menu is shown in the language of the person.
  return isReady ? children : <Starting name={name} permissions={null} queries={[]} />
}
