import * as z from 'zod/mini'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'

/**
 * TLS: encrypted from the beginning, usually on port 465. STARTTLS: encrypted before the sign-in,
 * usually on port 587. NONE: not encrypted, for a server on the same machine in the demo.
 */
export const mailSecurity = z.enum(['TLS', 'STARTTLS', 'NONE'])
export type MailSecurity = z.output<typeof mailSecurity>

/** The name or the IP address of a server, without a port. */
const host = requiredText(253).check(
  z.regex(/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|[\da-f:]*:[\da-f:.]*)$/iu),
)
const port = z.int().check(z.gte(1), z.lte(65_535))
const address = z.email().check(z.maxLength(254))

const mailServer = z.object({
  host: z.string(),
  port: z.int(),
  security: mailSecurity,
  /** Null where the server asks for no sign-in. */
  username: z.nullable(z.string()),
  /** Whether a password is stored. It cannot be read. */
  hasPassword: z.boolean(),
  /** The display name of the sender; null for the store’s name. */
  senderName: z.nullable(z.string()),
  senderAddress: z.string(),
})

/** That a store’s server takes no mails: since when, its last answer, and the next attempt. */
const mailServerOutage = z.object({
  since: z.iso.datetime(),
  reason: z.string(),
  retryAt: z.nullable(z.iso.datetime()),
})

/** The mail server of a store, and what sends its mails without one. */
export const storeMailServer = z.object({
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /** Null where the installation’s server sends the mails. */
  server: z.nullable(mailServer),
  /** Null while the server takes mails. */
  outage: z.nullable(mailServerOutage),
  /** The sender address of the installation’s server; null if it has none. */
  installationSender: z.nullable(z.string()),
  /** Whether a connection may be unencrypted: in the demo and in development. */
  allowsPlain: z.boolean(),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StoreMailServer = z.output<typeof storeMailServer>

export const mailServerChange = z.object({
  host,
  port,
  security: mailSecurity,
  /** Empty where the server asks for no sign-in. */
  username: z._default(textUpTo(320), ''),
  /** What is left out or empty stays, unless the host or the user name changes. */
  password: z.optional(z.string().check(z.maxLength(500))),
  /** Empty for the store’s name. */
  senderName: z._default(textUpTo(100), ''),
  senderAddress: address,
})
export type MailServerChange = z.output<typeof mailServerChange>

/**
 * SENT: the server has taken the test mail. REFUSED: it refuses it for good. LATER: it refuses it
 * for the moment. UNAVAILABLE: it cannot be reached, or does not accept the sign-in.
 */
export const mailServerTested = z.object({
  to: z.string(),
  result: z.enum(['SENT', 'REFUSED', 'LATER', 'UNAVAILABLE']),
  /** What the server answered, in its own words. */
  answer: z.string(),
})
