import * as z from 'zod/mini'
import { locale } from '../enumerations.ts'
import { customerCode } from '../ids.ts'
import { staffInvitation, staffInvite, staffPerson } from '../staff.ts'
import { storeStates } from '../store-state.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { enteredHost } from './domains.ts'
import { keysetPage, keysetQuery, searchText } from './lists.ts'

const storeListing = z.object({
  code: customerCode,
  name: z.string(),
  state: z.enum(storeStates),
  /** Whether visitors have never seen it. One that is COMING_SOON may have been open before. */
  neverOpened: z.boolean(),
  hosts: z.array(z.string()),
  createdAt: z.iso.datetime(),
})
export type StoreListing = z.output<typeof storeListing>

const storeFilters = {
  /** Words of the name, the code or a host. */
  q: searchText,
  state: z.optional(z.enum(storeStates)),
}
export const storesQuery = z.object({ ...keysetQuery, ...storeFilters })
export const storesCount = z.object(storeFilters)

export const storePage = z.extend(keysetPage(storeListing), {
  /** False where the service does not know the role that owns the tables: nothing can change. */
  canWrite: z.boolean(),
})

export const storePath = z.object({ code: customerCode })

/** A store as the installation’s staff manages it. */
export const managedStore = z.extend(storeListing, {
  /** The addresses of its hosts. */
  origins: z.array(z.string()),
  locale,
  currency: z.string(),
  timeZone: z.string(),
  /** Who manages it. */
  people: z.array(staffPerson),
  /** Open invitations to manage it. */
  invitations: z.array(staffInvitation),
  canWrite: z.boolean(),
  /** For `If-Match`. It changes with the state and the hosts. */
  version: z.string(),
  /** Changes of its state and hosts, latest first. */
  history: z.array(auditEntry),
})
export type ManagedStore = z.output<typeof managedStore>

export const newStore = z.object({
  name: requiredText(100),
  code: customerCode,
  host: enteredHost,
  locale,
  /** Three letters of ISO 4217. It cannot be changed once the store has prices. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** A name of the IANA database, for example Asia/Seoul. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(60)),
  /** The owner, who is invited by email. */
  email: staffInvite.shape.email,
})
export type NewStore = z.output<typeof newStore>

/** The link of an invitation, for the case that the email does not arrive. It is shown once. */
export const storeInvited = z.object({ code: customerCode, url: z.string(), expiresAt: z.iso.datetime() })
export type StoreInvited = z.output<typeof storeInvited>

export const storeSuspend = z.extend(storePath, {
  /** The customer code, typed as a confirmation. */
  confirmation: z.string().check(z.maxLength(40)),
  /** PAUSED: visitors see that the store will be back. CONTRACT_ENDED: nor can its staff use it. */
  reason: z.enum(['PAUSED', 'CONTRACT_ENDED']),
  note: z._default(textUpTo(500), ''),
})

export const storeHosts = z.extend(storePath, { hosts: z.array(enteredHost).check(z.minLength(1), z.maxLength(50)) })

export const storeOwnerInvite = z.extend(storePath, { email: staffInvite.shape.email })
