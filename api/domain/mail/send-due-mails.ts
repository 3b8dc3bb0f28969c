import type { Ctx } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import { claimDueMails, type DueMail, keepQueued, markFailed, markSent, putBack } from '#api/db/queries/mails.ts'
import { withLinks } from '#api/mail/links.ts'
import type { Mailer } from '#api/mail/transport.ts'
import { settingsIn } from '#contract/tenancy.ts'

export interface MailEnv extends Pick<Ctx, 'customer' | 'clock' | 'log'> {
  /** Null where there is no mail server: mails are kept. */
  mailer: Mailer | null
  /** The demo's mailbox shows mails that have left as well. */
  keepWords: boolean
  /** Where the links of the store's mails lead. */
  origin: string
  inTransaction: <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>
}

const atOnce = 20
const minute = 60_000
/** How long a mail is one process's alone. If that process dies, another sends it then; a second copy has the same id. */
const claimedFor = 10 * minute
/** Until the next try, by the tries so far; after the last the mail has failed. */
const waits = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute)

/**
 * Sends the tenant's mails that are due, at most `atOnce`; answers whether there may be more. What a server refuses for good has
 * FAILED, what it cannot take now is tried again later and later, and a server that does not answer ends the round for all.
 */
export const sendDueMails = async (env: MailEnv): Promise<boolean> => {
  const { customer, clock, mailer, inTransaction } = env
  if (!mailer) {
    await inTransaction((db) => keepQueued(db, customer.id))
    return false
  }
  const now = clock.now()
  const until = new Date(now.getTime() + claimedFor)
  const claimed = await inTransaction((db) => claimDueMails(db, customer.id, now, until, atOnce))
  for (const [index, mail] of claimed.entries()) {
    if (await sendOne(env, mailer, mail)) continue
    const rest = claimed.slice(index + 1)
    await inTransaction(async (db) => {
      for (const untried of rest) await putBack(db, customer.id, untried, nextTry(env, 1), null)
    })
    return false
  }
  return claimed.length === atOnce
}

const nextTry = ({ clock }: MailEnv, attempts: number) =>
  new Date(clock.now().getTime() + (waits[attempts - 1] ?? waits.at(-1) ?? minute))

/** Sends one mail and writes down how that went; false when the server is away. */
const sendOne = async (env: MailEnv, mailer: Mailer, mail: DueMail): Promise<boolean> => {
  const { customer, clock, log, inTransaction } = env
  const { base, business } = settingsIn(customer.settings, mail.locale)
  const { id, to, subject, text, html } = withLinks(mail, env.origin)
  const from = base.name ?? customer.code
  const delivery = await mailer.send({ id, from, replyTo: business.email, to, subject, text, html })
  if (delivery.code === 'SENT') {
    await inTransaction((db) => markSent(db, customer.id, mail.id, clock.now(), env))
    return true
  }
  const { code, reason } = delivery
  const isLast = code === 'REFUSED' || mail.attempts > waits.length
  log.warn({ customer: customer.code, mail: mail.id, attempts: mail.attempts, isLast, reason }, 'A mail did not leave')
  await inTransaction((db) =>
    isLast
      ? markFailed(db, customer.id, mail.id, reason)
      : putBack(db, customer.id, mail, nextTry(env, mail.attempts), reason),
  )
  return code !== 'AWAY'
}
