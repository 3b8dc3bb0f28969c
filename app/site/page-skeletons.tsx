import { Trans } from '@lingui/react/macro'
import cardsStyles from '~/features/billing/ui/cards-page.module.css'
import textStyles from '~/features/content/ui/text-page.module.css'
import profileStyles from '~/features/identity/profile/ui/profile.module.css'
import cartLineStyles from '~/features/orders/cart/ui/cart-line.module.css'
import cartStyles from '~/features/orders/cart/ui/cart-page.module.css'
import checkoutStyles from '~/features/orders/checkout/ui/checkout-page.module.css'
import orderLineStyles from '~/features/orders/checkout/ui/order-lines.module.css'
import watchDetailStyles from '~/features/playback/ui/watch-details.module.css'
import watchStyles from '~/features/playback/ui/watch-page.module.css'
import inquiryStyles from '~/features/support/ui/inquiry-list.module.css'
import { PosterCardSkeleton, PosterGrid } from '~/ui/poster-grid'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'

// Routes show these before a page's own code has loaded, so they are part of the first load.

/** Placeholder of a text page while it loads. */
export function TextSkeleton() {
  return (
    <div className={textStyles.page} aria-busy>
      <VisuallyHidden>
        <Trans>Loading page…</Trans>
      </VisuallyHidden>
      <Skeleton width="60%" height="2.5rem" />
      <SkeletonText lines={6} />
      <SkeletonText lines={4} />
    </div>
  )
}

const tiles = ['a', 'b', 'c', 'd', 'e', 'f']

/** Placeholder of a list while it loads. */
export function AccountPending() {
  return (
    <div aria-busy>
      <Skeleton width="14rem" height="2.5rem" />
      <br />
      <PosterGrid>
        {tiles.map((tile) => (
          <li key={tile}>
            <PosterCardSkeleton />
          </li>
        ))}
      </PosterGrid>
    </div>
  )
}

const inquiries = ['a', 'b', 'c', 'd']

/** Placeholder of the inquiries while they load. */
export function InquiriesPending() {
  return (
    <div aria-busy>
      <Skeleton width="14rem" height="2.5rem" />
      <ul className={inquiryStyles.list}>
        {inquiries.map((inquiry) => (
          <li key={inquiry} className={inquiryStyles.row}>
            <SkeletonText lines={3} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Placeholder of the cards page while it loads. */
export function CardsPending() {
  return (
    <div className={cardsStyles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <br />
      <div className={cardsStyles.list}>
        <Skeleton height="5.5rem" />
        <Skeleton height="5.5rem" />
      </div>
    </div>
  )
}

/** Placeholder of the profile while it loads. */
export function ProfilePending() {
  return (
    <div aria-busy className={profileStyles.page}>
      <Skeleton width="14rem" height="2.5rem" />
      <Skeleton width="100%" height="28rem" />
      <Skeleton width="100%" height="14rem" />
      <Skeleton width="100%" height="18rem" />
    </div>
  )
}

const cartLines = ['first', 'second', 'third']

/** Placeholder of the cart while it loads. */
export function CartPending() {
  return (
    <div className={cartStyles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <div className={cartStyles.columns}>
        <ul className={cartStyles.lines}>
          {cartLines.map((line) => (
            <li key={line} className={cartLineStyles.line}>
              <Skeleton ratio={16 / 9} />
              <SkeletonText lines={3} />
              <Skeleton width="4rem" height="1.25rem" />
            </li>
          ))}
        </ul>
        <Skeleton height="14rem" />
      </div>
    </div>
  )
}

/** Placeholder of the checkout while it loads. */
export function CheckoutPending() {
  return (
    <div className={checkoutStyles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <div className={orderLineStyles.line}>
        <Skeleton ratio={16 / 9} />
        <SkeletonText lines={2} />
        <Skeleton width="4rem" height="1.25rem" />
      </div>
      <Skeleton height="6rem" />
    </div>
  )
}

/** Placeholder of the watch page while it loads. */
export function WatchPending() {
  return (
    <div className={watchStyles.page} aria-busy>
      <div className={watchStyles.stage} data-theme="dark">
        <div className={watchStyles.alone}>
          <div className={watchStyles.screen}>
            <div className={watchStyles.pending}>
              <Skeleton height="100%" />
            </div>
          </div>
        </div>
      </div>
      <div className={watchDetailStyles.words}>
        <SkeletonText lines={3} />
      </div>
    </div>
  )
}
