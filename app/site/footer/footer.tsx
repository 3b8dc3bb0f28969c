import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { frameQuery } from '~/features/content/frame.queries'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Logo } from '../logo'
import { LanguageList } from '../preferences'
import { BusinessDetails } from './business-details'
import styles from './footer.module.css'
import { usePageName } from './use-page-name'

/** Ways on, the store's own pages, and who runs it. */
export function Footer() {
  const { t } = useLingui()
  const { seo, base, order, operation, languages } = useSiteSettings()
  const pages = useQuery(frameQuery).data?.pages ?? []
  const member = useMe()
  const pageName = usePageName()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Logo size="s" />
          {seo.description && (
            <p dir="auto" lang={languages['seo.description']}>
              {seo.description}
            </p>
          )}
        </div>
        <nav className={styles.columns} aria-label={t`Footer`}>
          <Column title={<Trans>Discover</Trans>}>
            <Link to="/products">
              <Trans>All products</Trans>
            </Link>
            <Link to="/videos">
              <Trans>Videos</Trans>
            </Link>
            {order.useSubscribe && (
              <Link to="/plans">
                <Trans>Plans</Trans>
              </Link>
            )}
          </Column>
          <Column title={<Trans>Help</Trans>}>
            <Link to="/notices">
              <Trans>Notices</Trans>
            </Link>
            <Link to="/faq">
              <Trans>FAQ</Trans>
            </Link>
            {order.useInquiry && (
              <Link to="/mypages/inquiries/input">
                <Trans>Contact support</Trans>
              </Link>
            )}
          </Column>
          <Column title={<Trans>Account</Trans>}>
            {member ? (
              <>
                <Link to="/mypages">
                  <Trans>Your account</Trans>
                </Link>
                <Link to="/mypages/paid-products">
                  <Trans>Purchases</Trans>
                </Link>
                {order.useSubscribe && (
                  <Link to="/mypages/subscription">
                    <Trans>Subscription</Trans>
                  </Link>
                )}
              </>
            ) : (
              <>
                <Link to="/login">
                  <Trans>Sign in</Trans>
                </Link>
                {operation.useJoin && (
                  <Link to="/join/input">
                    <Trans>Sign up</Trans>
                  </Link>
                )}
              </>
            )}
          </Column>
          {base.locales.length > 1 && (
            <Column title={<Trans>Language</Trans>}>
              <LanguageList />
            </Column>
          )}
        </nav>
      </div>
      <div className={styles.legal}>
        {pages.length > 0 && (
          <ul className={styles.pages}>
            {pages.map((page) => (
              <li key={page.type}>
                <Link to="/pages/$type" params={{ type: page.type }} data-strong={page.type === 'privacy' || undefined}>
                  <bdi lang={pageName(page).lang}>{pageName(page).name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
        <BusinessDetails />
      </div>
    </footer>
  )
}

function Column({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.column}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </div>
  )
}
