import { Trans, useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import { ErrorState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { Skeleton } from '~/ui/skeleton'
import { useIsOnline } from '../platform/connection'
import { failureOf, failureText } from '../platform/failure'
import { latinKey } from '../ui/is-typing'
import page from '../ui/page.module.css'
import { Failed, Loading } from '../ui/states'
import { areas, mayOpen } from './areas'
import styles from './shell.module.css'

const base = '/admin'

/** The area of the address. The router that opens its page may not be loaded yet. */
const areaOf = (pathname: string) => {
  const path = pathname.slice(base.length)
  return (
    areas.find(({ to }) => to !== '/' && `${path}/`.startsWith(`${to}/`)) ??
    (path.replaceAll('/', '') === '' ? areas.find(({ to }) => to === '/') : undefined)
  )
}

/** Whether a key opens the palette: Ctrl K or ⌘ K. */
export const isPaletteKey = (event: KeyboardEvent): boolean =>
  latinKey(event) === 'k' && !event.altKey && !event.shiftKey && event.ctrlKey !== event.metaKey

let isPaletteWanted = false

/** Whether somebody wanted the palette before it could be shown. */
export const takeEarlyPalette = (): boolean => {
  const isWanted = isPaletteWanted
  isPaletteWanted = false
  return isWanted
}

interface MenuButtonProps {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** Opens and closes the menu of a narrow window. */
export function MenuButton({ isOpen, onToggle }: MenuButtonProps) {
  const { t } = useLingui()
  return (
    <span className={styles.menuButton}>
      <IconButton
        icon={isOpen ? 'close' : 'menu'}
        label={isOpen ? t`Close menu` : t`Open menu`}
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
      />
    </span>
  )
}

interface EarlyFrameProps {
  /** The name of the store; empty while it is unknown. */
  name: string
  /** Of the signed-in person, or of the last one. Null while nobody is known: no menu is shown. */
  permissions: readonly Permission[] | null
  children: ReactNode
}

const skeletonAreas = ['60%', '48%']

/**
 * The frame of the console before its pages can be shown: the same menu, whose links choose the
 * page that opens then.
 */
function EarlyFrame({ name, permissions, children }: EarlyFrameProps) {
  const { t, i18n } = useLingui()
  const [path, setPath] = useState(location.pathname)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isOnline = useIsOnline()
  useEffect(() => {
    const change = new AbortController()
    window.addEventListener('popstate', () => setPath(location.pathname), change)
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      isPaletteWanted = true
    }
    document.addEventListener('keydown', onKey, change)
    return () => change.abort()
  }, [])
  const open = (to: string) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.pushState(null, '', base + to)
    setPath(base + to)
    setMenuOpen(false)
  }
  const current = areaOf(path)
  return (
    <div className={styles.shell}>
      <header className={styles.header}>
        {permissions && <MenuButton isOpen={isMenuOpen} onToggle={setMenuOpen} />}
        <span className={styles.name}>{name || <Skeleton width="9rem" height="1.125rem" />}</span>
      </header>
      <div className={classNames(styles.side, isMenuOpen && styles.open)}>
        {permissions ? (
          <nav aria-label={t`Console`} className={styles.areas}>
            {areas
              .filter((area) => mayOpen(area, (permission) => permissions.includes(permission)))
              .map((area) => (
                <a
                  key={area.to}
                  href={base + area.to}
                  className={classNames(styles.area, area === current && styles.current)}
                  aria-current={area === current ? 'page' : undefined}
                  onClick={open(area.to)}
                >
                  <Icon name={area.icon} size="m" />
                  {i18n._(area.label)}
                </a>
              ))}
          </nav>
        ) : (
          <div className={styles.areas} aria-hidden>
            {skeletonAreas.map((width) => (
              <span key={width} className={styles.area}>
                <Skeleton width={width} height="1rem" />
              </span>
            ))}
          </div>
        )}
      </div>
      <main id="main" tabIndex={-1} className={styles.main}>
        {!isOnline && <OfflineNotice />}
        <div className={page.page}>
          {permissions && current && (
            <header className={page.head}>
              <h1 className={page.title}>{i18n._(current.label)}</h1>
            </header>
          )}
          {children}
        </div>
      </main>
    </div>
  )
}

/** Says that the browser has no connection. */
export const OfflineNotice = () => (
  <Notice tone="warning">
    <Trans>You are offline. Data may be out of date, and changes can’t be saved.</Trans>
  </Notice>
)

type StartQuery = Pick<
  UseQueryResult,
  'data' | 'error' | 'isError' | 'isFetching' | 'errorUpdateCount' | 'errorUpdatedAt' | 'refetch'
>

/** Milliseconds until a call is tried again by itself, after each failure. */
const retryDelays = [5_000, 15_000]

/** Whether another try may help: no answer, an error of the store, or too many calls. */
const mayRecover = (status: number) => status === 0 || status >= 500 || status === 429

/** Why the console cannot be opened yet. It is tried again by itself. */
function StartFailed({ query, error }: { query: StartQuery; error: Error }) {
  const { t, i18n } = useLingui()
  const failure = failureOf(error)
  const again = mayRecover(failure.status)
  const retry = useEffectEvent(() => void query.refetch())
  useEffect(() => {
    if (!again || query.isFetching) return undefined
    const shown = new AbortController()
    const delay = retryDelays[Math.min(query.errorUpdateCount, retryDelays.length) - 1]
    const timer = setTimeout(() => retry(), delay)
    window.addEventListener('online', () => retry(), shown)
    shown.signal.addEventListener('abort', () => clearTimeout(timer))
    return () => shown.abort()
  }, [again, query.isFetching, query.errorUpdateCount])
  if (!again) return <Failed error={error} onRetry={() => void query.refetch()} />
  return (
    <ErrorState
      title={
        failure.status === 500 ? (
          <Trans>The console could not be opened</Trans>
        ) : (
          <Trans>The store cannot be reached</Trans>
        )
      }
      retry={{ label: t`Try again`, onRetry: () => void query.refetch(), pending: query.isFetching }}
    >
      <p>{failureText(i18n, failure)}</p>
      <p>
        <Trans>It is also tried again by itself.</Trans>
      </p>
    </ErrorState>
  )
}

interface StartingProps extends Omit<EarlyFrameProps, 'children'> {
  /** The calls that the console waits for. */
  queries: readonly StartQuery[]
}

/** The frame while the first calls of the API are under way, or why they failed. */
export function Starting({ queries, ...frame }: StartingProps) {
  // A call that is tried again has no error until it fails again. Its message stays.
  const [failed, setFailed] = useState<{ at: number; error: Error } | null>(null)
  const at = queries.findIndex(({ isError, data }) => isError && data === undefined)
  const error = queries[at]?.error
  if (error && error !== failed?.error) setFailed({ at, error })
  const query = failed && queries[failed.at]
  return (
    <EarlyFrame {...frame}>
      {failed && query && query.data === undefined ? <StartFailed query={query} error={failed.error} /> : <Loading />}
    </EarlyFrame>
  )
}
