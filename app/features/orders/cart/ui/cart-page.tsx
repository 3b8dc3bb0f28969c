import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { type ReactNode, useRef } from 'react'
import type { Cart, CartItem } from '#contract/orders.ts'
import { refusalMessages } from '~/platform/api/failures'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Button, IconButton } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { classNames } from '~/ui/element'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Picture } from '~/ui/picture'
import { Price } from '~/ui/price'
import { SectionHeading } from '~/ui/section-heading'
import { buyableLines, cartQuery } from '../cart.functions'
import { isPending, useRemoveFromCart, useRentalTerms } from '../use-cart'
import lineStyles from './cart-line.module.css'
import styles from './cart-page.module.css'
import cartSummaryStyles from './cart-summary.module.css'

/** The message of a refused change of the cart, by problem code. */
const cartProblem = refusalMessages({
  byCode: {
    ALREADY_OWNED: msg`You already own this title, so you don’t need to buy it again.`,
    CART_CHANGED: msg`Your cart was updated elsewhere. This is the latest version.`,
    NOT_FOUND: msg`This title is no longer available.`,
    NOT_READY: msg`This title isn’t available yet.`,
    GONE: msg`This title is no longer available.`,
  },
  otherwise: msg`We couldn’t update your cart.`,
})

/** The total and the link to checkout. */
function CartSummary({ cart, lines }: { cart: Cart; lines: number }) {
  const format = useFormat()
  const saved = cart.listTotal.amount - cart.total.amount
  const rows = [
    ...(saved > 0
      ? [
          { key: 'list', term: <Trans>Regular price</Trans>, value: format.money(cart.listTotal) },
          {
            key: 'saved',
            term: <Trans>You save</Trans>,
            value: <span className={cartSummaryStyles.saved}>{format.money({ ...cart.total, amount: -saved })}</span>,
          },
        ]
      : []),
    { key: 'total', term: <Trans>Total</Trans>, value: <output>{format.money(cart.total)}</output>, total: saved > 0 },
  ]
  return (
    <Card className={cartSummaryStyles.summary}>
      <h2 className={cartSummaryStyles.title}>
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
      <p className={cartSummaryStyles.note}>
        <Trans>Taxes included. No additional fees.</Trans>
      </p>
    </Card>
  )
}

interface Props {
  /** Why a form post was refused, by its code. */
  problem: string | undefined
  /** Below an empty cart. */
  suggestions: ReactNode
}

export function CartPage({ problem, suggestions }: Props) {
  const { i18n } = useLingui()
  const { data: cart } = useSuspenseQuery(cartQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const removeLine = useRemoveFromCart()
  const remove = (item: CartItem) => {
    removeLine(item)
    // The pressed button disappears with its line, so the heading takes the focus.
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
      <div className={styles.suggestions}>{suggestions}</div>
    </>
  )
}

interface CartLineProps {
  item: CartItem
  onRemove: (item: CartItem) => void
}

/** One line of the cart: product, option and price, or why it cannot be bought. */
function CartLine({ item, onRemove }: CartLineProps) {
  const { t } = useLingui()
  const format = useFormat()
  const rentalTerms = useRentalTerms()(item.option)
  const { product, option, price, priceBefore, blocked } = item
  const before = priceBefore ?? (option.listPrice && option.listPrice.amount > price.amount ? option.listPrice : null)
  const reduced = before !== null && before.amount > price.amount
  const remove = (event: FormEvent) => {
    event.preventDefault()
    onRemove(item)
  }

  return (
    <li className={classNames(lineStyles.line, blocked && lineStyles.blocked)} aria-busy={isPending(item) || undefined}>
      <Picture className={lineStyles.poster} picture={product.poster} sizes="11rem" ratio={16 / 9} decorative />
      <div className={lineStyles.words}>
        <h2 className={lineStyles.title}>
          <Link className={lineStyles.link} to="/products/$code" params={{ code: product.code }}>
            {storeText(product, 'title')}
          </Link>
        </h2>
        <p className={lineStyles.option} lang={langOf(option, 'name')} dir="auto">
          {option.name}
        </p>
        {rentalTerms && <p className={lineStyles.meaning}>{rentalTerms}</p>}
        {blocked && <BlockedReason blocked={blocked} code={product.code} />}
        {!blocked && product.viewer?.awaitingTransfer && (
          <p className={lineStyles.reason}>
            <Badge tone="warning" icon="clock">
              <Trans>Awaiting your transfer</Trans>
            </Badge>
            <Link
              className={lineStyles.watch}
              to="/mypages/order-histories/$code"
              params={{ code: product.viewer.awaitingTransfer.order }}
            >
              <Trans>View order</Trans>
            </Link>
          </p>
        )}
        {!blocked && priceBefore && priceBefore.amount !== price.amount && (
          <p className={lineStyles.changed}>
            <Trans>
              The price changed from {format.money(priceBefore)} to {format.money(price)}.
            </Trans>
          </p>
        )}
      </div>
      <div className={lineStyles.end}>
        <Price
          amount={format.money(price)}
          list={reduced && !blocked ? { amount: format.money(before), label: t`Original price:` } : undefined}
          inactive={blocked !== null}
        />
        <form method="post" onSubmit={remove}>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="id" value={item.id} />
          <IconButton
            type="submit"
            icon="trash"
            size="s"
            label={t`Remove ${product.title} from cart`}
            disabled={isPending(item)}
          />
        </form>
      </div>
    </li>
  )
}

type Blocked = NonNullable<CartItem['blocked']>

const blockedLabels: Record<Blocked, ReactNode> = {
  OWNED: <Trans>You already own this</Trans>,
  INCLUDED_IN_PLAN: <Trans>Included in your plan</Trans>,
  ENDED: <Trans>No longer available</Trans>,
  NOT_READY: <Trans>Not available yet</Trans>,
}

function BlockedReason({ blocked, code }: { blocked: Blocked; code: string }) {
  const canWatch = blocked === 'OWNED' || blocked === 'INCLUDED_IN_PLAN'
  return (
    <p className={lineStyles.reason}>
      <Badge tone={canWatch ? 'success' : 'warning'} icon={canWatch ? 'check' : 'clock'}>
        {blockedLabels[blocked]}
      </Badge>
      {canWatch && (
        <Link className={lineStyles.watch} to="/products/$code/watch" params={{ code }}>
          <Trans>Watch now</Trans>
        </Link>
      )}
    </p>
  )
}
