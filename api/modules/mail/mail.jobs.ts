import type { Deps } from '#api/deps.ts'
import { storeOriginOf } from '#api/modules/tenancy/stores.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { listen } from '#api/platform/db/connections.ts'
import type { CustomerId } from '#contract/ids.ts'
import { mailChannel } from './mail.queries.ts'
import { sendDueMails } from './mails.ts'

/** Sends what a tenant has in its out-tray. */
export const sendMails = async (deps: Deps, customer: Customer) => {
  const { pool, clock, log, mailer, mailbox } = deps
  const origin = await storeOriginOf(deps, customer)
  const inTransaction = <Answer>(work: Parameters<typeof withTenant<Answer>>[2]) => withTenant(pool, customer.id, work)
  while (await sendDueMails({ customer, clock, log, mailer, keepWords: mailbox, origin, inTransaction }));
}

/**
 * Sends each mail as soon as it is queued: whoever waits for a code does not wait for the minute's sweep, which is left what failed.
 * Several processes may do so; a mail is taken by one.
 */
export const startFreshMails = (deps: Deps): AsyncDisposable => {
  const waiting = new Set<string>()
  let running: Promise<void> | null = null
  const sendAll = async () => {
    for (const id of waiting) {
      waiting.delete(id)
      const customer = await readCustomer(deps.pool, id as CustomerId)
      if (customer) await sendMails(deps, customer)
    }
  }
  const listener = listen(deps, { channel: mailChannel, name: 'marquee-mails' }, (id) => {
    waiting.add(id)
    running ??= sendAll()
      .catch((error: unknown) => deps.log.error({ err: error }, 'Fresh mails were left to the sweep'))
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
