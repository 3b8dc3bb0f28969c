import * as z from 'zod/mini'
import { locale } from './enumerations.ts'
import { credentials, newPassword } from './identity.ts'
import {
  customerCode,
  operatorTokenId,
  staffId,
  staffInvitationId,
  staffPasskeyId,
  staffRoleId,
  staffSessionId,
} from './ids.ts'
import { permission, staffRole } from './permissions.ts'
import { cleaned, requiredText, textUpTo } from './text.ts'

/** The code of an authenticator app, or a recovery code, which works once. */
const secondFactorCode = z.string().check(cleaned, z.minLength(6), z.maxLength(20))

/**
 * `token` is null if the request came from the console: the answer then sets a cookie that
 * scripts cannot read. SECOND_FACTOR_NEEDED: the session can do nothing until its second factor is
 * confirmed.
 */
export const staffSignedIn = z.object({
  token: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
  stage: z.enum(['SIGNED_IN', 'SECOND_FACTOR_NEEDED']),
})

export const staffSignInForm = credentials

/** A built-in role, or a role of the store’s own by its id. */
const grantedRole = z.union([z.object({ role: staffRole }), z.object({ roleId: staffRoleId })])
export type GrantedRole = z.output<typeof grantedRole>

/** `role` is null for a role of the store’s own, which `roleId` and `roleName` describe. */
const roleOfPerson = {
  role: z.nullable(staffRole),
  roleId: z.nullable(staffRoleId),
  roleName: z.nullable(z.string()),
}

export const currentStaff = z.object({
  id: staffId,
  email: z.string(),
  name: z.string(),
  locale: z.nullable(locale),
  customerCode,
  /** Whether this is the installation's console, which manages its stores. */
  isInstallation: z.boolean(),
  ...roleOfPerson,
  permissions: z.array(permission),
  /** Whether a mail server sends the emails to members. Without one they are in the log alone. */
  sendsMail: z.boolean(),
  secondFactor: z.object({
    /** Whether an authenticator app is set up. */
    isSetUp: z.boolean(),
    /** Whether the person has a passkey of this store. */
    hasPasskey: z.boolean(),
    /** Whether this session was confirmed with one of them. */
    isConfirmed: z.boolean(),
    /** Whether money and staff rights need it. Only the demo needs none. */
    isRequired: z.boolean(),
    recoveryCodesLeft: z.int(),
  }),
})
export type CurrentStaff = z.output<typeof currentStaff>

/** The consoles of the stores that a person of the staff belongs to. */
export const staffStores = z.object({
  items: z.array(
    z.object({
      code: customerCode,
      name: z.string(),
      /** The address of its console, where the person signs in unless they have a session there. */
      url: z.string(),
      isInstallation: z.boolean(),
      /** Whether it is the store of the session. */
      isCurrent: z.boolean(),
    }),
  ),
})
export type StaffStores = z.output<typeof staffStores>

export const staffSession = z.object({
  id: staffSessionId,
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
})
export type StaffSession = z.output<typeof staffSession>

export const staffPasswordChange = z.object({ currentPassword: credentials.shape.password, newPassword })
export const staffProfileChange = z.object({
  name: z.optional(requiredText(80)),
  locale: z.optional(locale),
})

/** The secret of an authenticator app, and its otpauth URI, which the app reads as a QR code. */
export const totpSetup = z.object({ secret: z.string(), uri: z.string() })
export const totpConfirm = z.object({ code: secondFactorCode })
export const passwordConfirm = z.object({ password: credentials.shape.password })
/** The codes are shown once. Each replaces the app or a passkey once. */
export const recoveryCodes = z.object({ codes: z.array(z.string()) })

const base64url = (maxLength: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(maxLength))
const credentialId = base64url(1_400)
const credentialType = z.literal('public-key')

/** The options of `navigator.credentials.create`, as WebAuthn writes them in JSON. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: credentialType, alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ type: credentialType, id: z.string() })),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
  attestation: z.literal('none'),
})

/** The options of `navigator.credentials.get`. Any passkey of the host is asked for. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})

const publicKeyCredential = { id: credentialId, rawId: credentialId, type: credentialType }

/** A new passkey: its name, and what `navigator.credentials.create` has returned. */
export const passkeyForm = z.object({
  name: requiredText(60),
  credential: z.object({
    ...publicKeyCredential,
    response: z.object({ clientDataJSON: base64url(4_000), attestationObject: base64url(20_000) }),
  }),
})

