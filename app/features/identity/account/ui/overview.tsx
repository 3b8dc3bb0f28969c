import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import { useDismiss } from '~/features/playback/use-dismiss'
import { WatchingRail } from '~/parts/watching-rail'
import { useFormat } from '~/platform/format/use-format'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Avatar } from '~/ui/avatar'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { SectionHeading } from '~/ui/section-heading'
import { continueWatchingQuery, likedCountQuery, ownedCountQuery } from '../account.functions'
import styles from './overview.module.css'
import { OwnedCard } from './owned-card'

interface Props {
  /** Notices for the member, such as orders awaiting a transfer. */
  news: ReactNode
  plan: ReactNode
  orders: ReactNode
}

/** The account overview: profile, notices, plan, continue watching and recent orders. */
export function Overview({ news, plan, orders }: Props) {
  const { t } = useLingui()
  const { data: watching } = useSuspenseQuery(continueWatchingQuery)
  const dismiss = useDismiss(continueWatchingQuery.queryKey, withoutProduct)
  return (
    <div className={styles.overview}>
      <div className={styles.standing}>
        <SectionHeading level="h1" title={<Trans>Your account</Trans>} />
        <ProfileCard />
        {news}
        {plan}
      </div>
      {watching.items.length > 0 ? (
        <WatchingRail
          products={watching.items}
          card={(product, remove) => <OwnedCard product={product} now={watching.now} action={remove} />}
          onDismiss={dismiss}
        />
      ) : (
        <Card sunken>
          <EmptyState
            compact
            icon="play"
            title={t`You have nothing in progress.`}
            actions={
              <Button render={<Link to="/videos" />}>
                <Trans>Find something to watch</Trans>
              </Button>
            }
          />
        </Card>
      )}
      {orders}
    </div>
  )
}

const withoutProduct = (list: { items: ProductCard[]; now: string }, removed: ProductId) => ({
  ...list,
  items: list.items.filter(({ id }) => id !== removed),
})

function ProfileCard() {
  const member = useMe()
  const { order } = useSiteSettings()
  const format = useFormat()
  const { data: owned } = useSuspenseQuery(ownedCountQuery)
  const { data: liked } = useSuspenseQuery(likedCountQuery)
  if (!member) return null
  return (
    <Card className={styles.profile}>
      <div className={styles.who}>
        <Avatar name={member.name || member.email} size="l" />
        <div className={styles.words}>
          {member.name && (
            <p className={styles.name} dir="auto">
              {member.name}
            </p>
          )}
          <p className={styles.email}>{member.email}</p>
          <p className={styles.since}>
            <Trans>Member since {format.date(member.createdAt)}</Trans>
          </p>
        </div>
      </div>
      <ul className={styles.counts}>
        <li>
          <Link className={styles.count} to="/mypages/paid-products">
            <b>{format.number(owned.total)}</b>
            <Trans>Purchases</Trans>
          </Link>
        </li>
        <li>
          <Link className={styles.count} to="/mypages/liked-products">
            <b>{format.number(liked.total)}</b>
            <Trans>Wish list</Trans>
          </Link>
        </li>
        {order.usePayment && (
          <li>
            <Link className={styles.count} to="/carts">
              <b>{format.number(member.cartCount)}</b>
              <Trans>Cart</Trans>
            </Link>
          </li>
        )}
      </ul>
    </Card>
  )
}
