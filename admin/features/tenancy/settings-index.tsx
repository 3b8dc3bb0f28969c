import { useLingui } from '@lingui/react'
import { Trans, useLingui as useTexts } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Chip } from '~/ui/chip'
import { TextField } from '~/ui/text-field'
import { type SettingSectionId, settingSections } from './setting-sections'
import styles from './settings-index.module.css'

/** A section of the settings that a link leads to. */
export function SettingsPart({ id, children }: { id: SettingSectionId; children: ReactNode }) {
  return (
    <div id={id} tabIndex={-1} className={styles.part}>
      {children}
    </div>
  )
}

/** Shows the section that the address names, once it is there. */
const useNamedSection = () => {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    const part = hash ? document.getElementById(hash) : null
    part?.scrollIntoView()
    part?.focus({ preventScroll: true })
  }, [hash])
}

/** Links to the sections of the settings, and a search of the settings by their names. */
export function SettingsIndex() {
  const { i18n } = useLingui()
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  useNamedSection()
  const q = typed.trim().toLowerCase()
  const found = settingSections.flatMap(({ id, title, names }) =>
    [title, ...names]
      .map((name) => ({ id, section: i18n._(title), name: i18n._(name) }))
      .filter(({ name }) => name.toLowerCase().includes(q)),
  )
  return (
    <nav className={styles.index} aria-label={t`Sections of the settings`}>
      <TextField
        type="search"
        label={t`Find a setting`}
        icon="search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {q === '' ? (
        <ul className={styles.sections}>
          {settingSections.map(({ id, title }) => (
            <li key={id}>
              <Chip render={<Link to="/settings" hash={id} activeOptions={{ includeHash: true }} />}>
                {i18n._(title)}
              </Chip>
            </li>
          ))}
        </ul>
      ) : (
        <ul className={styles.found} aria-live="polite">
          {found.map(({ id, section, name }) => (
            <li key={`${id} ${name}`}>
              <Link to="/settings" hash={id}>
                {name}
              </Link>
              {name !== section && <span className={styles.section}> · {section}</span>}
            </li>
          ))}
          {found.length === 0 && (
            <li>
              <Trans>No setting has this name.</Trans>
            </li>
          )}
        </ul>
      )}
    </nav>
  )
}
