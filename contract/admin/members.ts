import * as z from 'zod/mini'
import { locale, memberMarketing, memberSort, memberState } from '../enumerations.ts'
import { postalAddress } from '../identity.ts'
import { memberId, planCode, productCode, sessionId } from '../ids.ts'
import { inOrder } from '../paging.ts'
import { cleaned, requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'
import { noteBody } from './orders.ts'

/** A word or a few of staff about a member, in lower case. */
const memberTag = z.string().check(cleaned, z.toLowerCase(), z.minLength(1), z.maxLength(40), z.regex(/^[^,\p{C}]+$/u))

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
  partnershipName: z.nullable(z.string()),
  lastSeenAt: z.nullable(z.iso.datetime()),
  /** When staff blocked the member, who cannot sign in since; null for others. */
  blockedAt: z.nullable(z.iso.datetime()),
  /** When the account was deleted: no name and no address are left of it. Null for others. */
  withdrawnAt: z.nullable(z.iso.datetime()),
  /** Whether the member wants to get marketing by email. */
  marketing: z.boolean(),
  /** In alphabetical order. */
  tags: z.array(z.string()),
})

export type StoreMemberRow = z.output<typeof memberRow>

/** A day in the store’s time zone. */
const day = z.iso.date().check(z.refine((text) => text < '3000-01-01'))

/** What members can be filtered by, without the order. */
export const memberSelection = {
  /** Part of a name or an email address. */
  q: searchText,
  tag: z.optional(memberTag),
  state: z.optional(memberState),
  /** The plan of the live subscription. */
  plan: z.optional(planCode),
  /** The name of a partnership that has not ended. */
  partner: z.optional(requiredText(100)),
  marketing: z.optional(memberMarketing),
  /** The first and the last day on which they joined. */
  from: z.optional(day),
  to: z.optional(day),
}
export type MemberSelection = z.output<z.ZodMiniObject<typeof memberSelection>>
const memberFilters = { ...memberSelection, sort: z._default(memberSort, 'JOINED') }
export const storeMemberQuery = z.object({ ...keysetQuery, ...memberFilters }).check(inOrder('from', 'to'))
export const storeMemberExport = z.object({ ...memberFilters, columns: exportedColumns }).check(inOrder('from', 'to'))
export const storeMemberPage = keysetPage(memberRow)

export const storeMember = z.extend(memberRow, {
  /** Send it as `If-Match` with a change of the profile. */
  version: z.string(),
  phone: z.nullable(z.string()),
  address: z.nullable(postalAddress),
  locale: z.nullable(locale),
  /** When the member last gave or withdrew the consent to marketing; null without a choice. */
  marketingAt: z.nullable(z.iso.datetime()),
  /** Whether staff created the account, and the member has not set a password yet. */
  isInvited: z.boolean(),
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
const reason = requiredText(500)

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
const email = z.email().check(z.maxLength(254))
export const memberEmail = z.object({ id: memberId, email, reason })

/** A member whom staff create. Without a language the member gets that of the store. */
export const memberForm = z.object({
  email,
  name: z._default(textUpTo(80), ''),
  locale: z.optional(locale),
})
export const memberCreated = z.object({ id: memberId })
/** The data of the refusal where a member has the address already. */
export const memberFound = z.object({ memberId })

/**
 * Missing fields are unchanged. Null removes the phone or the address. Staff may withdraw a
 * member’s consent to marketing; only the member gives it.
 */
export const memberChange = z.object({
  id: memberId,
  name: z.optional(textUpTo(80)),
  phone: z.optional(z.nullable(textUpTo(30).check(z.minLength(4)))),
  address: z.optional(
    z.nullable(
      z.object({
        postcode: textUpTo(12).check(z.minLength(3)),
        road: requiredText(200),
        detail: z._default(textUpTo(200), ''),
      }),
    ),
  ),
  locale: z.optional(locale),
  marketing: z.optional(z.literal(false)),
  reason,
})

/** `email`: the address of the member, typed as a confirmation. */
export const memberExport = z.object({ id: memberId, reason })
export const memberErasure = z.object({ id: memberId, email: z.string().check(z.maxLength(254)), reason })

/** `otherId` is merged into `id` and closed. `email`: its address, typed as a confirmation. */
export const memberMerge = z.extend(memberErasure, { otherId: memberId })

const partnershipName = z.nullable(requiredText(100))
/** What is written on one member or on many. */
export const partnershipFields = {
  /** The last day on which the member has every product on a plan. Null ends it now. */
  until: z.nullable(day),
  /** What the member reads, such as the name of a company. */
  name: partnershipName,
  reason,
}
export const partnershipChange = z.object({ id: memberId, ...partnershipFields })
/** Gives every named member the same partnership, or ends theirs. */
export const partnershipChanges = z.object({
  ids: z.array(memberId).check(z.minLength(1), z.maxLength(100)),
  ...partnershipFields,
})
/** A partnership with the time at which it ends or has ended; null without one. */
const partnership = z.object({ until: z.nullable(z.iso.datetime()), name: partnershipName })
export type Partnership = z.output<typeof partnership>
const partnershipBefore = z.object({ id: memberId, before: partnership, after: partnership })
export type PartnershipBefore = z.output<typeof partnershipBefore>
/** Sends back what results have in `change`. */
export const partnershipRestore = z.object({
  items: z.array(partnershipBefore).check(z.minLength(1), z.maxLength(100)),
})
/**
 * What became of each member, in their order. NOT_FOUND also for a withdrawn account.
 * VERSION_CONFLICT: it was changed since.
 */
export const partnershipResult = z.object({
  items: z.array(
    z.object({
      id: memberId,
      result: z.enum(['CHANGED', 'UNCHANGED', 'FAILED']),
      reason: z.nullable(z.enum(['NOT_FOUND', 'VERSION_CONFLICT'])),
      /** Restores a changed member. Null for others. */
      change: z.nullable(partnershipBefore),
    }),
  ),
})
export type PartnershipResult = z.output<typeof partnershipResult>

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
export const memberTagFields = { add: tags, remove: tags }
export const memberTagChange = z.object({
  ids: z.array(memberId).check(z.minLength(1), z.maxLength(100)),
  ...memberTagFields,
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

/** What members can be filtered by: plans, on sale or not, and partnerships that have not ended. */
export const memberFacets = z.object({
  plans: z.array(z.object({ code: planCode, name: z.string() })),
  partners: z.array(z.object({ name: z.string(), members: z.int() })),
})
