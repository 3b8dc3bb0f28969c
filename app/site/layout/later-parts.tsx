import { createIsomorphicFn } from '@tanstack/react-start'
import { SearchBox as SearchBoxNow } from '~/features/catalog/ui/search-box'
import { hydratedLater, inSuspense, shownByNavigation } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { Footer as FooterNow } from '~/site/footer/footer'
import { Header as HeaderNow } from '~/site/header/header'
import { AppAreas as AppAreasNow } from './app-areas'

/**
 * The parts around a page's content, whose HTML works without JavaScript. The server renders them;
 * the browser loads their script after the page's own.
 */

export const Header = createIsomorphicFn()
  .server(() => inSuspense(HeaderNow))
  .client(() => hydratedLater(() => withMessages(import('~/site/header/header')).then((part) => part.Header)))()

export const Footer = createIsomorphicFn()
  .server(() => inSuspense(FooterNow))
  .client(() => hydratedLater(() => withMessages(import('~/site/footer/footer')).then((part) => part.Footer)))()

export const AppAreas = createIsomorphicFn()
  .server(() => inSuspense(AppAreasNow))
  .client(() => hydratedLater(() => withMessages(import('./app-areas')).then((part) => part.AppAreas)))()

export const SearchBox = createIsomorphicFn()
  .server(() => inSuspense(SearchBoxNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/catalog/ui/search-box')).then((part) => part.SearchBox)),
  )()

// What navigations show until the next page is loaded.

const placeholders = () => withMessages(import('~/site/page-skeletons'))
const listPlaceholders = () => withMessages(import('~/features/catalog/ui/skeletons'))
const productPlaceholder = () => withMessages(import('~/features/catalog/product/ui/product-skeleton'))
const planPlaceholders = () => withMessages(import('~/features/subscriptions/ui/plans-pending'))

export const AccountPending = shownByNavigation(async () => (await placeholders()).AccountPending)
export const CardsPending = shownByNavigation(async () => (await placeholders()).CardsPending)
export const CartPending = shownByNavigation(async () => (await placeholders()).CartPending)
export const CheckoutPending = shownByNavigation(async () => (await placeholders()).CheckoutPending)
export const InquiriesPending = shownByNavigation(async () => (await placeholders()).InquiriesPending)
export const ProfilePending = shownByNavigation(async () => (await placeholders()).ProfilePending)
export const TextSkeleton = shownByNavigation(async () => (await placeholders()).TextSkeleton)
export const WatchPending = shownByNavigation(async () => (await placeholders()).WatchPending)
export const HomeSkeleton = shownByNavigation(async () => (await listPlaceholders()).HomeSkeleton)
export const ProductsSkeleton = shownByNavigation(async () => (await listPlaceholders()).ProductsSkeleton)
export const ProductSkeleton = shownByNavigation(async () => (await productPlaceholder()).ProductSkeleton)
export const PlanPaymentPending = shownByNavigation(async () => (await planPlaceholders()).PlanPaymentPending)
export const PlanProductsPending = shownByNavigation(async () => (await planPlaceholders()).PlanProductsPending)
export const PlansPending = shownByNavigation(async () => (await planPlaceholders()).PlansPending)
export const SubscriptionPending = shownByNavigation(async () => (await planPlaceholders()).SubscriptionPending)
