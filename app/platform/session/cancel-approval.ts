import { requestTimeout } from '~/platform/constants'

/** Ends the session on the server and clears its cookie. A failure changes nothing that could be helped from here. */
export async function cancelApproval(): Promise<void> {
  await fetch('/api/cancel-approval', {
    headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    signal: AbortSignal.timeout(requestTimeout),
  }).catch(() => undefined)
}
