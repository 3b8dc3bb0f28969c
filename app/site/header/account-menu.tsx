import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { SharedElement } from '~/platform/document/html-parts'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from './account-menu.module.css'
import { DropMenu } from './drop-menu'

export function AccountLinks() {
  const { order } = useSiteSettings()
  return (
    <>
      <Link to="/mypages" className={styles.link}>
        <Icon name="user" size="m" />
        <Trans>Your account</Trans>
      </Link>
      <Link to="/mypages/paid-products" className={styles.link}>
        <Icon name="film" size="m" />
        <Trans>Purchases</Trans>
      </Link>
      <Link to="/mypages/liked-products" className={styles.link}>
        <Icon name="heart" size="m" />
        <Trans>Wish list</Trans>
      </Link>
      {order.useSubscribe && (
        <Link to="/mypages/subscription" className={styles.link}>
          <Icon name="sparkle" size="m" />
          <Trans>Subscription</Trans>
        </Link>
      )}
      {order.usePayment && (
        <Link to="/mypages/order-histories" className={styles.link}>
          <Icon name="receipt" size="m" />
          <Trans>Orders</Trans>
        </Link>
      )}
      {order.useInquiry && (
        <Link to="/mypages/inquiries" className={styles.link}>
          <Icon name="comment" size="m" />
          <Trans>Support</Trans>
        </Link>
      )}
      <Link to="/mypages/profile" className={styles.link}>
        <Icon name="settings" size="m" />
        <Trans>Profile</Trans>
      </Link>
    </>
  )
}

/**
 * Ends the session. A plain link, so it works without JavaScript; the page reloads as a guest.
 */
export function SignOutLink() {
  return (
    <a href="/api/cancel-approval" rel="nofollow" className={styles.link}>
      <Icon name="logout" size="m" />
      <Trans>Sign out</Trans>
    </a>
  )
}

/** The pages of sign-in and sign-up, which are no return targets. */
const isSignInPage = (pathname: string) =>
  pathname === '/login' || pathname === '/reset-password' || pathname.startsWith('/join/')

/** Links to sign in and join, or the member's menu. */
export function AccountMenu() {
  const { t } = useLingui()
  const member = useMe()
  const { operation, order } = useSiteSettings()
  const here = useLocation({ select: ({ pathname, href }) => (isSignInPage(pathname) ? undefined : href) })
  if (!member) {
    const back = here && here !== '/' ? { redirect: here } : {}
    return (
      <>
        {operation.useJoin && (
          <Button variant="ghost" size="s" className={styles.join} render={<Link to="/join/input" search={back} />}>
            <Trans>Sign up</Trans>
          </Button>
        )}
        <Button variant="primary" size="s" className={styles.signIn} render={<Link to="/login" search={back} />}>
          <Trans>Sign in</Trans>
        </Button>
      </>
    )
  }
  return (
    <DropMenu
      label={t`Your account`}
      trigger={
        <span className={styles.initial} aria-hidden>
          {[...(member.name || member.email)][0]}
        </span>
      }
    >
      <div className={styles.who}>
        {member.name && <strong>{member.name}</strong>}
        <span dir="ltr">{member.email}</span>
      </div>
      <SharedElement as="div" shown={['account menu', order]}>
        <AccountLinks />
      </SharedElement>
      <hr className={styles.rule} />
      <SignOutLink />
    </DropMenu>
  )
}
