import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Cart } from '#contract/cart.ts'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import styles from './cart-summary.module.css'

/** What it comes to, and the way to pay it. The sum here is the sum at the end. */
export function CartSummary({ cart, lines }: { cart: Cart; lines: number }) {
  const format = useFormat()
  const saved = cart.listTotal.amount - cart.total.amount
  const rows = [
    ...(saved > 0
      ? [
          { key: 'list', term: <Trans>Regular price</Trans>, value: format.money(cart.listTotal) },
          {
            key: 'saved',
            term: <Trans>You save</Trans>,
            value: <span className={styles.saved}>{format.money({ ...cart.total, amount: -saved })}</span>,
          },
        ]
      : []),
    { key: 'total', term: <Trans>Total</Trans>, value: <output>{format.money(cart.total)}</output>, total: saved > 0 },
  ]
  return (
    <Card className={styles.summary}>
      <h2 className={styles.title}>
        <Plural value={lines} _0="No items to buy" one="# item" other="# items" />
      </h2>
      <DescriptionList amounts rows={rows} />
      {lines > 0 ? (
        <Button variant="primary" size="l" full render={<Link to="/payments" />}>
          <Trans>Go to checkout</Trans>
        </Button>
      ) : (
        <Button full size="l" render={<Link to="/products" />}>
          <Trans>Browse the store</Trans>
        </Button>
      )}
      <p className={styles.note}>
        <Trans>Taxes included. No additional fees.</Trans>
      </p>
    </Card>
  )
}
