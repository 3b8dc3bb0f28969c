import * as z from 'zod/mini'
import { locale } from '../enumerations.ts'
import { memberId, productCode, sessionId } from '../ids.ts'
import { auditEntry } from './audit.ts'
import { keysetPage, keysetQuery, searchText } from './lists.ts'
import { noteBody } from './orders.ts'

/** A word or a few of staff about a member, in lower case. */
const memberTag = z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(40), z.regex(/^[^,\p{C}]+$/u))

/** The most tags of a member. */
export const maxMemberTags = 30

const memberRow = z.object({
  id: memberId,
  email: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** Paid orders. */
  orders: z.int(),
  /** The plan of the live subscription; null without one. */
  plan: z.nullable(z.string()),
  partnershipUntil: z.nullable(z.iso.datetime()),
  lastSeenAt: z.nullable(z.iso.datetime()),
  /** When staff blocked the member, who cannot sign in since; null for others. */
  blockedAt: z.nullable(z.iso.datetime()),
  /** In alphabetical order. */
  tags: z.array(z.string()),
})

/** `q` is part of a name or an email address. */
const memberFilters = { q: searchText, tag: z.optional(memberTag) }
export const storeMemberQuery = z.object({ ...keysetQuery, ...memberFilters })
export const storeMemberExport = z.object(memberFilters)
export const storeMemberPage = keysetPage(memberRow)

export const storeMember = z.extend(memberRow, {
  partnershipName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  locale: z.nullable(locale),
  marketing: z.boolean(),
  /** Titles that the member owns, rents or was given. */
  rights: z.array(
    z.object({
      productCode,
      title: z.string(),
      source: z.string(),
      createdAt: z.iso.datetime(),
      expiresAt: z.nullable(z.iso.datetime()),
      startBy: z.nullable(z.iso.datetime()),
      rentalDays: z.nullable(z.int()),
    }),
  ),
  sessions: z.array(
    z.object({
      id: sessionId,
      device: z.string(),
      address: z.string(),
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
    }),
  ),
  /** What the member watched last, latest first. */
  plays: z.array(
    z.object({
      productCode,
      title: z.string(),
      positionSeconds: z.number(),
      at: z.iso.datetime(),
    }),
  ),
  /** Changes and notes of operators, latest first. */
  history: z.array(auditEntry),
})

export const storeMemberPath = z.object({ id: memberId })
/** Why staff did it, for the history. */
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500))

export const memberUnblock = z.object({ id: memberId, reason })
export const memberBlock = z.extend(memberUnblock, {
  /** Cancels the subscription too: at the end of the paid period, an overdue one at once. */
  cancelsSubscription: z._default(z.boolean(), false),
})
/** Why staff look at the store as the member, for the history. */
export const memberView = z.object({ id: memberId, reason })
/** `token` is null for the console, which gets a cookie. */
export const memberViewing = z.object({ token: z.nullable(z.string()), expiresAt: z.iso.datetime() })

/** The address with which the member signs in. */
export const memberEmail = z.object({ id: memberId, email: z.email().check(z.maxLength(254)), reason })

/** `email`: the address of the member, typed as a confirmation. */
export const memberExport = z.object({ id: memberId, reason })
export const memberErasure = z.object({ id: memberId, email: z.string().check(z.maxLength(254)), reason })

/** `otherId` is merged into `id` and closed. `email`: its address, typed as a confirmation. */
export const memberMerge = z.extend(memberErasure, { otherId: memberId })

/** A day in the store’s time zone. */
const day = z.iso.date().check(z.refine((text) => text < '3000-01-01'))

export const partnershipChange = z.object({
  id: memberId,
  /** The last day on which the member has every product on a plan. Null ends it now. */
  until: z.nullable(day),
  /** What the member reads, such as the name of a company. */
  name: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))),
  reason,
})

export const titleGrant = z.object({
  id: memberId,
  productCode,
  reason,
  /** The last day in the store’s time zone; without one the title has no end. */
  until: z.optional(day),
})
export const titleRevocation = z.object({ id: memberId, productCode, reason })
export const memberNote = z.object({ id: memberId, text: noteBody })

const tags = z._default(z.array(memberTag).check(z.maxLength(10)), [])
/** Adds tags to every named member and removes others. */
export const memberTagChange = z.object({
  ids: z.array(memberId).check(z.minLength(1), z.maxLength(100)),
  add: tags,
  remove: tags,
})
/**
 * What became of each member, in their order. NOT_FOUND also for a withdrawn account. TOO_MANY: a
 * member has at most 30 tags.
 */
export const memberTagResult = z.object({
  items: z.array(
    z.object({
      id: memberId,
      result: z.enum(['CHANGED', 'UNCHANGED', 'FAILED']),
      reason: z.nullable(z.enum(['NOT_FOUND', 'TOO_MANY'])),
      /** What the member did not have before, and no longer has. */
      added: z.optional(z.array(z.string())),
      removed: z.optional(z.array(z.string())),
    }),
  ),
})
export type MemberTagResult = z.output<typeof memberTagResult>

/** Tags in use with the number of members, the most used first. */
export const memberTagList = z.object({ items: z.array(z.object({ tag: z.string(), members: z.int() })) })
