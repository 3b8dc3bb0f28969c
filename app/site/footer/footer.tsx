import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SitePage } from '#contract/content.ts'
import { frameQuery } from '~/features/content/content.functions'
import { siteName } from '~/platform/document/head'
import { SharedElement } from '~/platform/document/html-parts'
import { laterAttribute } from '~/platform/hydration-boundary'
import { type Locale, langOf } from '~/platform/i18n/locales'
import { useLoaded, useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Logo } from '~/site/logo'
import { LanguageList } from '~/site/preferences'
import styles from './footer.module.css'

/** The business details that e-commerce law requires, as far as the tenant provided them. */
function BusinessDetails() {
  const settings = useSiteSettings()
  const { company, representative, registrationNumber, mailOrderNumber, address, phone, email } = settings.business
  const details: { key: string; name: ReactNode; value: ReactNode }[] = [
    { key: 'representative', name: <Trans>Representative</Trans>, value: representative },
    { key: 'registration', name: <Trans>Business registration number</Trans>, value: registrationNumber },
    { key: 'mail-order', name: <Trans>Mail-order registration</Trans>, value: mailOrderNumber },
    { key: 'address', name: <Trans>Address</Trans>, value: address },
    {
      key: 'phone',
      name: <Trans>Phone</Trans>,
      value: phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>,
    },
    { key: 'email', name: <Trans>Email</Trans>, value: email && <a href={`mailto:${email}`}>{email}</a> },
  ].filter(({ value }) => Boolean(value))
  const owner = company ?? siteName(settings)
  return (
    <div className={styles.business}>
      <p className={styles.company}>
        © <bdi lang={settings.languages[company ? 'business.company' : 'base.name']}>{owner}</bdi>
      </p>
      {details.length > 0 && (
        <dl className={styles.details}>
          {details.map(({ key, name, value }) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd dir="auto" lang={settings.languages[`business.${key}`]}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/**
 * Returns the name of a page of the store: its title in the reader's language. Standard pages
 * without a translation have a default name.
 */
function usePageName() {
  const { t } = useLingui()
  const defaultTitles: Record<string, string> = {
    about: t`About us`,
    terms: t`Terms of use`,
    privacy: t`Privacy policy`,
    refund: t`Refund policy`,
  }
  return (page: Pick<SitePage, 'type' | 'title' | 'languages'>): { name: string; lang: Locale | undefined } => {
    const lang = langOf(page, 'title')
    const name = lang && defaultTitles[page.type]
    return name ? { name, lang: undefined } : { name: page.title, lang }
  }
}

function SitePages({ pages }: { pages: readonly Pick<SitePage, 'type' | 'title' | 'languages'>[] }) {
  const pageName = usePageName()
  return (
    <ul className={styles.pages}>
      {pages.map((page) => (
        <li key={page.type}>
          <Link to="/pages/$type" params={{ type: page.type }} data-strong={page.type === 'privacy' || undefined}>
            <bdi lang={pageName(page).lang}>{pageName(page).name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The footer: links, the store's own pages and business details. */
export function Footer() {
  const { t } = useLingui()
  const settings = useSiteSettings()
  const { seo, base, order, operation, languages } = settings
  const pages = useLoaded(frameQuery)?.pages ?? []
  const member = useMe()
  const shown = [settings, pages, member !== null]
  return (
    <footer className={styles.footer} {...laterAttribute}>
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
          <SharedColumn name="discover" shown={shown} title={<Trans>Discover</Trans>}>
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
          </SharedColumn>
          <SharedColumn name="help" shown={shown} title={<Trans>Help</Trans>}>
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
          </SharedColumn>
          <SharedColumn name="account" shown={shown} title={<Trans>Account</Trans>}>
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
          </SharedColumn>
          {base.locales.length > 1 && (
            <Column title={<Trans>Language</Trans>}>
              <LanguageList />
            </Column>
          )}
        </nav>
      </div>
      <SharedElement as="div" shown={['legal', ...shown]} className={styles.legal}>
        {pages.length > 0 && <SitePages pages={pages} />}
        <BusinessDetails />
      </SharedElement>
    </footer>
  )
}

interface SharedColumnProps {
  name: string
  /** All data that the column shows. */
  shown: readonly unknown[]
  title: ReactNode
  children: ReactNode
}

/** A column that is the same for all visitors, except for members and guests. */
function SharedColumn({ name, shown, title, children }: SharedColumnProps) {
  return (
    <SharedElement as="div" shown={[name, ...shown]} className={styles.column}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </SharedElement>
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
