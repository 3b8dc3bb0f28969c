import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  const remove = useRemoveFromCart()
  const count = cart.items.length
  const repriced = cart.items.filter(({ priceBefore, blocked }) => priceBefore && !blocked).length

  return (
    <div className={styles.page}>
      <SectionHeading
        level="h1"
        title={<Trans>Your cart</Trans>}
        count={count > 0 ? <Plural value={count} one="# title" other="# titles" /> : undefined}
      />
      {problem && <Notice tone="warning">{i18n._(cartProblem(problem))}</Notice>}
      {repriced > 0 && (
        <Notice tone="info">
          <Plural
            value={repriced}
            one="The price of # title has changed since you put it in. You pay what it costs today."
            other="The prices of # titles have changed since you put them in. You pay what they cost today."
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
        title={<Trans>There is nothing in your cart yet.</Trans>}
        actions={
          <Button variant="primary" render={<Link to="/products" />}>
            <Trans>Look around</Trans>
          </Button>
        }
      >
        <Trans>What you put in stays here, on every device you sign in on.</Trans>
      </EmptyState>
      {products && products.length > 0 && <div className={styles.suggestions}>{suggestions(products)}</div>}
    </>
  )
}
