import { createIsomorphicFn } from '@tanstack/react-start'
import { SearchBox as SearchBoxNow } from '~/features/catalog/ui/search-box'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
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
