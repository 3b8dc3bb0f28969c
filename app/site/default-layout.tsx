import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ArrivalNotice } from './arrival-notice'
import styles from './default-layout.module.css'
import { Footer } from './footer/footer'
import { BannerStrip } from './header/banner-strip'
import { Header } from './header/header'

/** Header, page, footer. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <a href="#main" className={styles.skip}>
        <Trans>Skip to main content</Trans>
      </a>
      <BannerStrip />
      <Header />
      <main id="main" tabIndex={-1} className={styles.main}>
        <ArrivalNotice />
        {children}
      </main>
      <Footer />
    </div>
  )
}