/** What `navigator.credentials.get` has returned. */
export const passkeyProof = z.object({
  credential: z.object({
    ...publicKeyCredential,
    response: z.object({
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(4_000),
    }),
  }),
})
export type PasskeyProof = z.output<typeof passkeyProof>

export const staffPasskey = z.object({
  id: staffPasskeyId,
  name: z.string(),
  /** The host at which it signs in. */
  host: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export const passkeyRemoval = z.object({ id: staffPasskeyId, password: credentials.shape.password })

export const staffPerson = z.object({
  id: staffId,
  email: z.string(),
  name: z.string(),
  ...roleOfPerson,
  hasSecondFactor: z.boolean(),
  lastSeenAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  /** Send it as `If-Match` with another role. */
  version: z.string(),
})
export type StaffPerson = z.output<typeof staffPerson>

export const staffInvitation = z.object({
  id: staffInvitationId,
  email: z.string(),
  ...roleOfPerson,
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type StaffInvitation = z.output<typeof staffInvitation>

/** `url`: the link to give to the person, where the installation sends no emails. */
export const staffInvited = z.extend(staffInvitation, { url: z.nullable(z.string()) })

export const staffInvite = z.object({
  email: z.email().check(z.maxLength(254)),
  grant: grantedRole,
  /** The language of the email; without it, the store’s. */
  locale: z.optional(locale),
})

const invitationKey = z.string().check(z.minLength(20), z.maxLength(100))
export const invitationCheck = z.object({ key: invitationKey })
export const invitationChecked = z.object({
  email: z.string(),
  storeName: z.string(),
  ...roleOfPerson,
  /**
   * Whether the email address has an account at another store of the installation. It is then
   * accepted with the password of that account.
   */
  hasAccount: z.boolean(),
})
export const invitationAccept = z.object({
  key: invitationKey,
  name: z._default(textUpTo(80), ''),
  password: newPassword,
})

export const staffResetRequest = z.object({ email: staffInvite.shape.email })
/** `key` comes from the link of the mail. */
export const staffReset = z.object({ key: z.string().check(z.minLength(20), z.maxLength(200)), password: newPassword })

/** Another address to sign in with. */
export const staffEmailChange = z.object({ email: staffInvite.shape.email, password: credentials.shape.password })
/** `key` comes from the link of the mail. */
export const staffEmailConfirm = z.object({ key: z.string().check(z.minLength(20), z.maxLength(800)) })
export const staffEmailChanged = z.object({ email: z.string() })

/** Why, for the audit log. */
export const secondFactorReset = z.object({ id: staffId, reason: requiredText(500) })

export const staffRoleChange = z.object({ id: staffId, grant: grantedRole })

const roleFields = {
  name: requiredText(60),
  permissions: z.array(permission).check(z.minLength(1)),
}
/** `id` is null for a built-in role, which cannot be changed. */
export const roleListing = z.object({
  role: z.nullable(staffRole),
  id: z.nullable(staffRoleId),
  name: z.string(),
  permissions: z.array(permission),
  people: z.int(),
  /** Send it as `If-Match` with a change. Null for a built-in role. */
  version: z.nullable(z.string()),
})
export type RoleListing = z.output<typeof roleListing>
export const roleForm = z.object(roleFields)
export const roleChange = z.object({ id: staffRoleId, ...roleFields })

export const operatorTokenListing = z.object({
  id: operatorTokenId,
  name: z.string(),
  scopes: z.array(permission),
  status: z.enum(['LIVE', 'EXPIRED', 'REVOKED']),
  createdAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export const operatorTokenForm = z.object({
  name: requiredText(80),
  scopes: z.array(permission).check(z.minLength(1)),
  /** Days until it expires. */
  days: z._default(z.int().check(z.gte(1), z.lte(366)), 90),
})
/** `token` is returned once and stored as a hash. */
export const operatorTokenCreated = z.object({
  name: z.string(),
  token: z.string(),
  expiresAt: z.nullable(z.iso.datetime()),
})
