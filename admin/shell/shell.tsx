import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, type LinkProps, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import { Icon, type IconName } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { ToastPlace } from '../platform/notifications'
import { useMay } from '../platform/session'
import { useSettings } from '../platform/settings'
import { Loading } from '../ui/states'
import styles from './shell.module.css'

// Menus are loaded after the page.
const PersonMenu = lazy(async () => ({ default: (await import('./person-menu')).PersonMenu }))

interface Area {
  to: NonNullable<LinkProps['to']>
  label: MessageDescriptor
  icon: IconName
  permission: Permission
}

/** The areas of the console in the order of the menu. Each is shown to those who may read it. */
const areas: readonly Area[] = [
  { to: '/', label: msg`Home`, icon: 'home', permission: 'orders:read' },
  { to: '/orders', label: msg`Orders`, icon: 'receipt', permission: 'orders:read' },
  { to: '/deposits', label: msg`Deposits`, icon: 'bank', permission: 'orders:read' },
  { to: '/products', label: msg`Products`, icon: 'film', permission: 'products:read' },
  { to: '/categories', label: msg`Categories`, icon: 'grid', permission: 'products:read' },
  { to: '/videos', label: msg`Videos`, icon: 'play', permission: 'videos:read' },
  { to: '/content', label: msg`Content`, icon: 'book', permission: 'content:read' },
  { to: '/members', label: msg`Members`, icon: 'user', permission: 'members:read' },
  { to: '/comments', label: msg`Comments`, icon: 'comment', permission: 'comments:read' },
  { to: '/inquiries', label: msg`Inquiries`, icon: 'bell', permission: 'inquiries:read' },
  { to: '/cases', label: msg`Cases`, icon: 'list', permission: 'inquiries:read' },
  { to: '/mails', label: msg`Emails`, icon: 'transcript', permission: 'mails:read' },
  { to: '/staff', label: msg`Staff`, icon: 'lock', permission: 'staff:read' },
  { to: '/store', label: msg`Store`, icon: 'globe', permission: 'settings:read' },
  { to: '/settings', label: msg`Settings`, icon: 'settings', permission: 'settings:read' },
  { to: '/audit', label: msg`Audit log`, icon: 'clock', permission: 'audit:read' },
]

const subscribeToConnection = (onChange: () => void) => {
  const change = new AbortController()
  for (const event of ['online', 'offline'] as const) window.addEventListener(event, onChange, change)
  return () => change.abort()
}

const useIsOnline = () => useSyncExternalStore(subscribeToConnection, () => navigator.onLine)

function Navigation({ onFollow }: { onFollow: () => void }) {
  const { t, i18n } = useLingui()
  const may = useMay()
  return (
    <nav aria-label={t`Console`} className={styles.areas}>
      {areas
        .filter(({ permission }) => may(permission))
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

/** What surrounds every page: the menu, who is signed in, and whether the store can be reached. */
export function Shell() {
  const { t } = useLingui()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isOnline = useIsOnline()
  const name = useSettings().base.name ?? t`Store`
  const main = useRef<HTMLElement>(null)
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
        <span className={styles.menuButton}>
          <IconButton
            icon={isMenuOpen ? 'close' : 'menu'}
            label={isMenuOpen ? t`Close menu` : t`Open menu`}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          />
        </span>
        <Link to="/" className={styles.name}>
          {name}
        </Link>
        <Suspense>
          <PersonMenu />
        </Suspense>
      </header>
      <div className={classNames(styles.side, isMenuOpen && styles.open)}>
        <Navigation onFollow={() => setMenuOpen(false)} />
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {!isOnline && (
          <Notice tone="warning">
            <Trans>You are offline. What you see may be old, and nothing can be changed.</Trans>
          </Notice>
        )}
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <ToastPlace />
    </div>
  )
}
