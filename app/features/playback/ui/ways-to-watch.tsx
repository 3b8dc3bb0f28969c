import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { Product } from '#contract/catalog.ts'
import { usePlanWords } from '~/features/plans/use-plan-words'
import { useFormat } from '~/platform/format/use-format'
import { useMe, useSiteSettings } from '~/platform/shell/shell.queries'
import { Button } from '~/ui/button'

/** How the asking person comes to watch a product that they only know a part of. */
function useWays(product: Product) {
  const member = useMe()
  const { order } = useSiteSettings()
  const open = product.viewer?.entitled || product.access === 'FREE' || (product.access === 'MEMBER' && member !== null)
  const byPlan = order.useSubscribe && (product.access === 'PLAN' || product.access === 'PURCHASE_OR_PLAN')
  return {
    member,
    open,
    forMembers: product.access === 'MEMBER' && !member,
    price: order.usePayment && product.access !== 'PLAN' ? product.price : null,
    // By the month where there is a choice: the smaller step.
    plan: byPlan ? (product.plans.find(({ cycle }) => cycle === 'MONTH') ?? product.plans[0]) : undefined,
  }
}

/** The way in a sentence, with its price. */
export function WayWords({ product }: { product: Product }) {
  const format = useFormat()
  const planWords = usePlanWords()
  const { open, forMembers, price, plan } = useWays(product)
  if (open) return <Trans>You have full access.</Trans>
  if (forMembers) return <Trans>Sign in to watch for free.</Trans>
  if (price && product.optionCount > 1) return <Trans>Available from {format.money(price)}.</Trans>
  if (price) return <Trans>Available for {format.money(price)}.</Trans>
  if (plan)
    return (
      <Trans>
        Included in {plan.name}, {planWords.price(plan.price, plan.cycle)}.
      </Trans>
    )
  return <Trans>You don’t have access to this yet.</Trans>
}

/** What to press for it. `onGo` hears that the person leaves. */
export function WayActions({ product, onGo }: { product: Product; onGo?: (() => void) | undefined }) {
  const { href } = useLocation()
  const format = useFormat()
  const planWords = usePlanWords()
  const { member, open, forMembers, price, plan } = useWays(product)
  const params = { code: product.code }
  const signIn = <Link to="/login" search={{ redirect: href }} onClick={onGo} />
  if (open)
    return (
      <Button
        variant="primary"
        size="l"
        icon="play"
        render={<Link to="/products/$code/watch" params={params} onClick={onGo} />}
      >
        <Trans>Watch now</Trans>
      </Button>
    )
  if (forMembers)
    return (
      <Button variant="primary" size="l" icon="user" render={signIn}>
        <Trans>Sign in</Trans>
      </Button>
    )
  return (
    <>
      {(price || !plan) && (
        <Button
          variant="primary"
          size="l"
          render={<Link to="/products/$code" params={params} {...(price && { hash: 'buy' })} onClick={onGo} />}
        >
          {!price ? (
            <Trans>See viewing options</Trans>
          ) : product.optionCount > 1 ? (
            <Trans>Choose a purchase option</Trans>
          ) : (
            <Trans>Buy for {format.money(price)}</Trans>
          )}
        </Button>
      )}
      {plan && (
        <Button
          variant={price ? 'secondary' : 'primary'}
          size="l"
          icon="sparkle"
          render={<Link to="/plans/$id/products" params={{ id: plan.id }} onClick={onGo} />}
        >
          {price ? (
            <Trans>With a plan: {planWords.price(plan.price, plan.cycle)}</Trans>
          ) : (
            <Trans>Watch with a plan</Trans>
          )}
        </Button>
      )}
      {!member && (
        <Button variant="ghost" size="l" render={signIn}>
          {price ? <Trans>Already bought it? Sign in</Trans> : <Trans>Have a plan? Sign in</Trans>}
        </Button>
      )}
    </>
  )
}
