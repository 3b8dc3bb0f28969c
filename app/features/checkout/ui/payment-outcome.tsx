import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { useWatchButton } from '~/features/playback/use-watch-links'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { Outcome } from '~/ui/notice'
import { Picture } from '~/ui/picture'
import { usePaymentFailure, useTryAgain } from '../use-payment-failure'
import styles from './result-page.module.css'

/** The purchased items with links to watch them, and the receipt. */
export function PaymentSucceeded({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  const opening = useWatchButton()
  const member = useMe()
  const { payment, items } = order
  const receipt = [
    { key: 'code', term: t`Order number`, value: leftToRight(order.code) },
    { key: 'paid', term: t`Payment date`, value: format.dateTime(order.paidAt ?? order.createdAt) },
    ...(payment?.card
      ? [{ key: 'card', term: t`Card`, value: t`${payment.card.issuer}, ending in ${payment.card.lastFour}` }]
      : []),
    ...(payment?.account
      ? [
          {
            key: 'bank',
            term: t`Bank transfer`,
            value: t`${payment.account.bank}, ${leftToRight(payment.account.number)}`,
          },
        ]
      : []),
    { key: 'total', term: t({ message: 'Paid', context: 'amount' }), value: format.money(order.total), total: true },
  ]
  return (
    <>
      <Outcome
        mark={{ icon: 'check' }}
        title={order.total.amount === 0 ? <Trans>It’s yours. Enjoy!</Trans> : <Trans>Payment complete. Enjoy!</Trans>}
      >
        {items.every(({ product }) => product.ready) ? (
          <Plural value={items.length} one="Your purchase is ready." other="Your # titles are ready." />
        ) : (
          <Trans>Some of what you bought isn’t ready yet. It will open here as soon as it is.</Trans>
        )}
      </Outcome>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item.id} className={styles.item}>
            <Picture picture={item.product.poster} sizes="9rem" ratio={16 / 9} decorative />
            <div className={styles.words}>
              <p className={styles.name}>{storeText(item.product, 'title')}</p>
              <p className={styles.soft}>{storeText(item, 'optionName')}</p>
            </div>
            {item.product.ready && (
              <Button variant={items.length === 1 ? 'primary' : 'secondary'} {...opening(item.product)} />
            )}
          </li>
        ))}
      </ul>
      <Card className={styles.receipt}>
        <h2 className={styles.receiptTitle}>
          <Icon name="receipt" size="m" />
          <Trans>Receipt</Trans>
        </h2>
        <DescriptionList amounts rows={receipt} />
        <p className={styles.small}>
          {member && <Trans>Purchased by {member.name || member.email}.</Trans>}{' '}
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            <Trans>View order and receipt</Trans>
          </Link>
        </p>
      </Card>
      <p className={styles.onward}>
        <Button variant="ghost" iconEnd="arrow-end" render={<Link to="/mypages/paid-products" />}>
          <Trans>See all purchases</Trans>
        </Button>
      </p>
    </>
  )
}

/** Why the payment failed, and how to try again. The cart is unchanged. */
export function PaymentFailed({ order }: { order: Order }) {
  const failure = usePaymentFailure()
  const again = useTryAgain(order)
  const byBank = order.method === 'BANK'
  return (
    <Outcome
      mark={{ icon: byBank ? 'bank' : 'card', failed: true }}
      title={<Trans>Your payment didn’t go through.</Trans>}
      reason={failure(order.payment?.failure ?? null)}
      actions={
        <>
          <Button
            variant="primary"
            size="l"
            icon={byBank ? 'retry' : 'card'}
            render={<Link to="/payments" search={again} />}
          >
            {byBank ? <Trans>Order again</Trans> : <Trans>Try another card</Trans>}
          </Button>
          <Button size="l" render={<Link to="/carts" />}>
            <Trans>Back to cart</Trans>
          </Button>
        </>
      }
      note={
        <p className={styles.small}>
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            <Trans>Order {leftToRight(order.code)}</Trans>
          </Link>
        </p>
      }
    >
      <Trans>You haven’t been charged, and your selection is saved.</Trans>
    </Outcome>
  )
}
