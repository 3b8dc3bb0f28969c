import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { contractQuery } from '~/platform/shell/shell.functions'
import { ArrivalNotice } from './arrival-notice'
import styles from './default-layout.module.css'
import { Footer } from './footer/footer'
import { BannerStrip } from './header/banner-strip'
import { Header } from './header/header'

/** Says to whoever holds a preview link that visitors do not see the store yet. */
function PreviewStrip() {
  const contract = useQuery(contractQuery).data
  if (!contract?.preview || contract.opened) return null
  return (
    <p className={styles.preview}>
      <Trans>Preview: this store isn’t open yet. Only people with the link can see it.</Trans>
    </p>
  )
}

/** Header, page, footer. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <a href="#main" className={styles.skip}>
        <Trans>Skip to main content</Trans>
      </a>
      <PreviewStrip />
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
