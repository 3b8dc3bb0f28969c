/** What proxies write down for a request whose sender left before the answer. */
const clientClosedRequest = 499

/**
 * Gives the error of an aborted request a status, at once or when it comes: the framework reports every error that has none, and
 * somebody who leaves in the middle is no failure of ours.
 */
export function markClientAbort(signal: AbortSignal): void {
  const mark = () => {
    const { reason } = signal as { reason: unknown }
    if (typeof reason === 'object' && reason !== null && Object.isExtensible(reason))
      Object.assign(reason, { status: clientClosedRequest })
  }
  if (signal.aborted) mark()
  else signal.addEventListener('abort', mark, { once: true })
}
