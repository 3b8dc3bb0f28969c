import type { Logger } from 'pino'
import { storeOriginOf, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Clock, Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { listen } from '#api/platform/db/connections.ts'
import type { Mailer } from '#api/platform/mail/transport.ts'
import { type CustomerId, customerId } from '#contract/ids.ts'
import { mailChannel } from './mail.queries.ts'
import { sendDueMails } from './mails.ts'

/** The dependencies of sending mails. */
export interface MailDeps extends TenancyDeps {
  /** A direct connection, which waits for new mails. */
  jobsDatabaseUrl: string
  clock: Clock
  log: Logger
  /** The mail server; null if mails are stored but not sent. */
  mailer: Mailer | null
  /** Whether the demo's mailbox is enabled. */
  mailbox: boolean
}

/** Sends the queued mails of a tenant that are due. */
export const sendMails = async (deps: MailDeps, customer: Customer) => {
  const { pool, clock, log, mailer, mailbox } = deps
  const origin = await storeOriginOf(deps, customer)
  const inTransaction = <Answer>(work: Parameters<typeof withTenant<Answer>>[2]) => withTenant(pool, customer.id, work)
  while (await sendDueMails({ customer, clock, log, mailer, retainsContent: mailbox, origin, inTransaction }));
}

/**
 * Sends each mail as soon as it is queued, so that codes do not wait for the sweep, which retries
 * failures. Several processes may run this; each mail is claimed by one.
 */
export const startFreshMails = (deps: MailDeps): AsyncDisposable => {
  const waiting = new Set<CustomerId>()
  let running: Promise<void> | null = null
  const sendAll = async () => {
    for (const id of waiting) {
      waiting.delete(id)
      const customer = await readCustomer(deps.pool, id)
      if (customer) await sendMails(deps, customer)
    }
  }
  const listener = listen(deps, { channel: mailChannel, name: 'marquee-mails' }, (payload) => {
    const { data: id } = customerId.safeParse(payload)
    if (id) waiting.add(id)
    running ??= sendAll()
      .catch((error: unknown) =>
        deps.log.error({ err: error }, 'New mails could not be sent; the next scheduled run sends them'),
      )
      .finally(() => {
        running = null
      })
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await running
    },
  }
}
