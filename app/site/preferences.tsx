import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { writePreference } from '~/platform/cookies'
import { switchLocale } from '~/platform/i18n/i18n'
import { type Locale, localeNames, withPrefix } from '~/platform/i18n/locales'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import type { IconName } from '~/ui/icon'
import { Icon } from '~/ui/icon'
import styles from './preferences.module.css'

/**
 * The store's languages. Each is a link to this page in that language; with JavaScript the page is
 * not reloaded.
 */
export function LanguageList() {
  const { i18n } = useLingui()
  const router = useRouter()
  const { pathname, searchStr } = useLocation()
  const { locales } = useSiteSettings().base

  const choose = (event: MouseEvent, locale: Locale) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void switchLocale(locale, { i18n, state: router.options.context.localeState, router })
  }

  return (
    <ul className={styles.list}>
      {locales.map((locale) => (
        <li key={locale}>
          <a
            href={withPrefix(pathname, locale) + searchStr}
            hrefLang={locale}
            lang={locale}
            className={styles.choice}
            aria-current={i18n.locale === locale ? 'true' : undefined}
            onClick={(event) => choose(event, locale)}
          >
            {localeNames[locale]}
            {i18n.locale === locale && <Icon name="check" size="s" />}
          </a>
        </li>
      ))}
    </ul>
  )
}

type Surface = 'system' | 'light' | 'dark'

/** Light, dark, or the device's setting. Absent if the store has a fixed color scheme. */
export function SurfaceSwitch() {
  const { t } = useLingui()
  const router = useRouter()
  const { surface: pinned } = useSiteSettings().theme
  const { page } = router.options.context
  const [surface, setSurface] = useState<Surface>(
    page.surface === 'light' || page.surface === 'dark' ? page.surface : 'system',
  )
  if (pinned !== 'system') return null

  const choose = (next: Surface) => {
    setSurface(next)
    page.surface = next
    writePreference('surface', next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  const choices: { value: Surface; name: string; icon: IconName }[] = [
    { value: 'light', name: t`Light`, icon: 'sun' },
    { value: 'dark', name: t`Dark`, icon: 'moon' },
    { value: 'system', name: t`System`, icon: 'settings' },
  ]
  return (
    <fieldset className={styles.surfaces}>
      <legend className={styles.legend}>
        <Trans>Appearance</Trans>
      </legend>
      <div className={styles.segments}>
        {choices.map(({ value, name, icon }) => (
          <button
            key={value}
            type="button"
            className={styles.segment}
            aria-pressed={surface === value}
            onClick={() => choose(value)}
          >
            <Icon name={icon} size="s" />
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
