import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { ViewerState } from '#contract/catalog.ts'
import type { VideoId } from '#contract/ids.ts'
import type { Lesson, ProductDetail } from '#contract/product-page.ts'
import { usePlanLabels } from '~/features/subscriptions/plans.functions'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Picture } from '~/ui/picture'
import { usePreview } from '../use-preview'
import fulfillmentNoticeStyles from './fulfillment-notice.module.css'
import styles from './locked-panel.module.css'
import watchStyles from './watch-page.module.css'

/** The viewer's ways to get access to a product. */
function useAccessOptions(product: ProductDetail) {
  const member = useMe()
  const { order } = useSiteSettings()
  const open = product.viewer?.entitled || product.access === 'FREE' || (product.access === 'MEMBER' && member !== null)
  const byPlan = order.useSubscribe && (product.access === 'PLAN' || product.access === 'PURCHASE_OR_PLAN')
  return {
    member,
    open,
    forMembers: product.access === 'MEMBER' && !member,
    price: order.usePayment && product.access !== 'PLAN' ? product.price : null,
    // The monthly plan where there is a choice.
    plan: byPlan ? (product.plans.find(({ cycle }) => cycle === 'MONTH') ?? product.plans[0]) : undefined,
  }
}

/** The access option as a sentence, with its price. */
export function AccessText({ product }: { product: ProductDetail }) {
  const format = useFormat()
  const planLabels = usePlanLabels()
  const { open, forMembers, price, plan } = useAccessOptions(product)
  if (open) return <Trans>You have full access.</Trans>
  if (forMembers) return <Trans>Sign in to watch for free.</Trans>
  if (price && product.optionCount > 1) return <Trans>Available from {format.money(price)}.</Trans>
  if (price) return <Trans>Available for {format.money(price)}.</Trans>
  if (plan)
    return (
      <Trans>
        Included in {plan.name}, {planLabels.price(plan.price, plan.cycle)}.
      </Trans>
    )
  return <Trans>You don’t have access to this yet.</Trans>
}

/** The buttons of the access options. `onNavigate` is called when one is followed. */
export function AccessActions({
  product,
  onNavigate,
}: {
  product: ProductDetail
  onNavigate?: (() => void) | undefined
}) {
  const { href } = useLocation()
  const format = useFormat()
  const planLabels = usePlanLabels()
  const { member, open, forMembers, price, plan } = useAccessOptions(product)
  const params = { code: product.code }
  const signIn = <Link to="/login" search={{ redirect: href }} onClick={onNavigate} />
  if (open)
    return (
      <Button
        variant="primary"
        size="l"
        icon="play"
        render={<Link to="/products/$code/watch" params={params} onClick={onNavigate} />}
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
          render={<Link to="/products/$code" params={params} {...(price && { hash: 'buy' })} onClick={onNavigate} />}
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
          render={<Link to="/plans/$id/products" params={{ id: plan.id }} onClick={onNavigate} />}
        >
          {price ? (
            <Trans>With a plan: {planLabels.price(plan.price, plan.cycle)}</Trans>
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

/** The refund that is still possible, and what ends it. */
function LostRefundNotice({ refundable: { amount, until } }: { refundable: NonNullable<ViewerState['refundable']> }) {
  const format = useFormat()
  const price = format.money(amount)
  const date = format.dateTime(until)
  return (
    <Trans>
      You can get a {price} refund until {date}. Watching ends your right to a refund.
    </Trans>
  )
}

export function FulfillmentNotice({ viewer }: { viewer: ViewerState }) {
  const format = useFormat()
  if (viewer.source === 'RENT' && viewer.startBy) {
    const startBy = format.date(viewer.startBy)
    return (
      <>
        <p className={fulfillmentNoticeStyles.title}>
          <Trans>Your rental starts when you press play.</Trans>
        </p>
        <p>
          <Trans>
            Your rental period starts then, and it can no longer be refunded. You can start any time until {startBy}.
          </Trans>
        </p>
        {viewer.refundable && (
          <p>
            <LostRefundNotice refundable={viewer.refundable} />
          </p>
        )}
      </>
    )
  }
  return (
    <>
      <p className={fulfillmentNoticeStyles.title}>
        <Trans>Ready to watch</Trans>
      </p>
      <p>
        {viewer.refundable ? (
          <LostRefundNotice refundable={viewer.refundable} />
        ) : (
          <Trans>Once you start watching, this title can’t be refunded. You can watch it as often as you like.</Trans>
        )}
      </p>
    </>
  )
}

interface EndingProps {
  product: ProductDetail
  /** The lesson of several that has ended. */
  lesson: Lesson | undefined
}

/** Shown at the end when nothing comes next: what to do now, or how to get access to the rest. */
export function Ending({ product, lesson }: EndingProps) {
  const isClosed = product.lessons.some(({ playable }) => !playable)
  return (
    <>
      <p className={watchStyles.ending}>
        <Trans>You finished {storeText(lesson ?? product, 'title')}.</Trans>{' '}
        {isClosed && <AccessText product={product} />}
      </p>
      {isClosed ? (
        <div className={watchStyles.ways}>
          <AccessActions product={product} />
        </div>
      ) : (
        <Button variant="inverse" render={<Link to="/products/$code" params={{ code: product.code }} />}>
          <Trans>Leave a comment, or find more like this</Trans>
        </Button>
      )}
    </>
  )
}

/** Replaces the player without access: the preview and the access options. */
export function LockedPanel({ product }: { product: ProductDetail }) {
  const { previewId } = product
  return (
    <section className={styles.locked} aria-labelledby="locked">
      <Picture className={styles.poster} picture={product.poster} sizes="100vw" rounded={false} eager decorative />
      <div className={styles.words}>
        <h2 id="locked" className={styles.title}>
          <AccessText product={product} />
        </h2>
        <div className={styles.actions}>
          <AccessActions product={product} />
          {previewId && <PreviewButton product={product} previewId={previewId} />}
        </div>
      </div>
    </section>
  )
}

function PreviewButton({ product, previewId }: { product: ProductDetail; previewId: VideoId }) {
  const preview = usePreview({ productId: product.id, previewId, code: product.code, title: product.title })
  return (
    <Button variant="secondary" size="l" icon="play" {...preview}>
      <Trans>Watch the preview</Trans>
    </Button>
  )
}
