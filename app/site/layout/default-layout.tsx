import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { rootRouteId, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { bannerLink } from '~/features/catalog/use-banner-link'
import { frameQuery } from '~/features/content/content.functions'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import type { NoticeReason } from '~/platform/navigation/guards'
import { contractQuery, useLoaded } from '~/platform/shell/shell.functions'
import arrivalNoticeStyles from '~/site/arrival-notice.module.css'
import bannerStripStyles from '~/site/banner-strip.module.css'
import { Footer, Header } from '~/site/layout/later-parts'
import { renderAs } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import styles from './default-layout.module.css'

const reasons: Readonly<Record<NoticeReason, MessageDescriptor>> = {
  INQUIRY_DISABLED: msg`This store doesn’t accept inquiries here. You can find its contact details at the bottom of the page.`,
  JOIN_DISABLED: msg`This store isn’t accepting new members right now. If you have an account, you can still sign in.`,
  PLANS_CLOSED: msg`This store doesn’t offer plans right now.`,
  PLAN_NEEDED: msg`You need a plan to view that page. Choose from the plans below.`,
  PLAN_NOT_ON_SALE: msg`That plan is no longer available. You can choose from these plans.`,
}

const isReason = (notice = ''): notice is NoticeReason => Object.hasOwn(reasons, notice)

/** Explains why the visitor was redirected to this page. */
function ArrivalNotice() {
  const { i18n } = useLingui()
  const { notice } = useSearch({ from: rootRouteId })
  if (!isReason(notice)) return null
  return (
    <div className={arrivalNoticeStyles.arrival}>
      <Notice tone="warning">{i18n._(reasons[notice])}</Notice>
    </div>
  )
}

/** The tenant's HEADER_BANNER, a line at the top of the page. */
function BannerStrip() {
  const strip = useLoaded(frameQuery)?.strip
  const link = bannerLink(strip?.link ?? null)
  if (!strip) return null
  return (
    <aside className={bannerStripStyles.strip}>
      {renderAs(
        link ?? <div />,
        { className: bannerStripStyles.line },
        <strong key="title" dir="auto" lang={langOf(strip, 'title')}>
          {strip.title}
        </strong>,
        strip.text && (
          <span key="text" dir="auto" lang={langOf(strip, 'text')} className={bannerStripStyles.text}>
            {strip.text}
          </span>
        ),
        strip.link && strip.label && (
          <span key="label" className={bannerStripStyles.more}>
            {storeText(strip, 'label')}
            <Icon name="arrow-end" size="s" />
          </span>
        ),
      )}
    </aside>
  )
}

/** Explains to the holder of a preview link that the store is not open to visitors yet. */
function PreviewStrip() {
  const contract = useLoaded(contractQuery)
  if (!contract?.preview || contract.opened) return null
  return (
    <p className={styles.preview} role="status">
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
