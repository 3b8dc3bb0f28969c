import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Menu, MenuItem } from '~/ui/menu'
import { useApi, useStoreCode } from '../platform/client'
import { countDrafts } from '../platform/drafts'
import { failureOf } from '../platform/failure'
import { chooseLanguage, type Language, languages } from '../platform/i18n'
import { lazyPart } from '../platform/lazy-part'
import { notify } from '../platform/notifications'
import { chooseTheme, preferredTheme, type Theme } from '../platform/preferences'
import { useMe, useSignOut } from '../platform/session'
import { hasUnsaved } from '../platform/unsaved'
import { ownStoresQuery } from './own-stores'
import { type EarlyUse, PersonButton } from './person-button'

// Loaded when somebody signs out with unsaved changes.
const LeaveDialog = lazyPart(async () => ({ default: (await import('../ui/unsaved-changes')).LeaveDialog }))
const SignOutDialog = lazyPart(async () => ({ default: (await import('./sign-out-dialog')).SignOutDialog }))

/** The consoles of the other stores of the person. They are loaded when the menu opens. */
function OtherStores() {
  const { t } = useLingui()
  const { data } = useQuery(ownStoresQuery(useApi()))
  return (data?.items ?? [])
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ code, name, url }) => (
      <MenuItem key={code} value={`store ${code}`} icon="external" render={<a href={url} />}>
        {t`Switch to ${name}`}
      </MenuItem>
    ))
}

/** Account, theme, language and sign-out of the signed-in person. */
export function PersonMenu({ early }: { early: RefObject<EarlyUse> }) {
  const { t, i18n } = useLingui()
  const { id, email } = useMe()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { hasFocus, isPressed } = early.current
    early.current = { hasFocus: false, isPressed: false }
    if (hasFocus || isPressed) button.current?.focus()
    if (isPressed) button.current?.click()
  }, [early])
  const api = useApi()
  const queryClient = useQueryClient()
  const signOut = useSignOut()
  const owner = { store: useStoreCode(), person: id }
  /** How many drafts there are when the person signs out; 0 before. */
  const [drafts, setDrafts] = useState(0)
  /** Whether something is asked about that no browser may keep, such as a secret. */
  const [isLosing, setLosing] = useState(false)
  const leave = () => {
    const count = countDrafts(owner)
    setDrafts(count)
    if (count > 0) return
    if (hasUnsaved()) setLosing(true)
    else signOut.mutate()
  }
  const [theme, setTheme] = useState(preferredTheme)
  const themeNames = { system: t`Theme of the device`, light: t`Light theme`, dark: t`Dark theme` } as const
  const themeIcons = { system: 'settings', light: 'sun', dark: 'moon' } as const
  const changeTheme = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  const changeLanguage = async (language: Language) => {
    try {
      await chooseLanguage(language)
    } catch (error) {
      notify('error', failureOf(error))
      return
    }
    // The API's texts change their language too.
    await queryClient.invalidateQueries()
    // The language of later emails. The console has changed already, even if this fails.
    await api.staff.changeProfile({ locale: language }).catch(() => {})
  }
  return (
    <>
      <Menu trigger={<PersonButton ref={button} />}>
        <MenuItem value="account" icon="user" render={<Link to="/account" />}>
          {email}
        </MenuItem>
        {(['system', 'light', 'dark'] as const).map((option) => (
          <MenuItem
            key={option}
            value={option}
            icon={themeIcons[option]}
            checked={theme === option}
            onSelect={() => changeTheme(option)}
          >
            {themeNames[option]}
          </MenuItem>
        ))}
        {(['en', 'ko'] as const).map((language) => (
          <MenuItem
            key={language}
            value={language}
            icon="globe"
            lang={language}
            checked={i18n.locale === language}
            onSelect={() => void changeLanguage(language)}
          >
            {languages[language]}
          </MenuItem>
        ))}
        <MenuItem value="sign-out" icon="logout" onSelect={leave}>
          <Trans>Sign out</Trans>
        </MenuItem>
        {/* The last ones, so that nothing moves below a pointer when they are there. */}
        <OtherStores />
      </Menu>
      {isLosing && (
        <LeaveDialog
          title={t`Sign out without saving?`}
          text={t`What you have typed on this page is lost.`}
          onLeave={() => signOut.mutate()}
          onStay={() => setLosing(false)}
        />
      )}
      {drafts > 0 && (
        <SignOutDialog owner={owner} count={drafts} onSignOut={() => signOut.mutate()} onClose={() => setDrafts(0)} />
      )}
    </>
  )
}
