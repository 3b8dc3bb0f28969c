import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { ProductDetail } from '#contract/product-page.ts'
import { useFormat } from '~/platform/format/use-format'
import { laterAttribute } from '~/platform/hydration-boundary'
import { storeText } from '~/platform/i18n/store-text'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import styles from './buy-bar.module.css'
import { accessOption } from './buy-panel'

interface BuyBarProps {
  product: ProductDetail
  /** The panel that the bar replaces. The bar is hidden while the panel is visible. */
  panel: RefObject<HTMLElement | null>
}

/**
 * On a phone: the next step and its price at the bottom edge, as long as the panel that offers them
 * is out of view.
 */
export function BuyBar({ product, panel }: BuyBarProps) {
  const step = useNextStep(product)
  const [isPanelHidden, setPanelHidden] = useState(false)
  useEffect(() => {
    if (!panel.current) return
    // The panel's top edge in the upper part of the window: its buttons are in view then, or have
    // been scrolled through.
    const observer = new IntersectionObserver(([entry]) => setPanelHidden(entry?.isIntersecting ?? false), {
      rootMargin: '0px 0px -40% 0px',
    })
    observer.observe(panel.current)
    return () => observer.disconnect()
  }, [panel])
  if (!step) return null
  return (
    <div className={styles.bar} hidden={isPanelHidden} {...laterAttribute}>
      <p className={styles.text}>
        <span className={styles.title}>{storeText(product, 'title')}</span>
        {step.price && <strong className={styles.price}>{step.price}</strong>}
      </p>
      {step.button}
    </div>
  )
}

function useNextStep(product: ProductDetail): { price?: ReactNode; button: ReactNode } | null {
  const format = useFormat()
  const { order } = useSiteSettings()
  const member = useMe()
  const here = useLocation({ select: ({ href }) => href })
  const access = accessOption(product, order, member !== null)
  const { code } = product
  switch (access.to) {
    case 'watch':
      return {
        button: (
          <Button variant="primary" icon="play" render={<Link to="/products/$code/watch" params={{ code }} />}>
            <Trans>Watch now</Trans>
          </Button>
        ),
      }
    case 'sign in':
      return {
        button: (
          <Button variant="primary" icon="play" render={<Link to="/login" search={{ redirect: here }} />}>
            <Trans>Sign in to watch</Trans>
          </Button>
        ),
      }
    case 'buy': {
      const [cheapest] = access.options.toSorted((a, b) => a.price.amount - b.price.amount)
      if (!cheapest) return null
      const price = format.money(cheapest.price)
      if (access.options.length > 1)
        return {
          price: <Trans>From {price}</Trans>,
          button: (
            <Button variant="primary" render={<a href="#buy" />}>
              <Trans>Choose an option</Trans>
            </Button>
          ),
        }
      return {
        price,
        button: (
          <Button variant="primary" render={<Link to="/payments" search={{ product: code, option: cheapest.id }} />}>
            <Trans>Buy now</Trans>
          </Button>
        ),
      }
    }
    case 'transfer':
      return {
        price: <Trans>Awaiting your transfer</Trans>,
        button: (
          <Button
            variant="primary"
            icon="bank"
            render={<Link to="/mypages/order-histories/$code" params={{ code: access.order }} />}
          >
            <Trans>View order</Trans>
          </Button>
        ),
      }
    case 'plan':
      return {
        button: (
          <Button variant="primary" icon="sparkle" render={<a href="#buy" />}>
            <Trans>Watch with a plan</Trans>
          </Button>
        ),
      }
    case 'download':
    case 'nothing':
    case 'wait':
      return null
    default:
      return access satisfies never
  }
}
