import { findMember, findMemberId, latestConsent } from '#api/modules/identity/identity.queries.ts'
import { versionOfProfile } from '#api/modules/identity/profile.ts'
import { liveSessionsOf } from '#api/modules/identity/sessions.queries.ts'
import { readRecentPlays } from '#api/modules/playback/positions.queries.ts'
import { readPlanNames } from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { historyOf } from '#api/platform/audit.ts'
import { type Ctx, failure, isFailure } from '#api/platform/context.ts'
import { noPassword } from '#api/platform/crypto.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { MemberSelection } from '#contract/admin/members.ts'
import type { MemberSort } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import {
  type MemberFilter,
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

/** A member as the console shows them. Failure: NOT_FOUND, also for a withdrawn account. */
export const viewStoreMember = async (ctx: Ctx, id: MemberId) => {
  const { db, customer, clock } = ctx
  const row = await findMember(db, customer.id, id)
  if (!row) return failure('NOT_FOUND')
  const shown = await showStoreMember(ctx, id)
  if (isFailure(shown)) return shown
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
    history: await historyOf(ctx, `member:${id}`),
  }
}
