import type pg from 'pg'
import { findAttachment } from '#api/modules/catalog/playables.queries.ts'
import { openPlans, type Right, rightFrom } from '#api/modules/entitlements/entitlements.ts'
import { isVisible } from '#api/modules/entitlements/visible-product.ts'
import { endSession, hashSessionToken } from '#api/modules/identity/sessions.ts'
import { memberPlans } from '#api/modules/plans/plans.queries.ts'
import { findInquiryFile } from '#api/modules/support/support.queries.ts'
import { type Clock, type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { MediaGrant } from '#api/platform/storage/media-urls.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'
import { attachmentId as attachmentIdSchema, type PlayId, type ProductId, type SessionId } from '#contract/ids.ts'
import type { DeviceLimit, StreamLimit } from '#contract/playback-refusals.ts'
import { isRetiredVideo, type MediaRequestRow, readMediaRequest } from './media-rights.queries.ts'
import {
  endLapsedPlays,
  endPlay,
  insertPlay,
  livePlays,
  lockViewer,
  type PlayEnd,
  playingDevices,
  playOfSession,
  resumePlay,
  touchPlay,
} from './plays.queries.ts'
import type { MediaRight } from './serve-media.ts'

/** A play whose player gave no sign for so long is over. Players report every ten seconds. */
export const playLapses = 90_000
/** A device counts for so long after it has played. */
const deviceCounts = 30 * 86_400_000

export interface PlayOptions {
  productId: ProductId
  part: string
  right: Pick<Right, 'source'>
  /** From where it is asked. */
  address: string
  playId?: PlayId | undefined
  takeOver?: PlayId | undefined
  signOut?: SessionId | undefined
}

/**
 * Gives a member one of the streams they may play at the same time, or says what stands in the way. The starts of one member wait for
 * each other, so that parallel ones never exceed the limit.
 */
export const openPlay = async (
  ctx: MemberCtx,
  options: PlayOptions,
): Promise<{ id: PlayId; watermark: string | null } | Failure> => {
  const { db, customer, actor, clock } = ctx
  const now = clock.now()
  const member = await lockViewer(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const end = (id: PlayId, by: 'LEFT' | 'TAKEN_OVER') => endPlay(db, customer.id, actor.memberId, id, by, now)
  const watermark = customer.settings.operation.watermark ? markOf(member.email, actor.memberId) : null

  await endLapsedPlays(db, customer.id, actor.memberId, new Date(now.getTime() - playLapses), now)
  const live = () => livePlays(db, customer.id, actor.memberId, translatedLocale(ctx))
  const own = (await live()).find(({ id, sessionId }) => id === options.playId && sessionId === actor.sessionId)
  if (own && own.productId === options.productId && own.part === options.part) {
    await touchPlay(db, customer.id, own.id, now)
    return { id: own.id, watermark }
  }
  // Whoever may not play here stops nothing elsewhere.
  const refused = await deviceRefused(ctx, options.signOut, now)
  if (refused) return refused
  if (own) await end(own.id, 'LEFT')
  if (options.takeOver) await end(options.takeOver, 'TAKEN_OVER')
  // Read again: a device that should end may stay signed in.
  let plays = await live()

  const limit = await streamsAllowed(ctx, options.right)
  if (limit > 0 && plays.length >= limit) {
    // Who opens the same video again on the same device (a page loaded anew) goes on with it.
    const same = plays.find(
      ({ sessionId, productId, part }) =>
        sessionId === actor.sessionId && productId === options.productId && part === options.part,
    )
    if (same) await end(same.id, 'TAKEN_OVER')
    plays = plays.filter((play) => play !== same)
  }
  if (limit > 0 && plays.length >= limit) {
    const data: StreamLimit = {
      limit,
      plays: plays.map(({ translation, ...play }) => {
        const { id, device, title, startedAt, sessionId, languages } = translate(ctx, play, translation, ['title'])
        const here = sessionId === actor.sessionId
        return { id, device, title, since: startedAt, here, ...(languages && { languages }) }
      }),
    }
    return failure('STREAM_LIMIT', { data })
  }
  const { productId, part, address } = options
  const { memberId, sessionId } = actor
  // What was only paused goes on under the address it has: a player that cannot exchange it shows no gap.
  const left = options.playId && { id: options.playId, sessionId, productId, part }
  if (left && (await resumePlay(db, customer.id, left, now))) return { id: left.id, watermark }
  const id = newId<PlayId>()
  await insertPlay(db, customer.id, { id, memberId, sessionId, productId, part, address }, now)
  return { id, watermark }
}

/**
 * How many streams may play; zero for as many as they like. What plays by a plan counts by the plan's number, as it was sold; anything
 * else by the tenant's, or by the plan's where that is larger: a plan takes nothing away.
 */
const streamsAllowed = async ({ db, customer, actor, clock }: MemberCtx, { source }: Pick<Right, 'source'>) => {
  const { streamLimit } = customer.settings.operation
  if (source !== 'PLAN' && streamLimit <= 0) return 0
  const held = await memberPlans(db, customer.id, actor.memberId)
  const byPlan = openPlans(held, clock.now()).regular && held.plan ? held.plan.streams : null
  if (byPlan === null) return streamLimit
  if (source === 'PLAN') return byPlan
  return byPlan <= 0 ? 0 : Math.max(streamLimit, byPlan)
}

/** Signs out the device the member chose, and refuses a new one where as many as may have played already. */
const deviceRefused = async (ctx: MemberCtx, signOut: SessionId | undefined, now: Date): Promise<Failure | null> => {
  const { db, customer, actor } = ctx
  const limit = customer.settings.operation.deviceLimit
  if (limit <= 0) return null
  if (signOut && signOut !== actor.sessionId) await endSession(ctx, signOut)
  const devices = await playingDevices(db, customer.id, actor.memberId, new Date(now.getTime() - deviceCounts), now)
  if (devices.length < limit || devices.some(({ sessionId }) => sessionId === actor.sessionId)) return null
  const data: DeviceLimit = {
    limit,
    devices,
  }
  return failure('DEVICE_LIMIT', { data })
}

/** What of a member's id stands in the picture: enough to find them, nothing a stranger could use. */
export const shortMark = (memberId: string) => memberId.slice(-8).toUpperCase()

/** Whose stream it is, in the picture: the first letters of the address, and the end of the member's id. */
const markOf = (email: string, memberId: string) => `${email.slice(0, 2)}•••  ${shortMark(memberId)}`

/** Takes a player's sign of life, or its leave. Answers how the play stands; one that is not this session's counts as closed. */
export const reportPlay = async (
  { db, customer, actor, clock }: Ctx,
  { playId, state = 'PLAYING' }: { playId?: PlayId | undefined; state?: 'PLAYING' | 'LEFT' | undefined },
): Promise<'LIVE' | PlayEnd | null> => {
  if (!playId || actor.kind !== 'USER') return null
  const play = await playOfSession(db, customer.id, actor.sessionId, playId)
  if (!play) return 'CLOSED'
  if (play.endedBy) return play.endedBy
  const now = clock.now()
  if (state === 'LEFT') {
    await endPlay(db, customer.id, actor.memberId, playId, 'LEFT', now)
    return 'LEFT'
  }
  await touchPlay(db, customer.id, playId, now)
  return 'LIVE'
}

export interface MediaAccess {
  pool: pg.Pool
  clock: Clock
  /** The token the request carries, where it is this tenant's; null for everyone else. */
  token: string | null
  /** The request carries a preview link's token: it sees the store before it is opened. */
  preview: boolean
  /** What stands beside the stream (captions, thumbnails) is shown while it is paused as well, when its play is over. */
  beside: boolean
}

/** `foreign`: what was found of the viewer and the play, where it was made for somebody else. */
export interface MediaDecision {
  right: MediaRight
  foreign: MediaRequestRow | null
}

const closed: MediaDecision = { right: 'CLOSED', foreign: null }

/** A file asked for is a sign of life as well; written down no more often than this. */
const signEvery = 30_000

/**
 * What a well-signed address leads to at this moment. It opens for the person it was made for alone, in the session it was made in, and
 * for as long as their right and their play live: a refund, an expired rental, a sign-out, another device's taking over or the store's
 * own closing ends it with the next segment. A guest's address opens what is free.
 */
export const mediaRight = async (
  { pool, clock, token, preview, beside }: MediaAccess,
  grant: MediaGrant,
): Promise<MediaDecision> => {
  const { customerId, productId, lessonId, playId, memberId } = grant
  const now = clock.now()
  const tokenHash = token && hashSessionToken(token)
  const { ask, held } = await readMediaRequest(
    pool,
    customerId,
    { tokenHash, memberId, productId, lessonId, playId },
    now,
  )
  if (!ask) return closed
  if (memberId !== null && ask.memberId !== memberId) return { right: 'CLOSED', foreign: ask }
  if (!ask.storeOpen || !(ask.opened || preview)) return closed
  // What few files need is read, or written, by itself.
  const within = <Answer>(work: (db: TenantDb) => Promise<Answer>) => withTenant(pool, customerId, work)
  if (productId === null) return { ...closed, right: await within((db) => inquiryFile(db, grant)) }
  const { product, lesson, play, sessionId } = ask
  if (!product || (lessonId !== null && !lesson)) return closed
  const { data: attachmentId } = attachmentIdSchema.safeParse(/^attachment\/(.+)$/.exec(grant.asset)?.[1])
  if (playId !== null && !attachmentId && !opens(play, sessionId, beside)) return closed

  const actor =
    memberId !== null && sessionId !== null
      ? ({ kind: 'USER', memberId, sessionId, guestId: null } as const)
      : ({ kind: 'GUEST', guestId: null } as const)
  const right = rightFrom({ actor, held, useFree: ask.useFree }, { id: productId, access: product.access }, now)
  if (!isVisible(product, right, ask)) return closed
  if (!right.entitled && !lesson?.free) return closed
  if (attachmentId) {
    const attachment = await within((db) => findAttachment(db, customerId, productId, attachmentId))
    const key = attachment && right.entitled ? parseMediaKey(attachment.asset) : null
    if (!attachment || !key) return closed
    return { ...closed, right: { key, name: attachment.name, contentType: attachment.contentType } }
  }
  // A video that was taken away from the product is closed with it; one that was exchanged plays on for who watches it.
  const exchanged = () => within((db) => isRetiredVideo(db, customerId, lessonId ?? productId, grant.asset))
  if (ask.videoAsset !== grant.asset && !(await exchanged())) return closed
  if (play && playId && now.getTime() - Date.parse(play.seenAt) > signEvery)
    await within((db) => touchPlay(db, customerId, playId, now))
  return { ...closed, right: 'STREAM' }
}

/** Whether a play lets its own session go on. */
const opens = (play: MediaRequestRow['play'], sessionId: MediaRequestRow['sessionId'], beside: boolean) =>
  play !== null && play.sessionId === sessionId && (play.endedBy === null || (beside && play.endedBy !== 'CLOSED'))

/** A file a member sent with an inquiry: its sender's alone. */
const inquiryFile = async (db: TenantDb, { asset, customerId, memberId }: MediaGrant): Promise<MediaRight> => {
  const [kind, id = ''] = asset.split('/')
  const file = kind === 'inquiry' && memberId !== null ? await findInquiryFile(db, customerId, id) : null
  const key = file?.memberId === memberId ? parseMediaKey(file?.asset ?? '') : null
  return file && key ? { key, name: file.name, contentType: file.contentType } : 'CLOSED'
}
