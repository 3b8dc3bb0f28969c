import type { Hono } from 'hono'
import type { Merchant, PaymentProvider } from '#api/payments/port.ts'
import type { CustomerId } from '#contract/ids.ts'
import { deliverDue, type Post } from './deliveries.ts'
import { createHostedPages } from './hosted-page.ts'
import { createSandboxProvider, type SandboxDeps } from './provider.ts'

/** Long enough after a payment's last step for its late webhooks; what is left then waits for the minute's sweep. */
const awakeSeconds = 20

export interface Sandbox {
  provider: PaymentProvider
  /** The hosted pages, below /sandbox. */
  pages: Hono
  /** Sends a merchant's webhooks that are due; answers how many arrived. */
  deliverDue: (merchant: Pick<Merchant, 'id' | 'code'>, post: Post) => Promise<number>
  /** Merchants with a payment that has just moved. */
  awake: () => CustomerId[]
}

/** The embedded payment provider, whole: its port, its pages and its webhooks. */
export const createSandbox = (deps: SandboxDeps): Sandbox => {
  const wakeUntil = new Map<CustomerId, number>()
  const wake = (id: CustomerId) => wakeUntil.set(id, deps.now().getTime() + awakeSeconds * 1000)
  return {
    provider: createSandboxProvider(deps, wake),
    pages: createHostedPages(deps, wake),
    deliverDue: (merchant, post) => deliverDue(deps, merchant, post),
    awake: () => {
      const now = deps.now().getTime()
      for (const [id, until] of wakeUntil) if (until < now) wakeUntil.delete(id)
      return [...wakeUntil.keys()]
    },
  }
}
