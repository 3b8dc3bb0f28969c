import * as z from 'zod/mini'
import { locale, refundStep } from './enumerations.ts'
import { customerCode, memberId, orderCode, sessionId } from './ids.ts'
import { permission } from './permissions.ts'
import { textUpTo, trimmed } from './text.ts'

export const credentials = z.object({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
})

/**
 * `linkKey` is the key of a sign-in link. With it the owner can sign in although others have used
 * up the attempts.
 */
export const signInForm = z.extend(credentials, { linkKey: z.optional(z.string().check(z.maxLength(120))) })
/**
 * The data of RATE_LIMITED after wrong passwords: when to try again, and whether a sign-in link can
 * be requested.
 */
export const signInRefusal = z.object({ retryAfterSeconds: z.int(), signInLink: z.boolean() })

/** A new password. The API also refuses what others guess first; the meter shows its strength. */
export const newPassword = z.string().check(z.minLength(8), z.maxLength(200))

export const postalAddress = z.object({
  postcode: z.string().check(trimmed, z.minLength(3), z.maxLength(12)),
  /** The road address as returned by the search. */
  road: z.string().check(trimmed, z.minLength(1), z.maxLength(200)),
  /** Entered by the member: building, floor, door. */
  detail: z._default(z.string().check(trimmed, z.maxLength(200)), ''),
})
export type PostalAddress = z.output<typeof postalAddress>

/** In national or international form; stored as E.164. */
const phone = z.string().check(trimmed, z.minLength(4), z.maxLength(30))
/** Empty if the person gave none. */
const name = z.string().check(trimmed, z.maxLength(80))

export const joinForm = z.object({
  email: z.email().check(z.maxLength(254)),
  password: newPassword,
  /** Digital purchases do not need these fields. They can also be added later in the profile. */
  name: z._default(name, ''),
  phone: z.optional(phone),
  address: z.optional(postalAddress),
  /** Separate consents. The first three are required, the last one is optional. */
  agreeTerms: z.literal(true),
  agreePrivacy: z.literal(true),
  isOldEnough: z.literal(true),
  agreeMarketing: z._default(z.boolean(), false),
})
export type JoinForm = z.input<typeof joinForm>

/** The path of the demo's mailbox. Null if mails are sent. */
const mailbox = z.nullable(z.string())

/**
 * A sign-up in progress. The browser stores `token`, which is valid for this sign-up only and
 * expires with the code. The answer is the same for an email address that has an account: its owner
 * gets a notice by mail in place of a code.
 */
export const joinStage = z.object({
  token: z.string(),
  stage: z.enum(['VERIFY', 'READY', 'COMPLETED']),
  email: z.string(),
  expiresAt: z.iso.datetime(),
  resendAt: z.iso.datetime(),
  triesLeft: z.int(),
  /** The server's time, so that a countdown does not depend on the browser's clock. */
  now: z.iso.datetime(),
  mailbox,
})
export type JoinStage = z.output<typeof joinStage>
export const joinToken = z.object({ token: z.string().check(z.minLength(20), z.maxLength(100)) })
export const joinConfirm = z.extend(joinToken, { code: z.string().check(z.regex(/^\d{6}$/)) })

export const resetRequest = z.object({ email: z.email().check(z.maxLength(254)) })
export const resetRequested = z.object({ mailbox })
const accessKey = z.string().check(z.minLength(20), z.maxLength(100))
export const resetKeyPath = z.object({ accessKey })
/**
 * The account of a password reset key. `needsConsents`: the store has created the account, so that
 * its first password needs the consents of a sign-up.
 */
export const resetChecked = z.object({ email: z.string(), needsConsents: z.boolean() })
export const resetSubmit = z.object({
  accessKey,
  password: newPassword,
  /** Where the account needs consents, the first three are required, the last one is optional. */
  agreeTerms: z.optional(z.boolean()),
  agreePrivacy: z.optional(z.boolean()),
  isOldEnough: z.optional(z.boolean()),
  agreeMarketing: z.optional(z.boolean()),
})
export type ResetSubmit = z.output<typeof resetSubmit>

/** `token` is opaque, 256 bits. It is returned once and stored as a hash. */
export const loginAnswer = z.object({
  tokenType: z.literal('Bearer'),
  token: z.string(),
  expiresAt: z.iso.datetime(),
})
export type LoginAnswer = z.output<typeof loginAnswer>

export const me = z.object({
  id: memberId,
  email: z.string(),
  name: z.string(),
  locale: z.nullable(locale),
  usePlan: z.object({ partnership: z.boolean(), regular: z.boolean() }),
  cartCount: z.int(),
  /** Whether staff look at the store as this member. All writes answer READ_ONLY. */
  viewing: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Me = z.output<typeof me>

export const profile = z.object({
  email: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  address: z.nullable(postalAddress),
  locale: z.nullable(locale),
  marketing: z.boolean(),
  marketingAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
})
export type Profile = z.output<typeof profile>
/** Missing fields are unchanged. Null removes the phone or the address. */
export const profileChange = z.object({
  name: z.optional(name),
  phone: z.optional(z.nullable(phone)),
  address: z.optional(z.nullable(postalAddress)),
  locale: z.optional(locale),
  marketing: z.optional(z.boolean()),
})
export type ProfileChange = z.input<typeof profileChange>

export const passwordChange = z.object({
  currentPassword: z.string().check(z.minLength(1), z.maxLength(200)),
  newPassword,
})

/** The consequences of deleting the account. `blockedBy` lists what must be settled first. */
export const withdrawalOutlook = z.object({
  blockedBy: z.array(
    z.object({
      code: orderCode,
      status: z.enum(['DEPOSIT_WAITING', 'CANCEL_REQUEST']),
      /** CANCEL_REQUEST: PENDING may be withdrawn. ACCEPT is approved and not paid out yet. */
      refundStep: z.nullable(refundStep),
      /** The refund waits for the member's bank account. */
      needsRefundAccount: z.boolean(),
    }),
  ),
  ownedProducts: z.int(),
  comments: z.int(),
  /** The subscription that would end, and the end of its paid period. */
  subscription: z.nullable(z.object({ name: z.string(), until: z.nullable(z.iso.datetime()) })),
  retainedOrders: z.int(),
})
export type WithdrawalOutlook = z.output<typeof withdrawalOutlook>
export const withdrawalConfirm = z.object({
  password: z.string().check(z.minLength(1), z.maxLength(200)),
  reason: z.optional(textUpTo(500)),
})

export const addressQuery = z.object({ q: z.string().check(trimmed, z.minLength(1), z.maxLength(100)) })
export const addressMatch = z.object({
  postcode: z.string(),
  road: z.string(),
  /** The older lot-number address, where there is one. */
  lot: z.nullable(z.string()),
  building: z.nullable(z.string()),
})
export type AddressMatch = z.output<typeof addressMatch>

export const session = z.object({
  id: sessionId,
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
})
export type Session = z.output<typeof session>

/**
 * The holder of an operator token: a program of the store's operators. Its scopes are permissions;
 * it has at least one, and expires unless created without expiry.
 */
export const operator = z.object({
  name: z.string(),
  customerCode,
  scopes: z.array(permission),
  createdAt: z.iso.datetime(),
  /** Null if the token is valid until it is revoked. */
  expiresAt: z.nullable(z.iso.datetime()),
})
