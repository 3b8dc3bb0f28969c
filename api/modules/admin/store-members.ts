import type * as z from 'zod/mini'
import { findMember, findMemberId, latestConsent } from '#api/modules/identity/identity.queries.ts'
import { versionOfProfile } from '#api/modules/identity/profile.ts'
import { liveSessionsOf } from '#api/modules/identity/sessions.queries.ts'
import { readRecentPlays } from '#api/modules/playback/positions.queries.ts'
import { mergedAccounts } from '#api/modules/privacy/withdrawal.queries.ts'
import {
  readPlanNames,
  readSubscriptionPage,
  type SubscriptionPageRow,
} from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { subscriptionFilterOf } from '#api/modules/subscriptions/subscription-view.ts'
import { historyLength, historyOf } from '#api/platform/audit.ts'
import { type Ctx, failure, isFailure } from '#api/platform/context.ts'
import { noPassword } from '#api/platform/crypto.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import { phoneDigitsOf } from '#api/platform/text.ts'
import type { MemberSelection, storeMemberExport } from '#contract/admin/members.ts'
import type { storeSubscriptionExport } from '#contract/admin/subscriptions.ts'
import type { MemberSort, SubscriptionState } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import { type ListExport, pagesOf, timeColumn, yesOrNo } from './list-columns.ts'
import {
  type MemberFilter,
  type MemberPageRow,
  readMemberPage,
  readMemberRights,
  readPartners,
  readStoreMember,
  readStoreMembers,
} from './member-lists.queries.ts'
import { type Paging, timesOf } from './store-orders.ts'

/** Returns what the audit log names for an email address: its member, where there is one. */
export const subjectOfAddress = async ({ db, customer }: Ctx, typed: string): Promise<string> => {
  const address = typed.toLowerCase()
  const id = await findMemberId(db, customer.id, address)
  return id ? `member:${id}` : `address:${address}`
}

/** Members whose name or email address contains a text, latest first. */
export const listStoreMembers = (
  { db, customer }: Ctx,
  { search, page, size }: { search: string; page: number; size: number },
) => readStoreMembers(db, customer.id, { search: search.trim(), page, size })

/**
 * A member as operators see them, with their live rights. Failure: NOT_FOUND, also for a withdrawn
 * account.
 */
export const showStoreMember = async ({ db, customer, clock }: Ctx, id: MemberId) => {
  const member = await readStoreMember(db, customer.id, id)
  if (!member) return failure('NOT_FOUND')
  return { member, rights: await readMemberRights(db, customer.id, id, clock.now()) }
}

/** Returns what a list of members is filtered by. */
export const memberFilterOf = (
  ctx: Pick<Ctx, 'customer' | 'clock'>,
  { q, tag, state, plan, partner, marketing, ...days }: MemberSelection,
): MemberFilter => ({
  search: q.toLowerCase(),
  phone: phoneDigitsOf(q),
  tag: tag ?? null,
  state: state ?? null,
  plan: plan ?? null,
  partner: partner ?? null,
  marketing: marketing === undefined ? null : marketing === 'YES',
  now: ctx.clock.now(),
  ...timesOf(ctx, days),
})

/** A page of the members. Failure: VALIDATION_FAILED for an invalid cursor. */
export const pageMembers = async (
  ctx: Ctx,
  { cursor, size, sort, ...selection }: Paging & MemberSelection & { sort: MemberSort },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...memberFilterOf(ctx, selection), sort, after, size }
  return keysetPageOf(await readMemberPage(ctx.db, ctx.customer.id, filter), size)
}

/** What members can be filtered by: plans, on sale or not, and partnerships that have not ended. */
export const listMemberFacets = async ({ db, customer, clock }: Ctx) => ({
  plans: await readPlanNames(db, customer.id),
  partners: await readPartners(db, customer.id, clock.now()),
})

const shownPlays = 20

/** The history of a member and of the accounts that were merged into theirs, latest first. */
const historyOfMember = async (ctx: Ctx, memberId: MemberId) => {
  const merged = await mergedAccounts(ctx.db, ctx.customer.id, memberId)
  const histories = []
  for (const { id } of [{ id: memberId }, ...merged]) histories.push(await historyOf(ctx, `member:${id}`))
  // The account that stays has an entry of the merge, too.
  const entries = histories.flat().filter(({ detail }) => detail.into === undefined)
  return entries.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, historyLength)
}

