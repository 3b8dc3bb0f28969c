import { cookieName } from '~/platform/cookies'

/** Set on `<html>` of pages for visitors without a token: such pages are shared between them. */
export const newVisitorAttribute = 'data-new-visitor'

/**
 * Whether the store knew nothing of the visitor when the page was loaded, and has saved nothing for
 * them since: there is no cart and no history to load. False on the server.
 */
export const isNewVisitor = (): boolean =>
  typeof document !== 'undefined' &&
  document.documentElement.hasAttribute(newVisitorAttribute) &&
  !document.cookie.split('; ').some((cookie) => cookie.startsWith(`${cookieName.knownVisitor}=`))
