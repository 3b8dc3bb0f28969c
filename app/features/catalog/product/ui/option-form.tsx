import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ProductOption } from '#contract/catalog.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import { useCart } from '~/features/orders/cart/cart.functions'
import { useAddToCart } from '~/features/orders/cart/use-cart'
import { SharedElement } from '~/platform/document/html-parts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { RadioGroup } from '~/ui/choice'
import { Icon } from '~/ui/icon'
import { Price } from '~/ui/price'
import styles from './buy-panel.module.css'

/** The terms of an option: unlimited, or the days of a rental and its latest start. */
function useOptionTerms() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: ProductOption): string => {
    if (type === 'OWN') return t`Yours to keep. Watch as often as you like.`
    const length = days ?? 0
    const start = startWithinDays ?? 0
    if (!start) return t`${plural(length, { one: '# day', other: '# days' })} from your first play.`
    return t`${plural(length, { one: '# day', other: '# days' })} from your first play. Begin within ${plural(start, { one: '# day', other: '# days' })}.`
  }
}

/** The refund amount and period beside the button, with the store's policy below. */
function RefundTerms({ product, option }: { product: ProductDetail; option: ProductOption }) {
  const format = useFormat()
  const settings = useSiteSettings()
  const { order, languages } = settings
  const { refundPolicy, refundDays } = order
  const { text } = refundPolicy
  const price = format.money(option.price)
  return (
    <SharedElement
      as="div"
      className={styles.refund}
      shown={['refund terms', option.price, product.lessonCount > 1, settings]}
    >
      <Icon name="retry" size="s" />
      <div>
        {product.lessonCount > 1 ? (
          <Trans>
            {price} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t opened any
            part. Parts you haven’t opened stay refundable.
          </Trans>
        ) : (
          <Trans>
            {price} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t started
            watching or downloading.
          </Trans>
        )}
        {text && (
          <details className={styles.terms}>
            <summary>
              <Trans>Refund policy</Trans>
            </summary>
            <p lang={languages['order.refundPolicy.text']} dir="auto">
              {text}
            </p>
          </details>
        )}
      </div>
    </SharedElement>
  )
}

interface OptionFormProps {
  product: ProductDetail
  options: readonly ProductOption[]
  /** Whether a more important action is beside it, such as watching a rental. */
  secondary?: boolean
}

/**
 * Chooses an option to add to the cart or to buy directly. A real form, so it works without
 * JavaScript.
 */
export function OptionForm({ product, options, secondary }: OptionFormProps) {
  const { t } = useLingui()
  const format = useFormat()
  const termsOf = useOptionTerms()
  const { add, isPending } = useAddToCart()
  const [chosenId, choose] = useState<string | undefined>(options[0]?.id)
  const added = useRef(false)
  const cartLink = useRef<HTMLDivElement>(null)
  const cart = useCart()
  const chosen = options.find(({ id }) => id === chosenId) ?? options[0]
  const line = cart?.items.find((item) => item.product.id === product.id)
  const inCart = chosen !== undefined && line?.option.id === chosen.id

  // The pressed button was replaced by the link to the cart, which takes the focus: each time it
  // appears until the server has answered.
  useLayoutEffect(() => {
    if (inCart && added.current)
      cartLink.current?.querySelector<HTMLElement>('a[href$="/carts"]')?.focus({ preventScroll: true })
  }, [inCart])
  useEffect(() => {
    if (!isPending) added.current = false
  }, [isPending])

  if (!chosen) return null
  const price = format.money(chosen.price)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    added.current = true
    add(product, chosen)
  }

  return (
    <form className={styles.form} method="post" action="/carts" onSubmit={submit}>
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="productId" value={product.id} />
      {options.length > 1 ? (
        <RadioGroup
          legend={secondary ? t`Buy to own` : t`Choose an option`}
          name="optionId"
          cards
          value={chosen.id}
          onValueChange={choose}
          options={options.map((option) => ({
            value: option.id,
            label: storeText(option, 'name'),
            hint: termsOf(option),
            end: <OptionPrice option={option} />,
          }))}
        />
      ) : (
        <div className={styles.price}>
          <input type="hidden" name="optionId" value={chosen.id} />
          <OptionPrice option={chosen} size="l" />
          <span className={styles.quiet}>{termsOf(chosen)}</span>
        </div>
      )}
      <div ref={cartLink} className={styles.buttons}>
        <Button
          variant={secondary ? 'secondary' : 'primary'}
          size="l"
          full
          render={<Link to="/payments" search={{ product: product.code, option: chosen.id }} />}
        >
          <Trans>Buy now for {price}</Trans>
        </Button>
        {inCart ? (
          <Button size="l" full icon="check" render={<Link to="/carts" />}>
            <Trans>In your cart</Trans>
          </Button>
        ) : (
          <Button type="submit" size="l" full icon="cart" loading={isPending}>
            <Trans>Add to cart</Trans>
          </Button>
        )}
      </div>
      <RefundTerms product={product} option={chosen} />
    </form>
  )
}

function OptionPrice({ option, size = 'm' }: { option: ProductOption; size?: 'm' | 'l' }) {
  const { t } = useLingui()
  const format = useFormat()
  const { price, listPrice } = option
  const reduced = listPrice && listPrice.amount > price.amount ? listPrice : null
  return (
    <Price
      size={size}
      amount={format.money(price)}
      list={reduced ? { amount: format.money(reduced), label: t`Original price:` } : undefined}
      discount={reduced && size === 'l' ? format.change(price.amount / reduced.amount - 1) : undefined}
    />
  )
}
