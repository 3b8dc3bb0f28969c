import { Plural, Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { ProductOption } from '#contract/catalog.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { usePlayerPrefetch } from '~/features/playback/use-preview'
import { usePlanLabels } from '~/features/subscriptions/plans.functions'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from './buy-panel.module.css'
import { OptionForm } from './option-form'

/** The options that a product page offers the viewer. */
type AccessOption =
  | { to: 'watch' }
  | { to: 'download' }
  | { to: 'sign in' }
  /** An order of it waits for the member's bank transfer. */
  | { to: 'transfer'; order: OrderCode; until: string | null }
  | { to: 'buy'; options: ProductOption[]; orPlan: boolean }
  | { to: 'plan' }
  | { to: 'nothing' }
  /** The product has no stream or file yet. `owned`: the member has bought it already. */
  | { to: 'wait'; owned: boolean }

/** Whether there is a video, not only files. */
const hasStream = ({ durationSeconds, lessons }: ProductDetail) => durationSeconds !== null || lessons.length > 0

/** Decides by the product's access, the viewer's rights and the store's offers. */
export function accessOption(product: ProductDetail, order: SiteSettings['order'], signedIn: boolean): AccessOption {
  if (!product.ready) return { to: 'wait', owned: ['OWN', 'RENT'].includes(product.viewer?.source ?? '') }
  const open = product.access === 'FREE' || (product.access === 'MEMBER' && signedIn)
  if (product.viewer?.entitled || (open && order.useFree)) return { to: hasStream(product) ? 'watch' : 'download' }
  if (product.access === 'MEMBER' && order.useFree) return { to: 'sign in' }

  const awaiting = product.viewer?.awaitingTransfer
  if (awaiting) return { to: 'transfer', ...awaiting }
  const byPlan = order.useSubscribe && (product.access === 'PLAN' || product.access === 'PURCHASE_OR_PLAN')
  const bySale = order.usePayment && product.access !== 'PLAN' && product.options.length > 0
  if (bySale) return { to: 'buy', options: product.options, orPlan: byPlan }
  return { to: byPlan ? 'plan' : 'nothing' }
}

interface Props {
  product: ProductDetail
  /** Whether it is shown below the purchase options rather than in their place. */
  secondary?: boolean
}

/** The plans that include a product, with a link to the cheapest. */
function PlanOffer({ product, secondary = false }: Props) {
  const planLabels = usePlanLabels()
  const member = useMe()
  // Prefers a monthly plan, because it is the smaller commitment.
  const plan = product.plans.find(({ cycle }) => cycle === 'MONTH') ?? product.plans[0]
  const others = product.plans.length - 1
  if (!plan) {
    return secondary ? null : (
      <p className={styles.quiet}>
        <Trans>This title comes with a plan, but no plan currently on sale includes it.</Trans>
      </p>
    )
  }
  const price = planLabels.price(plan.price, plan.cycle)
  const changes = member?.usePlan.regular
  return (
    <div className={secondary ? styles.beside : styles.form}>
      <p className={secondary ? styles.or : styles.lead}>
        {secondary ? <Trans>Or watch it with a plan</Trans> : <Trans>Included in {storeText(plan, 'name')}</Trans>}
      </p>
      {!secondary && (
        <p className={styles.quiet}>
          <Trans>This title isn’t sold separately. Get a plan to watch it and everything else in the plan.</Trans>
        </p>
      )}
      <Button
        variant={secondary ? 'secondary' : 'primary'}
        size="l"
        full
        icon="sparkle"
        render={
          changes ? (
            <Link to="/mypages/subscription" search={{ step: 'change', plan: plan.id }} preload={false} />
          ) : (
            <Link to="/plans/$id/payment" params={{ id: plan.id }} />
          )
        }
      >
        {/* One item of the button's row, so that the name and the comma stay together. */}
        <span>
          <Trans>
            {storeText(plan, 'name')}, {price}
          </Trans>
        </span>
      </Button>
      <p className={styles.note}>
        <Link className={styles.link} to="/plans/$id/products" params={{ id: plan.id }}>
          <Trans>See what’s included</Trans>
        </Link>
        {others > 0 && (
          <Link className={styles.link} to="/plans">
            <Plural value={others} one="Also in # other plan" other="Also in # other plans" />
          </Link>
        )}
      </p>
    </div>
  )
}

/** What a member has ordered and not yet transferred, with the order's bank details. */
function AwaitingTransfer({ order, until }: { order: OrderCode; until: string | null }) {
  const format = useFormat()
  return (
    <>
      <p className={styles.lead}>
        <Trans>Awaiting your transfer</Trans>
      </p>
      <p className={styles.quiet}>
        {until ? (
          <Trans>
            Transfer the amount of order {order} by {format.dateTime(until)} to get this title.
          </Trans>
        ) : (
          <Trans>Transfer the amount of order {order} to get this title.</Trans>
        )}
      </p>
      <Button
        variant="primary"
        size="l"
        full
        icon="bank"
        render={<Link to="/mypages/order-histories/$code" params={{ code: order }} />}
      >
        <Trans>View order</Trans>
      </Button>
    </>
  )
}

/** The next step for a product and its price. */
export function BuyPanel({ product }: { product: ProductDetail }) {
  const { order } = useSiteSettings()
  const member = useMe()
  const here = useLocation({ select: ({ href }) => href })
  const access = accessOption(product, order, member !== null)
  switch (access.to) {
    case 'watch':
      return <Watch product={product} />
    case 'download':
      return (
        <div className={styles.panel}>
          <Button variant="primary" size="l" full icon="download" render={<a href="#files" />}>
            <Trans>View files</Trans>
          </Button>
        </div>
      )
    case 'sign in':
      return (
        <div className={styles.panel}>
          <p className={styles.lead}>
            <Trans>Free for members</Trans>
          </p>
          <Button variant="primary" size="l" full icon="play" render={<Link to="/login" search={{ redirect: here }} />}>
            <Trans>Sign in to watch</Trans>
          </Button>
        </div>
      )
    case 'transfer':
      return (
        <div className={styles.panel}>
          <AwaitingTransfer order={access.order} until={access.until} />
          <FreeLesson product={product} />
        </div>
      )
    case 'buy':
      return (
        <div className={styles.panel}>
          <OptionForm product={product} options={access.options} />
          {access.orPlan && <PlanOffer product={product} secondary />}
          <FreeLesson product={product} />
        </div>
      )
    case 'plan':
      return (
        <div className={styles.panel}>
          <PlanOffer product={product} />
          {!member && (
            <Button size="l" full render={<Link to="/login" search={{ redirect: here }} />}>
              <Trans>Have a plan? Sign in</Trans>
            </Button>
          )}
          <FreeLesson product={product} />
        </div>
      )
    case 'nothing':
      return (
        <div className={styles.panel}>
          <p className={styles.quiet}>
            <Trans>This title isn’t available right now.</Trans>
          </p>
          <FreeLesson product={product} />
        </div>
      )
    case 'wait':
      return (
        <div className={styles.panel}>
          <p className={styles.lead}>
            {access.owned ? <Trans>You own this, but it isn’t ready yet</Trans> : <Trans>Not available yet</Trans>}
          </p>
          <p className={styles.quiet}>
            {access.owned ? (
              <Trans>
                You’ll be able to open it here as soon as it’s ready. If you’d rather not wait, request a refund from
                your order.
              </Trans>
            ) : (
              <Trans>You can’t buy or watch this title yet. Please check back later.</Trans>
            )}
          </p>
          {access.owned && (
            <Button size="l" full render={<Link to="/mypages/order-histories" />}>
              <Trans>View orders</Trans>
            </Button>
          )}
        </div>
      )
    default:
      return access satisfies never
  }
}

function Watch({ product }: { product: ProductDetail }) {
  usePlayerPrefetch()
  const { viewer, code, options } = product
  const started = viewer?.progress !== null && viewer?.progress !== undefined && viewer.progress > 0
  const ownOptions = viewer?.source === 'RENT' ? options.filter(({ type }) => type === 'OWN') : []
  return (
    <div className={styles.panel}>
      <AccessSummary product={product} />
      <Button
        variant="primary"
        size="l"
        full
        icon="play"
        render={<Link to="/products/$code/watch" params={{ code }} />}
      >
        {started ? <Trans>Continue watching</Trans> : <Trans>Watch now</Trans>}
      </Button>
      {ownOptions.length > 0 && <OptionForm product={product} options={ownOptions} secondary />}
    </div>
  )
}

/** Why the viewer may watch, and until when. */
function AccessSummary({ product }: { product: ProductDetail }) {
  const format = useFormat()
  const { viewer, access } = product
  const message = () => {
    if (viewer?.source === 'GRANT' && viewer.expiresAt)
      return <Trans>Yours until {format.dateTime(viewer.expiresAt)}.</Trans>
    if (viewer?.source === 'OWN' || viewer?.source === 'GRANT') return <Trans>You own this.</Trans>
    if (viewer?.source === 'PLAN') return <Trans>Included in your plan.</Trans>
    if (viewer?.source === 'RENT') {
      if (viewer.expiresAt) return <Trans>Rented until {format.dateTime(viewer.expiresAt)}.</Trans>
      if (viewer.startBy) return <Trans>Rented. Start watching by {format.dateTime(viewer.startBy)}.</Trans>
    }
    if (access === 'MEMBER') return <Trans>Free for members.</Trans>
    return access === 'FREE' ? <Trans>Free for everyone.</Trans> : null
  }
  const text = message()
  if (!text) return null
  return (
    <p className={styles.right}>
      <Icon name="success" size="m" />
      {text}
    </p>
  )
}

function FreeLesson({ product }: { product: ProductDetail }) {
  const lessonLabels = useLessonLabels()
  const lesson = product.lessons.find(({ free }) => free)
  if (!lesson) return null
  return (
    <Button
      full
      icon="play"
      className={styles.free}
      render={<Link to="/products/$code/watch" params={{ code: product.code }} search={{ lesson: lesson.id }} />}
    >
      {lessonLabels.watchFree}
    </Button>
  )
}
