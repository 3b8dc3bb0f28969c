import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { classNames } from '~/ui/element'
import { Icon } from '~/ui/icon'
import styles from './account-layout.module.css'

/** Picture grids use the full width. All other pages share one column. */
const widePages: readonly string[] = ['/mypages', '/mypages/paid-products', '/mypages/liked-products']

/** The member area: its navigation and the current page. */
export function AccountLayout({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const current = { className: styles.current }
  const links = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const { order } = useSiteSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current link
  useEffect(() => {
    const row = links.current
    const link = row?.querySelector<HTMLElement>('[aria-current]')
    // In a narrow row, scroll to the current link.
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
  }, [pathname])
  return (
    <div className={styles.page}>
      <nav className={styles.side} aria-label={t`Your account`}>
        <ul ref={links} className={styles.links}>
          <li>
            <Link to="/mypages" className={styles.link} activeOptions={{ exact: true }} activeProps={current}>
              <Icon name="user" size="m" />
              <Trans>Overview</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/paid-products" className={styles.link} activeProps={current}>
              <Icon name="film" size="m" />
              <Trans>Purchases</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/liked-products" className={styles.link} activeProps={current}>
              <Icon name="heart" size="m" />
              <Trans>Wish list</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/order-histories" className={styles.link} activeProps={current}>
              <Icon name="receipt" size="m" />
              <Trans>Orders</Trans>
            </Link>
          </li>
          {order.useSubscribe && (
            <li>
              <Link to="/mypages/subscription" className={styles.link} activeProps={current}>
                <Icon name="sparkle" size="m" />
                <Trans>Subscription</Trans>
              </Link>
            </li>
          )}
          {(order.useSubscribe || order.usePayment) && (
            <li>
              <Link to="/mypages/cards" className={styles.link} activeProps={current}>
                <Icon name="card" size="m" />
                <Trans>Payment methods</Trans>
              </Link>
            </li>
          )}
          {order.useInquiry && (
            <li>
              <Link to="/mypages/inquiries" className={styles.link} activeProps={current}>
                <Icon name="comment" size="m" />
                <Trans>Support</Trans>
              </Link>
            </li>
          )}
          <li>
            <Link to="/mypages/profile" className={styles.link} activeProps={current}>
              <Icon name="settings" size="m" />
              <Trans>Profile</Trans>
            </Link>
          </li>
        </ul>
      </nav>
      <div className={classNames(styles.content, !widePages.includes(pathname) && styles.column)}>{children}</div>
    </div>
  )
}
