import type { Socket } from 'node:net'
import nodemailer from 'nodemailer'
import { connectToPublic, type PublicRequestDeps } from '#api/platform/http/public-requests.ts'
import { asError, type FaultLog } from '#api/platform/log/log.ts'
import type { MailSecurity } from '#contract/admin/mail-servers.ts'
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
export type Delivery =
  | { code: 'SENT'; answer?: string }
  | { code: 'LATER' | 'UNAVAILABLE'; reason: string }
  | { code: 'REFUSED'; reason: string; isForAddress: boolean }

/** Why a server cannot be used: its address, no answer, its encryption, or the sign-in. */
type MailFault = 'ADDRESS_REFUSED' | 'NOT_FOUND' | 'CONNECTION' | 'TLS' | 'SIGN_IN'

/** Sends mails. */
export interface Mailer {
  send: (mail: OutgoingMail) => Promise<Delivery>
  /** Signs in without sending. Returns null, or why the server cannot be used. */
  check: () => Promise<{ fault: MailFault; reason: string } | null>
  close: () => void
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '')
const longestReason = 500

const faultOf = (error: Error): MailFault => {
  if (error.name === 'AddressRefused') return 'ADDRESS_REFUSED'
  const code = codeOf(error)
  if (code === 'EAUTH') return 'SIGN_IN'
  if (code === 'EDNS' || /^(?:ENOTFOUND|EAI_)/.test(code)) return 'NOT_FOUND'
  return code === 'ETLS' || /certificate|\b(?:STARTTLS|TLS|SSL)\b/i.test(error.message) ? 'TLS' : 'CONNECTION'
}

const unreachable = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ECONNREFUSED', 'EPROXY'])
/** Codes of connections that were not made, or took too long as a whole. */
const isUnreachable = (error: Error) =>
  unreachable.has(codeOf(error)) || /^(?:ENOTFOUND|EAI_|EHOST|ENET|EABORT)/.test(codeOf(error))

/** Answers to a recipient that say there is no such mailbox. */
const noMailbox = new Set([550, 551, 553])
/** An extended code of RFC 3463: the server refuses for a rule of its own about senders. */
const isForPolicy = (reason: string) => /\b5\.7\.\d+\b/.test(reason)

const outcomeOf = (thrown: unknown): Delivery => {
  const error = asError(thrown)
  const responseCode = 'responseCode' in error ? Number(error.responseCode) : 0
  const reason = error.message.slice(0, longestReason)
  if (faultOf(error) === 'ADDRESS_REFUSED' || isUnreachable(error) || responseCode === 421)
    return { code: 'UNAVAILABLE', reason }
  if (responseCode < 500) return { code: 'LATER', reason }
  const command = 'command' in error ? error.command : undefined
  return {
    code: 'REFUSED',
    reason,
    isForAddress: command === 'RCPT TO' && noMailbox.has(responseCode) && !isForPolicy(reason),
  }
}

/** Milliseconds. */
const connectionTimeout = 10_000
const limits = {
  pool: true,
  connectionTimeout,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/** Returns a mail as the library takes it. `address` is that of the sender. */
const messageOf = (mail: OutgoingMail, address: string) => ({
  messageId: `<${mail.id}@${address.split('@').at(-1)}>`,
  from: { name: mail.from, address },
  to: { name: '', address: mail.to },
  ...(mail.replyTo && { replyTo: { name: mail.from, address: mail.replyTo } }),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { 'Auto-Submitted': 'auto-generated' },
})

/** A server that refuses the connection or the sign-in refuses each email. */
const refusalOf = (thrown: unknown) => {
  const error = asError(thrown)
  return { fault: faultOf(error), reason: error.message.slice(0, longestReason) }
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
  const transport = nodemailer.createTransport({ url, maxConnections: 2, ...limits })
  return {
    send: async (mail) => {
      if (outage && performance.now() - outage.at < retryInterval) return outage.delivery
      try {
        await transport.sendMail(messageOf(mail, from))
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
          const refusal = refusalOf(error)
          note({ code: 'UNAVAILABLE', reason: refusal.reason })
          return refusal
        },
      ),
    close: () => transport.close(),
  }
}

/** A mail server that a store has named. */
interface StoreServer {
  host: string
  port: number
  security: MailSecurity
  username: string | null
  password: string | null
  senderAddress: string
}

/** Milliseconds for one mail, and for a check, however slowly the server answers. */
const mailTimeout = 45_000
const checkTimeout = 20_000

/**
 * Creates a mailer for the server of a store. It connects to allowed addresses alone, and ends
 * every mail in time. Close it after use.
 */
export const createStoreMailer = (server: StoreServer, requests: PublicRequestDeps): Mailer => {
  const { host, port, security, username, password, senderAddress } = server
  const sockets = new Set<Socket>()
  const connect = async () => {
    const connection = await connectToPublic(requests, { host, port, timeout: requests.timeout ?? connectionTimeout })
    sockets.add(connection)
    connection.once('close', () => sockets.delete(connection))
    return { connection }
  }
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: security === 'TLS',
    requireTLS: security === 'STARTTLS',
    ignoreTLS: security === 'NONE',
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    maxConnections: 1,
    // A server may end a connection between two mails. One that always does is unavailable.
    maxRequeues: 1,
    getSocket: (_: unknown, callback: (error: Error | null, opened?: { connection: Socket }) => void) => {
      connect().then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(asError(error)),
      )
    },
    ...limits,
  })
  const breakUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    send: async (mail) => {
      try {
        const signal = AbortSignal.timeout(mailTimeout)
        const { response } = await transport.sendMail({ ...messageOf(mail, senderAddress), signal })
        return { code: 'SENT', answer: response.slice(0, longestReason) }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    check: async () => {
      const timer = setTimeout(breakUp, checkTimeout)
      try {
        await transport.verify()
        return null
      } catch (error) {
        return refusalOf(error)
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => {
      transport.close()
      breakUp()
    },
  }
}
