import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ProductCard } from '#contract/catalog.ts'
import type { Money } from '#contract/money.ts'
import { useRentalTerms } from '~/features/orders/cart/use-cart'
import { useWatchButton } from '~/features/playback/use-watch-links'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Picture } from '~/ui/picture'
import { SectionHeading } from '~/ui/section-heading'
import { type CheckoutLine, type Choice, useCheckout } from '../checkout.functions'
import styles from './checkout-page.module.css'
import orderLinesStyles from './order-lines.module.css'
import { PayForm } from './pay-form'

/** The items with their prices and the total. */
function OrderLines({ lines, total }: { lines: readonly CheckoutLine[]; total: Money }) {
  const format = useFormat()
  const rentalTerms = useRentalTerms()
  return (
    <section aria-labelledby="items">
      <div className={orderLinesStyles.head}>
        <h2 id="items" className={orderLinesStyles.heading}>
          <Trans>Order summary</Trans>
        </h2>
        {lines.every(({ cartItemId }) => cartItemId) && (
          <Link className={orderLinesStyles.change} to="/carts">
            <Trans>Change</Trans>
          </Link>
        )}
      </div>
      <ul className={orderLinesStyles.lines}>
        {lines.map(({ product, option }) => (
          <li key={option.id} className={orderLinesStyles.line}>
            <Picture picture={product.poster} sizes="6rem" ratio={16 / 9} decorative />
            <div className={orderLinesStyles.words}>
              <p className={orderLinesStyles.title}>{storeText(product, 'title')}</p>
              <p className={orderLinesStyles.option}>{storeText(option, 'name')}</p>
              <p className={orderLinesStyles.meaning}>{rentalTerms(option)}</p>
            </div>
            <p className={orderLinesStyles.price}>{format.money(option.price)}</p>
          </li>
        ))}
      </ul>
      <p className={orderLinesStyles.total}>
        <span>
          <Trans>Total (taxes included)</Trans>
        </span>
        <output>{format.money(total)}</output>
      </p>
    </section>
  )
}

interface Props extends Choice {
  idempotencyKey: string
  /** Why a form post was refused, by its code. */
  problem?: string | undefined
}

/** Checkout: items, terms, payment method and the pay button. */
export function CheckoutPage({ idempotencyKey, product, option, problem }: Props) {
  const state = useCheckout({ product, option })
  if (state.code !== 'READY') {
    return (
      <div className={styles.page}>
        <NothingToPay state={state} />
      </div>
    )
  }
  return (
    <div className={styles.page}>
      <SectionHeading level="h1" title={<Trans>Checkout</Trans>} />
      {state.omittedCount > 0 && (
        <Notice tone="info">
          <Plural
            value={state.omittedCount}
            one="# item in your cart isn’t available and is left out of this order."
            other="# items in your cart aren’t available and are left out of this order."
          />
        </Notice>
      )}
      {state.lines.map(({ product }) => (
        <AwaitingNotice key={product.id} product={product} />
      ))}
      <OrderLines lines={state.lines} total={state.total} />
      <PayForm idempotencyKey={idempotencyKey} lines={state.lines} total={state.total} problem={problem} />
    </div>
  )
}

/** A title of the cart cannot be paid for while an order of it waits for a transfer. */
function AwaitingNotice({ product }: { product: ProductCard }) {
  const awaiting = product.viewer?.awaitingTransfer
  if (!awaiting) return null
  return (
    <Notice tone="warning">
      <Trans>
        {storeText(product, 'title')} is in an order that is awaiting your transfer. Pay for or cancel that order, or
        remove the title from your cart.
      </Trans>{' '}
      <Link to="/mypages/order-histories/$code" params={{ code: awaiting.order }}>
        <Trans>View order</Trans>
      </Link>
    </Notice>
  )
}

function NothingToPay({ state }: { state: Exclude<ReturnType<typeof useCheckout>, { code: 'READY' }> }) {
  const { t } = useLingui()
  const format = useFormat()
  const opening = useWatchButton()
  switch (state.code) {
    case 'OWNED':
      return (
        <EmptyState
          icon="success"
          headingLevel="h1"
          title={t`You already own this.`}
          actions={
            <>
              <Button variant="primary" {...opening(state.product)} />
              <Button render={<Link to="/mypages/paid-products" />}>
                <Trans>Purchases</Trans>
              </Button>
            </>
          }
        >
          <Trans>You don’t need to buy {storeText(state.product, 'title')} again.</Trans>
        </EmptyState>
      )
    case 'INCLUDED':
      return (
        <EmptyState
          icon="success"
          headingLevel="h1"
          title={t`Included in your plan`}
          actions={<Button variant="primary" {...opening(state.product)} />}
        >
          <Trans>You don’t need to pay for {storeText(state.product, 'title')}.</Trans>
        </EmptyState>
      )
    case 'RENTED':
      return (
        <EmptyState
          icon="success"
          headingLevel="h1"
          title={t`You’re already renting this.`}
          actions={
            <>
              <Button variant="primary" {...opening(state.product)} />
              {state.own && (
                <Button render={<Link to="/payments" search={{ product: state.product.code, option: state.own.id }} />}>
                  <Trans>Buy for {format.money(state.own.price)}</Trans>
                </Button>
              )}
            </>
          }
        >
          <Trans>You don’t need to rent {storeText(state.product, 'title')} again.</Trans>
        </EmptyState>
      )
    case 'AWAITING':
      return (
        <EmptyState
          icon="clock"
          headingLevel="h1"
          title={t`Awaiting your transfer`}
          actions={
            <Button
              variant="primary"
              render={<Link to="/mypages/order-histories/$code" params={{ code: state.order }} />}
            >
              <Trans>View order</Trans>
            </Button>
          }
        >
          <Trans>You’ve already ordered {storeText(state.product, 'title')}. Pay for or cancel that order first.</Trans>
        </EmptyState>
      )
    case 'FREE':
      return (
        <EmptyState
          icon="success"
          headingLevel="h1"
          title={t`This title is free.`}
          actions={<Button variant="primary" {...opening(state.product)} />}
        >
          <Trans>You don’t need to pay for {storeText(state.product, 'title')}.</Trans>
        </EmptyState>
      )
    case 'GONE':
      return (
        <EmptyState
          icon="clock"
          headingLevel="h1"
          title={t`This title is no longer available.`}
          actions={
            <Button variant="primary" render={<Link to="/products" />}>
              <Trans>Browse the store</Trans>
            </Button>
          }
        />
      )
    case 'EMPTY':
      return (
        <EmptyState
          icon="cart"
          headingLevel="h1"
          title={t`There’s nothing to pay for.`}
          actions={
            <>
              <Button variant="primary" render={<Link to="/products" />}>
                <Trans>Browse the store</Trans>
              </Button>
              <Button render={<Link to="/mypages/order-histories" />}>
                <Trans>View orders</Trans>
              </Button>
            </>
          }
        >
          <Trans>There’s nothing in your cart that you can buy.</Trans>
        </EmptyState>
      )
    default:
      return state satisfies never
  }
}