/**
 * A member as the console shows them. Failure: NOT_FOUND, also for a withdrawn account, with the id
 * of the account into which it was merged.
 */
export const viewStoreMember = async (ctx: Ctx, id: MemberId) => {
  const { db, customer, clock } = ctx
  const row = await findMember(db, customer.id, id)
  const shown = await showStoreMember(ctx, id)
  if (!row || isFailure(shown)) {
    const merge = (await historyOf(ctx, `member:${id}`)).find(({ detail }) => detail.into !== undefined)
    return failure('NOT_FOUND', merge && { data: { memberId: merge.detail.into } })
  }
  const choice = await latestConsent(db, customer.id, id, 'MARKETING')
  const sessions = await liveSessionsOf(db, customer.id, id, clock.now())
  return {
    id,
    ...shown.member,
    version: versionOfProfile(row),
    address: row.address,
    marketingAt: choice?.at ?? null,
    isInvited: row.passwordHash === noPassword,
    rights: shown.rights,
    sessions: sessions.map(({ id, device, address, createdAt, lastSeenAt }) => ({
      id,
      device,
      address,
      createdAt,
      lastSeenAt,
    })),
    plays: await readRecentPlays(db, customer.id, id, shownPlays),
    history: await historyOfMember(ctx, id),
  }
}

/** The list of members as a file. */
export const members: ListExport<MemberPageRow, z.output<typeof storeMemberExport>> = {
  name: 'members',
  columns: [
    ['email', 'email', ({ email }) => email],
    ['name', 'name', ({ name }) => name],
    timeColumn('joined', 'joined', ({ createdAt }) => createdAt),
    ['orders', 'orders', ({ orders: count }) => count],
    ['plan', 'plan', ({ plan }) => plan],
    ['plan', 'partnership', ({ partnershipName }) => partnershipName],
    timeColumn('plan', 'partnership until', ({ partnershipUntil }) => partnershipUntil),
    timeColumn('seen', 'last seen', ({ lastSeenAt }) => lastSeenAt),
    timeColumn('name', 'blocked', ({ blockedAt }) => blockedAt),
    timeColumn('name', 'deleted', ({ withdrawnAt }) => withdrawnAt),
    ['marketing', 'marketing', ({ marketing }) => yesOrNo(marketing)],
    ['tags', 'tags', ({ tags }) => tags.join(', ')],
  ],
  read: (ctx, { sort, ...selection }) => pagesOf(readMemberPage, { ...memberFilterOf(ctx, selection), sort }),
}

const subscriptionStateNames = (i18n: I18n): Record<SubscriptionState, string> => ({
  TRIAL: i18n._('In trial', {}, { context: 'status' }),
  ACTIVE: i18n._('Active', {}, { context: 'status' }),
  OVERDUE: i18n._('Overdue', {}, { context: 'status' }),
  PAUSED: i18n._('Paused', {}, { context: 'status' }),
  CANCELLED: i18n._('Ending', {}, { context: 'status' }),
  ENDED: i18n._('Ended', {}, { context: 'status' }),
})

/** The list of subscriptions as a file. */
export const subscriptions: ListExport<SubscriptionPageRow, z.output<typeof storeSubscriptionExport>> = {
  name: 'subscriptions',
  columns: [
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['plan', 'plan', ({ plan }) => plan],
    ['state', 'state', ({ state }) => state],
    ['state', 'state name', ({ state }, _, i18n) => subscriptionStateNames(i18n)[state]],
    ['price', 'cycle', ({ cycle }) => cycle],
    ['price', 'price', ({ priceAmount, currency }) => writeMoney(priceAmount, currency)],
    ['price', 'currency', ({ currency }) => currency],
    timeColumn('since', 'started', ({ startedAt }) => startedAt),
    timeColumn('next', 'next charge', ({ nextChargeAt }) => nextChargeAt),
    [
      'next',
      'next amount',
      ({ nextChargeAt, nextPriceAmount, currency }) =>
        nextChargeAt === null ? null : writeMoney(nextPriceAmount, currency),
    ],
    timeColumn('next', 'ends', ({ endsAt }) => endsAt),
    ['failed', 'failed attempts', ({ attempts }) => attempts],
    ['failed', 'failure', ({ failure }) => failure],
    timeColumn('failed', 'access until', ({ graceUntil }) => graceUntil),
  ],
  read: (ctx, filters) => pagesOf(readSubscriptionPage, subscriptionFilterOf(ctx, filters)),
}
