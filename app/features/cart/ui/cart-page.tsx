import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import type { CartItem } from '#contract/cart.ts'
import type { ProductCard } from '#contract/catalog.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import { cartQuery, cartSuggestionsQuery } from '../cart.queries'
import { buyableLines } from '../cart-lines'
import { cartProblem } from '../cart-problems'
import { useRemoveFromCart } from '../use-remove-from-cart'
import { CartLine } from './cart-line'
import styles from './cart-page.module.css'
import { CartSummary } from './cart-summary'

interface Props {
  /** Why a form post was refused, by its code. */
  problem: string | undefined
  /** How the way on from an empty cart is drawn. */
  suggestions: (products: readonly ProductCard[]) => ReactNode
}

export function CartPage({ problem, suggestions }: Props) {
  const { i18n } = useLingui()
  const { data: cart } = useSuspenseQuery(cartQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const removeLine = useRemoveFromCart()
  const remove = (item: CartItem) => {
    removeLine(item)
    // It counts what is left; the button that was pressed goes with its line.
    heading.current?.focus({ preventScroll: true })
  }
  const count = cart.items.length
  const repriced = cart.items.filter(({ priceBefore, blocked }) => priceBefore && !blocked).length

  return (
    <div className={styles.page}>
      <SectionHeading
        level="h1"
        headingRef={heading}
        title={<Trans>Your cart</Trans>}
        count={count > 0 ? <Plural value={count} one="# item" other="# items" /> : undefined}
      />
      {problem && <Notice tone="warning">{i18n._(cartProblem(problem))}</Notice>}
      {repriced > 0 && (
        <Notice tone="info">
          <Plural
            value={repriced}
            one="The price of # item has changed since you added it. You pay today’s price."
            other="The prices of # items have changed since you added them. You pay today’s prices."
          />
        </Notice>
      )}
      {count === 0 ? (
        <EmptyCart suggestions={suggestions} />
      ) : (
        <div className={styles.columns}>
          <ul className={styles.lines}>
            {cart.items.map((item) => (
              <CartLine key={item.option.id} item={item} onRemove={remove} />
            ))}
          </ul>
          <CartSummary cart={cart} lines={buyableLines(cart).length} />
        </div>
      )}
    </div>
  )
}

function EmptyCart({ suggestions }: Pick<Props, 'suggestions'>) {
  const { data: products } = useQuery(cartSuggestionsQuery)
  return (
    <>
      <EmptyState
        icon="cart"
        title={<Trans>Your cart is empty.</Trans>}
        actions={
          <Button variant="primary" render={<Link to="/products" />}>
            <Trans>Browse the store</Trans>
          </Button>
        }
      >
        <Trans>Items you add are saved to your account and stay with you on every device.</Trans>
      </EmptyState>
      {products && products.length > 0 && <div className={styles.suggestions}>{suggestions(products)}</div>}
    </>
  )
}
