import { Trans, useLingui } from '@lingui/react/macro'
import type { ProductCard } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Price, PriceNote } from '~/ui/price'

type Priced = Pick<ProductCard, 'access' | 'price' | 'listPrice' | 'priceType' | 'optionCount' | 'viewer'>

/**
 * Whether the store sells plans only (payment off, subscriptions on), so products have no price.
 */
function useOnlyPlans(): boolean {
  const { usePayment, useSubscribe } = useSiteSettings().order
  return !usePayment && useSubscribe
}

/** The price of a product; nothing if the viewer may watch it already. */
export function ProductPrice({ product }: { product: Priced }) {
  const { t } = useLingui()
  const format = useFormat()
  const onlyPlans = useOnlyPlans()
  const { price, listPrice, access } = product

  if (access === 'FREE') return <Trans>Free</Trans>
  if (access === 'MEMBER') return <Trans>Free for members</Trans>
  if (product.viewer?.entitled) return null
  if (onlyPlans || access === 'PLAN' || !price) return access === 'PURCHASE' ? null : <Trans>With a plan</Trans>

  const amount = format.money(price)
  const reduced = listPrice && listPrice.amount > price.amount ? listPrice : null
  return (
    <Price
      size="s"
      amount={
        product.optionCount > 1 ? (
          <Trans comment="The cheapest of several ways to buy: $1.29 and more">
            <PriceNote>From</PriceNote> {amount}
          </Trans>
        ) : (
          amount
        )
      }
      suffix={product.priceType === 'RENT' && product.optionCount === 1 ? <Trans>to rent</Trans> : undefined}
      list={reduced ? { amount: format.money(reduced), label: t`Original price:` } : undefined}
      discount={reduced ? format.change(price.amount / reduced.amount - 1) : undefined}
    />
  )
}
