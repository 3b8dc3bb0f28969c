import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { useApi } from '../platform/client'
import { useIsOnline } from '../platform/connection'
import { lazyPart } from '../platform/lazy-part'
import { meQuery, useMay } from '../platform/session'
import { useSettings } from '../platform/settings'
import { Loading } from '../ui/states'
import { areas, mayOpen, requirementOf } from './areas'
import { isPaletteKey, MenuButton, OfflineNotice, takeEarlyPalette } from './early-frame'
import { EarlyPersonButton, type EarlyUse } from './person-button'
import styles from './shell.module.css'

// Loaded when it is opened.
const Palette = lazyPart(async () => ({ default: (await import('./palette')).Palette }))

const PersonMenu = lazyPart(async () => ({ default: (await import('./person-menu')).PersonMenu }), {
  waiting: EarlyPersonButton,
  whenQuiet: true,
})

const NoAccess = lazyPart(async () => ({ default: (await import('./no-access')).NoAccess }))

const LiveChanges = lazyPart(async () => ({ default: (await import('./live-changes')).LiveChanges }), {
  whenQuiet: true,
})

const Toasts = lazyPart(async () => ({ default: (await import('../platform/toasts')).Toasts }), { whenQuiet: true })

function Navigation({ onFollow }: { onFollow: () => void }) {
  const { t, i18n } = useLingui()
  const may = useMay()
  return (
    <nav aria-label={t`Console`} className={styles.areas}>
      {areas
        .filter((area) => mayOpen(area, may))
        .map(({ to, label, icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.area}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ className: classNames(styles.area, styles.current) }}
            onClick={onFollow}
          >
            <Icon name={icon} size="m" />
            {i18n._(label)}
          </Link>
        ))}
    </nav>
  )
}

/** The page of the path, or what the person lacks to open it. */
function OpenedPage({ path }: { path: string }) {
  const { data: me } = useQuery(meQuery(useApi()))
  const requirement = requirementOf(path)
  // Without a session, the sign-in form takes the place of the page.
  if (me && requirement && !mayOpen(requirement, (each) => me.permissions.includes(each)))
    return <NoAccess permission={requirement.permission} />
  return <Outlet />
}

/** Opens and closes the palette, also with Ctrl K or ⌘ K. */
const usePalette = () => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const change = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      setOpen(true)
    }
    if (takeEarlyPalette()) setOpen(true)
    document.addEventListener('keydown', onKey, change)
    return () => change.abort()
  }, [])
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}

/** What surrounds every page: the menu, who is signed in, and whether the store can be reached. */
export function Shell() {
  const { t } = useLingui()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isOnline = useIsOnline()
  const palette = usePalette()
  const name = useSettings().base.name ?? t`Store`
  const main = useRef<HTMLElement>(null)
  const early = useRef<EarlyUse>({ hasFocus: false, isPressed: false })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    main.current?.focus()
  }, [path])
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        <Trans>Skip to content</Trans>
      </a>
      <header className={styles.header}>
        <MenuButton isOpen={isMenuOpen} onToggle={setMenuOpen} />
        <Link to="/" className={styles.name}>
          {name}
        </Link>
        <IconButton
          icon="search"
          label={t`Find anything`}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={palette.open}
        />
        <PersonMenu early={early} />
      </header>
      <div className={classNames(styles.side, isMenuOpen && styles.open)}>
        <Navigation onFollow={() => setMenuOpen(false)} />
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {!isOnline && <OfflineNotice />}
        <Suspense fallback={<Loading />}>
          <OpenedPage path={path} />
        </Suspense>
      </main>
      <Toasts />
      <LiveChanges />
      {palette.isOpen && <Palette onClose={palette.close} />}
    </div>
  )
}
