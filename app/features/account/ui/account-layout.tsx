import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '~/ui/icon'
import styles from './account-layout.module.css'

/** The pages of the member's area, beside the way from one to the other. */
export function AccountLayout({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const current = { className: styles.current }
  return (
    <div className={styles.page}>
      <nav className={styles.side} aria-label={t`My page`}>
        <ul className={styles.links}>
          <li>
            <Link to="/mypages" className={styles.link} activeOptions={{ exact: true }} activeProps={current}>
              <Icon name="user" size="m" />
              <Trans>Overview</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/paid-products" className={styles.link} activeProps={current}>
              <Icon name="film" size="m" />
              <Trans>What you own</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/liked-products" className={styles.link} activeProps={current}>
              <Icon name="heart" size="m" />
              <Trans>What you like</Trans>
            </Link>
          </li>
          <li>
            <Link to="/mypages/order-histories" className={styles.link} activeProps={current}>
              <Icon name="receipt" size="m" />
              <Trans>Your orders</Trans>
            </Link>
          </li>
        </ul>
      </nav>
      <div className={styles.content}>{children}</div>
    </div>
  )
}
