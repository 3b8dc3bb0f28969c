import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SearchBox } from '~/features/catalog/ui/search-box'
import { SharedElement } from '~/platform/document/html-parts'
import { storeText } from '~/platform/i18n/store-text'
import type { CategoryNode } from '~/platform/shell/categories'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button, IconButton } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { Logo } from '../logo'
import { LanguageList, SurfaceSwitch } from '../preferences'
import { AccountLinks, SignOutLink } from './account-menu'
import { CategoryLevels, MenuLinks } from './category-menu'
import styles from './mobile-menu.module.css'

const panelId = 'mobile-menu'

export function MobileMenuButton() {
  const { t } = useLingui()
  return <IconButton icon="menu" label={t`Menu`} className={styles.button} popoverTarget={panelId} />
}

/**
 * The menu of narrow screens, with all links of the header. Opens without JavaScript.
 */
export function MobileMenu({ categories }: { categories: readonly CategoryNode[] }) {
  const { t } = useLingui()
  const member = useMe()
  const { menu, operation, order } = useSiteSettings()
  const router = useRouter()
  const panel = useRef<HTMLDivElement>(null)

  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', () => {
        if (panel.current?.matches(':popover-open')) panel.current.hidePopover()
      }),
    [router],
  )

  return (
    <div ref={panel} id={panelId} popover="auto" className={styles.panel}>
      <div className={styles.head}>
        <Logo size="s" />
        <IconButton icon="close" label={t`Close`} popoverTarget={panelId} popoverTargetAction="hide" />
      </div>
      <SearchBox />
      {!member && (
        <div className={styles.wayIn}>
          <Button variant="primary" size="l" full render={<Link to="/login" />}>
            <Trans>Sign in</Trans>
          </Button>
          {operation.useJoin && (
            <Button size="l" full render={<Link to="/join/input" />}>
              <Trans>Sign up</Trans>
            </Button>
          )}
        </div>
      )}
      <SharedElement
        as="nav"
        shown={['mobile menu', categories, menu, order.useSubscribe]}
        aria-label={t`Main`}
        className={styles.section}
      >
        {categories.map((root) => (
          <details key={root.path} className={styles.branch}>
            <summary className={styles.row}>
              {storeText(root, 'name')}
              <Icon name="chevron-down" size="m" />
            </summary>
            <ul className={styles.twigs}>
              <li>
                <Link to="/products" search={{ category: root.path }} className={styles.twig}>
                  <span>
                    <Trans>All {storeText(root, 'name')}</Trans>
                  </span>
                </Link>
              </li>
              <CategoryLevels
                groups={root.children}
                classNames={{ group: styles.twig, leaves: styles.leaves, leaf: styles.leaf }}
              />
            </ul>
          </details>
        ))}
        <MenuLinks className={styles.row} />
        {!menu?.some(({ kind }) => kind === 'PRODUCTS') && (
          <Link to="/products" className={styles.row}>
            <Trans>All products</Trans>
          </Link>
        )}
      </SharedElement>
      {member && (
        <SharedElement
          as="nav"
          shown={['mobile account menu', order]}
          aria-label={t`Your account`}
          className={styles.section}
        >
          <AccountLinks />
          <SignOutLink />
        </SharedElement>
      )}
      <div className={styles.section}>
        <LanguageList />
        <SurfaceSwitch />
      </div>
    </div>
  )
}
