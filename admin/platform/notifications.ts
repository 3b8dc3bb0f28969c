import { type Failure, failureTextAlone } from './failure'
import { i18n } from './i18n'

type Kind = 'success' | 'warning' | 'error'

/** Shows a notification in a corner of the page. Its component is loaded on first use. */
export const notify = (kind: Kind, content: string | Failure): void => {
  const title = typeof content === 'string' ? content : failureTextAlone(i18n, content)
  // Without a connection from the first moment on, nothing can be shown.
  import('./toasts').then(({ showToast }) => showToast(kind, title)).catch(() => {})
}
