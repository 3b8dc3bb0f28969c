import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { CustomerCode } from '#contract/ids.ts'
import { EmptyState } from '~/ui/empty-state'
import { EmailChanged, PasswordReset, SecondFactor, SignIn } from '../features/staff/sign-in'
import { consoleStore, findStore, StoreContext, useApi } from '../platform/client'
import { i18n, type Language, preferredLanguage, rememberAccountLanguage, switchLanguage } from '../platform/i18n'
import { leftKey, meQuery } from '../platform/session'
import { settingsQuery } from '../platform/settings'
import { Failed, Loading } from '../ui/states'
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
  if (store.isError)
    return (
      <Centered>
        <Failed headingLevel="h1" error={store.error} onRetry={() => void store.refetch()} />
      </Centered>
    )
  if (store.data === undefined)
    return (
      <Centered>
        <Loading />
      </Centered>
    )
  if (store.data === null)
    return (
      <Centered>
        <EmptyState icon="info" headingLevel="h1" title={<Trans>There is no store at this address</Trans>}>
          <Trans>Open the console at the address of your store, followed by /admin.</Trans>
        </EmptyState>
      </Centered>
    )
  return <SignedIn store={store.data}>{children}</SignedIn>
}

function SignedIn({ store, children }: { store: CustomerCode; children: ReactNode }) {
  const value = useMemo(() => consoleStore(store), [store])
  return (
    <StoreContext value={value}>
      <Gate store={store}>{children}</Gate>
    </StoreContext>
  )
}

/** Shows the pages to signed-in staff. Others sign in or enter their second factor first. */
function Gate({ store, children }: { store: CustomerCode; children: ReactNode }) {
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
  const [link, setLink] = useState(openedLinkKey)
  useEffect(() => {
    const change = new AbortController()
    // A link that is followed while the console is open.
    window.addEventListener('hashchange', () => setLink((before) => takeLinkKey() ?? before), change)
    return () => change.abort()
  }, [])
  const endLink = () => {
    setLink(null)
    void me.refetch()
  }
  useEffect(() => {
    if (!me.data) document.title = t`Sign in · ${name}`
  }, [me.data, name, t])

  const failed = [settings, me].find(({ isError, data }) => isError && data === undefined)
  if (failed)
    return (
      <Centered>
        <Failed headingLevel="h1" error={failed.error} onRetry={() => void failed.refetch()} />
      </Centered>
    )
  if (!settings.data || me.data === undefined)
    return (
      <Centered>
        <Loading />
      </Centered>
    )
  if (link?.kind === 'reset') return <PasswordReset resetKey={link.key} onEnd={endLink} />
  if (link) return <EmailChanged emailKey={link.key} onEnd={endLink} />
  if (me.data === null) return <SignIn store={name} hasEnded={wasSignedIn && !hasLeft} />
  const { isSetUp, hasPasskey, isConfirmed } = me.data.secondFactor
  return (
    <InLanguage language={preferredLanguage(me.data.locale)}>
      {(isSetUp || hasPasskey) && !isConfirmed ? (
        <SecondFactor />
      ) : (
        <Suspense
          fallback={
            <Centered>
              <Loading />
            </Centered>
          }
        >
          {children}
        </Suspense>
      )}
    </InLanguage>
  )
}

/** Shows its children once they are in a language, or in the present one if it cannot be loaded. */
function InLanguage({ language, children }: { language: Language; children: ReactNode }) {
  const [isReady, setReady] = useState(() => i18n.locale === language)
  useEffect(() => {
    switchLanguage(language)
      .catch(() => {})
      .finally(() => setReady(true))
  }, [language])
  if (isReady) return children
  return (
    <Centered>
      <Loading />
    </Centered>
  )
}
