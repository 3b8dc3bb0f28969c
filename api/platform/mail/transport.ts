import nodemailer from 'nodemailer'
import { asError, type FaultLog } from '#api/platform/log/log.ts'
import type { MailId } from '#contract/ids.ts'

interface OutgoingMail {
  /** The same for each attempt, so that a mail server can detect duplicates. */
  id: MailId
  /** The store's name, as the display name of the sender. */
  from: string
  replyTo: string | null
  to: string
  subject: string
  text: string
  html: string
}

/**
 * REFUSED: rejected permanently, for its address or content. LATER: rejected temporarily.
 * UNAVAILABLE: the server does not answer.
 */
type Delivery =
  | { code: 'SENT' }
  | { code: 'LATER' | 'UNAVAILABLE'; reason: string }
  | { code: 'REFUSED'; reason: string; isForAddress: boolean }

/** Sends mails. */
export interface Mailer {
  send: (mail: OutgoingMail) => Promise<Delivery>
  /** Signs in without sending. Returns null, or why the server cannot be used. */
  check: () => Promise<string | null>
  close: () => void
}

const unreachable = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ECONNREFUSED', 'EPROXY'])

/** Answers to a recipient that say there is no such mailbox. */
const noMailbox = new Set([550, 551, 553])
/** An extended code of RFC 3463: the server refuses for a rule of its own about senders. */
const isForPolicy = (reason: string) => /\b5\.7\.\d+\b/.test(reason)

const outcomeOf = (thrown: unknown): Delivery => {
  const error = asError(thrown)
  const code = 'code' in error ? String(error.code) : ''
  const responseCode = 'responseCode' in error ? Number(error.responseCode) : 0
  const reason = error.message.slice(0, 500)
  if (unreachable.has(code) || responseCode === 421) return { code: 'UNAVAILABLE', reason }
  if (responseCode < 500) return { code: 'LATER', reason }
  const command = 'command' in error ? error.command : undefined
  return {
    code: 'REFUSED',
    reason,
    isForAddress: command === 'RCPT TO' && noMailbox.has(responseCode) && !isForPolicy(reason),
  }
}

/**
 * An unreachable server is not tried again for this long: each attempt takes up to ten seconds, and
 * every store has mails. Milliseconds.
 */
const retryInterval = 20_000
/** How often a process checks the server by itself. Milliseconds. */
export const mailCheckInterval = 60_000

/**
 * Creates a mailer for an `smtp:` or `smtps:` URL. `from` is the sender's address of every mail.
 * `faults` is notified whether the server answers.
 */
export const createSmtpMailer = (
  { url, from }: { url: string; from: string },
  faults: FaultLog = { onSuccess: () => {}, onFailure: () => {} },
): Mailer => {
  let outage: { delivery: Delivery; at: number } | null = null
  const note = (delivery: Delivery): Delivery => {
    outage = delivery.code === 'UNAVAILABLE' ? { delivery, at: performance.now() } : null
    if (delivery.code === 'UNAVAILABLE') faults.onFailure(new Error(delivery.reason))
    else faults.onSuccess()
    return delivery
  }
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (mail) => {
      if (outage && performance.now() - outage.at < retryInterval) return outage.delivery
      try {
        await transport.sendMail({
          messageId: `<${mail.id}@${from.split('@').at(-1)}>`,
          from: { name: mail.from, address: from },
          to: { name: '', address: mail.to },
          ...(mail.replyTo && { replyTo: { name: mail.from, address: mail.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return note({ code: 'SENT' })
      } catch (error) {
        return note(outcomeOf(error))
      }
    },
    check: () =>
      transport.verify().then(
        () => {
          note({ code: 'SENT' })
          return null
        },
        (error: unknown) => {
          // A server that refuses the connection or the sign-in refuses each email.
          const reason = asError(error).message
          note({ code: 'UNAVAILABLE', reason })
          return reason
        },
      ),
    close: () => transport.close(),
  }
}
