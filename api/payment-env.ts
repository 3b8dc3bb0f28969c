import type { Actor, Ctx, Customer } from './context.ts'
import { withTenant } from './db/with-tenant.ts'
import type { Deps } from './deps.ts'
import type { PaymentEnv } from './domain/payments/env.ts'
import { secretFor } from './secrets.ts'

interface Request extends Pick<Ctx, 'customer' | 'locale' | 'actor' | 'log' | 'requestId'> {
  deps: Deps
  /** The storefront's, as the browser knows it. */
  origin: string
}

/** What a verb of payment needs, for a call, a webhook or a job. */
export const paymentEnv = ({ deps, customer, locale, actor, log, requestId, origin }: Request): PaymentEnv => {
  const shared = { customer, locale, actor, log, requestId, clock: deps.clock }
  return {
    ...shared,
    origin,
    provider: deps.providerOf(customer),
    providerNamed: (name) => deps.providerOf(customer, name),
    sealSecret: secretFor(deps.secret, 'sealed columns'),
    inTransaction: (work) => withTenant(deps.pool, customer.id, (db) => work({ ...shared, db })),
  }
}

/** Nobody asks: a message of the provider, or the reconciliation. */
const nobody: Actor = { kind: 'GUEST', guestId: null }

export const unattendedPaymentEnv = (deps: Deps, customer: Customer, requestId: string) =>
  paymentEnv({
    ...{ deps, customer, locale: customer.settings.base.locale, actor: nobody, requestId },
    log: deps.log.child({ requestId, customer: customer.code }),
    // Nobody is sent to a page.
    origin: customer.settings.seo.publicUrl ?? deps.publicUrl ?? 'http://localhost',
  })
