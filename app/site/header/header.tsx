import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, rootRouteId, useSearch } from '@tanstack/react-router'
import type { FocusEvent } from 'react'
import { SearchBox } from '~/features/catalog/ui/search-box'
import { useCartCount } from '~/features/orders/cart/cart.functions'
import { SharedElement } from '~/platform/document/html-parts'
import { useFormat } from '~/platform/format/use-format'
import { laterAttribute } from '~/platform/hydration-boundary'
import { isSubscribed } from '~/platform/navigation/guards'
import { useCategoryTree } from '~/platform/shell/categories'
import { contractQuery, useLoaded, useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button, IconButton } from '~/ui/button'
import { addIcons, Icon } from '~/ui/icon'
import { moreIcons } from '~/ui/more-icons'
import { Logo } from '../logo'
import { LanguageList, SurfaceSwitch } from '../preferences'
import { AccountMenu } from './account-menu'
import { CategoryMenu, MenuLinks } from './category-menu'
import { DropMenu } from './drop-menu'
import styles from './header.module.css'
import { MobileMenu, MobileMenuButton } from './mobile-menu'
import { SearchOverlay } from './search-overlay'

addIcons(moreIcons)

/** Used to find the end of the header. */
export const headerId = 'site-header'

/** Hides the row of links that the keyboard had opened. */
const showFirstLine = (event: FocusEvent<HTMLElement>) => event.currentTarget.parentElement?.scrollTo(0, 0)

/**
 * Tells staff at which time, or else as whom, they see the store. A plain link ends it, so it works
 * without JavaScript.
 */
function StaffStrip() {
  const member = useMe()
  const at = useLoaded(contractQuery)?.previewAt
  const { dateTime } = useFormat()
  if (!at && !member?.viewing) return null
  return (
    <p className={styles.viewing} role="status">
      {at ? (
        <Trans>Preview: the store as visitors will see it on {dateTime(at)}. You can’t change anything.</Trans>
      ) : (
        <Trans>
          You see the store as <bdi>{member?.name || member?.email}</bdi>. You can’t change anything.
        </Trans>
      )}{' '}
      <a href={at ? '?preview=' : `/api/cancel-approval?redirect=/admin/members/${member?.id}`} rel="nofollow">
        <Trans>Leave</Trans>
      </a>
    </p>
  )
}

/** The store's header. It stays at the top while the page scrolls. */
export function Header() {
  const { t, i18n } = useLingui()
  const categories = useCategoryTree().roots
  const { menu, order } = useSiteSettings()
  const { q } = useSearch({ from: rootRouteId })
  return (
    <>
      <StaffStrip />
      <header id={headerId} className={styles.header} {...laterAttribute}>
        <div className={styles.bar}>
          <MobileMenuButton />
          <Logo />
          <SharedElement
            as="nav"
            shown={['header', categories, menu, order.useSubscribe]}
            className={styles.nav}
            aria-label={t`Main`}
          >
            <CategoryMenu categories={categories} />
            <div className={styles.links}>
              <MenuLinks withCategories className={styles.link} onBlur={showFirstLine} />
            </div>
          </SharedElement>
          <SharedElement as="div" className={styles.search} shown={['search', q]}>
            <SearchBox />
          </SharedElement>
          <div className={styles.tools}>
            <SearchOverlay className={styles.searchButton} />
            <DropMenu
              label={t`${i18n.locale.toUpperCase()}, language and appearance`}
              className={styles.preferences}
              trigger={
                <>
                  <Icon name="globe" size="m" />
                  <span className={styles.code}>{i18n.locale}</span>
                </>
              }
            >
              <LanguageList />
              <SurfaceSwitch />
            </DropMenu>
            <PlansButton />
            <CartLink />
            <AccountMenu />
          </div>
        </div>
        <MobileMenu categories={categories} />
      </header>
    </>
  )
}

/** In a store that sells only plans, a link to them replaces the cart. */
function PlansButton() {
  const { order } = useSiteSettings()
  const member = useMe()
  if (order.usePayment || !order.useSubscribe || isSubscribed(member)) return null
  return (
    <Button size="s" icon="sparkle" className={styles.planCall} render={<Link to="/plans" />}>
      <Trans>View plans</Trans>
    </Button>
  )
}

function CartLink() {
  const { operation, order } = useSiteSettings()
  const member = useMe()
  // A members-only store has no carts for guests.
  if (!order.usePayment || (operation.useLogin && !member)) return null
  return <CartBadge />
}

function CartBadge() {
  const { t } = useLingui()
  const count = useCartCount()
  const label = count > 0 ? t`Cart, ${plural(count, { one: '# item', other: '# items' })}` : t`Cart`
  return <IconButton icon="cart" label={label} count={count} render={<Link to="/carts" />} />
}
