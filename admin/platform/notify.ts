import { type Failure, failureText } from './failure'
import { i18n } from './i18n'

type Kind = 'success' | 'error'

/** Tells what has happened in a corner of the page. What shows it is loaded with the first use. */
export const notify = (kind: Kind, what: string | Failure): void => {
  const title = typeof what === 'string' ? what : failureText(i18n, what)
  void import('./toasts').then(({ toaster }) => toaster.create({ type: kind, title }))
}
