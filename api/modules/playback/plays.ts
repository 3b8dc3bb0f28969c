import type pg from 'pg'
import { findAttachment } from '#api/modules/catalog/playables.queries.ts'
import { type Right, rightFrom } from '#api/modules/entitlements/entitlements.ts'
import { isVisible } from '#api/modules/entitlements/visible-product.ts'
import { endSession, hashSessionToken } from '#api/modules/identity/sessions.ts'
import { memberPlans } from '#api/modules/plans/plans.queries.ts'
import { openPlans } from '#api/modules/plans/plans.ts'
import { findInquiryFile } from '#api/modules/support/support.queries.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Clock, type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { MediaGrant } from '#api/platform/storage/media-urls.ts'
import { parseMediaKey, withEndingOf } from '#api/platform/storage/storage.ts'
import type { Locale } from '#contract/enumerations.ts'
import {
  attachmentId as attachmentIdSchema,
  inquiryFileId as inquiryFileIdSchema,
  type MemberId,
  type PlayId,
  type ProductId,
  type SessionId,
} from '#contract/ids.ts'
import type { DeviceLimit, StreamLimit } from '#contract/playback-refusals.ts'
import { isRetiredVideo, type MediaRequestRow, readMediaRequest } from './media-rights.queries.ts'
import type { PlayEnd } from './playback.schema.ts'
import {
  endLapsedPlays,
  endPlay,
  insertPlay,
  livePlays,
  lockViewer,
  playingDevices,
  playOfSession,
  resumePlay,
  touchPlay,
} from './plays.queries.ts'
import type { MediaRight } from './serve-media.ts'

/** Milliseconds without a report after which a play ends. Players report every ten seconds. */
const playTimeoutMilliseconds = 90_000
/** Milliseconds that a device counts towards the device limit after it has played. */
const deviceMilliseconds = 30 * dayMilliseconds

export interface PlayOptions {
  productId: ProductId
  part: string
  right: Pick<Right, 'source'>
  /** The address of the request. */
  address: string
  playId?: PlayId | undefined
  takeOver?: PlayId | undefined
  signOut?: SessionId | undefined
}

/**
 * Starts a play within the member's stream limit, or returns what prevents it. The starts of one
 * member are serialized, so that parallel requests never exceed the limit.
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
  const watermark = customer.settings.operation.watermark ? watermarkOf(member.email, actor.memberId) : null

  await endLapsedPlays(db, customer.id, actor.memberId, new Date(now.getTime() - playTimeoutMilliseconds), now)
  const live = () => livePlays(db, customer.id, actor.memberId, translatedLocale(ctx))
  const ownPlay = (await live()).find(({ id, sessionId }) => id === options.playId && sessionId === actor.sessionId)
  if (ownPlay && ownPlay.productId === options.productId && ownPlay.part === options.part) {
    await touchPlay(db, customer.id, ownPlay.id, now)
    return { id: ownPlay.id, watermark }
  }
  // Checked first: a refused device must not end plays on other devices.
  const refused = await deviceRefused(ctx, options.signOut, now)
  if (refused) return refused
  if (ownPlay) await end(ownPlay.id, 'LEFT')
  if (options.takeOver) await end(options.takeOver, 'TAKEN_OVER')
  // Read again, because the steps above may have ended plays.
  let plays = await live()

  const limit = await streamsAllowed(ctx, options.right)
  if (limit > 0 && plays.length >= limit) {
    // The same video on the same device (a reloaded page) continues the existing play.
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
  // A paused play resumes under its old address, so that a player that cannot replace it continues
  // without a gap.
  const resumed = options.playId && { id: options.playId, sessionId, productId, part }
  if (resumed && (await resumePlay(db, customer.id, resumed, now))) return { id: resumed.id, watermark }
  const id = newId<PlayId>()
  await insertPlay(db, customer.id, { id, memberId, sessionId, productId, part, address }, now)
  return { id, watermark }
}

/**
 * Returns how many streams may play at the same time; zero for no limit. Playing by a plan uses the
 * plan's number as sold; otherwise the larger number of tenant and plan applies.
 */
const streamsAllowed = async ({ db, customer, actor, clock }: MemberCtx, { source }: Pick<Right, 'source'>) => {
  const { streamLimit } = customer.settings.operation
  if (source !== 'PLAN' && streamLimit <= 0) return 0
  const plans = await memberPlans(db, customer.id, actor.memberId)
  const byPlan = openPlans(plans, clock.now()).regular && plans.plan ? plans.plan.streams : null
  if (byPlan === null) return streamLimit
  if (source === 'PLAN') return byPlan
  return byPlan <= 0 ? 0 : Math.max(streamLimit, byPlan)
}

/** Signs out the device the member chose, and refuses a new device above the limit. */
const deviceRefused = async (ctx: MemberCtx, signOut: SessionId | undefined, now: Date): Promise<Failure | null> => {
  const { db, customer, actor } = ctx
  const limit = customer.settings.operation.deviceLimit
  if (limit <= 0) return null
  if (signOut && signOut !== actor.sessionId) await endSession(ctx, signOut)
  const devices = await playingDevices(
    db,
    customer.id,
    actor.memberId,
    new Date(now.getTime() - deviceMilliseconds),
    now,
  )
  if (devices.length < limit || devices.some(({ sessionId }) => sessionId === actor.sessionId)) return null
  const data: DeviceLimit = {
    limit,
    devices,
  }
  return failure('DEVICE_LIMIT', { data })
}

/**
 * The part of a member id shown in the watermark: it identifies the member and is useless to
 * others.
 */
const watermarkId = (memberId: MemberId) => memberId.slice(-8).toUpperCase()

/** The watermark: the first letters of the email address and the end of the member id. */
const watermarkOf = (email: string, memberId: MemberId) => `${email.slice(0, 2)}•••  ${watermarkId(memberId)}`

/**
 * Records a player's report, or that it has left. Returns the state of the play; a play of another
 * session counts as closed.
 */
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
  /** The token of the request, if it belongs to this tenant; otherwise null. */
  token: string | null
  /** The request has a preview token, which opens the store before its launch. */
  preview: boolean
  /**
   * The file (captions, thumbnails) is shown while the video is paused, even after its play ended.
   */
  pausedAsset: boolean
  /** Returns the language of a download's name. Segments of streams need none. */
  languageOf: () => Locale | undefined
}

export interface MediaDecision {
  right: MediaRight
  /** The viewer and play of an address that was signed for another member. */
  otherMember: MediaRequestRow | null
}

const closed: MediaDecision = { right: 'CLOSED', otherMember: null }

/**
 * Milliseconds. File requests also keep a play alive; they are recorded no more often than this.
 */
const touchInterval = 30_000

/**
 * Returns what a validly signed address opens now. It opens only for its member and session, while
 * the right and the play are live: a refund, an expired rental, a sign-out, a takeover by another
 * device or a closed store stops it with the next segment. A guest's address opens free videos.
 */
export const mediaRight = async (
  { pool, clock, token, preview, pausedAsset, languageOf }: MediaAccess,
  grant: MediaGrant,
): Promise<MediaDecision> => {
  const { customerId, productId, lessonId, playId, memberId } = grant
  const now = clock.now()
  const tokenHash = token && hashSessionToken(token)
  const { request, heldRights } = await readMediaRequest(
    pool,
    customerId,
    { tokenHash, memberId, productId, lessonId, playId },
    now,
  )
  if (!request) return closed
  if (memberId !== null && request.memberId !== memberId) return { right: 'CLOSED', otherMember: request }
  if (!request.storeOpen || !(request.opened || preview)) return closed
  // Facts that few files need are read or written in a separate transaction.
  const inTenant = <Answer>(work: (db: TenantDb) => Promise<Answer>) => withTenant(pool, customerId, work)
  if (productId === null) return { ...closed, right: await inTenant((db) => inquiryFile(db, grant)) }
  const { product, lesson, play, sessionId } = request
  if (!product || (lessonId !== null && !lesson)) return closed
  const { data: attachmentId } = attachmentIdSchema.safeParse(/^attachment\/(.+)$/.exec(grant.asset)?.[1])
  if (playId !== null && !attachmentId && !isPlayOpen(play, sessionId, pausedAsset)) return closed

  const actor =
    memberId !== null && sessionId !== null
      ? ({ kind: 'USER', memberId, sessionId, guestId: null, viewing: false } as const)
      : ({ kind: 'GUEST', guestId: null } as const)
  const right = rightFrom(
    { actor, heldRights, useFree: request.useFree },
    { id: productId, access: product.access },
    now,
  )
  if (!isVisible({ ...product, id: productId }, right, { useFree: request.useFree, now, previewed: null }))
    return closed
  if (!right.entitled && !lesson?.free) return closed
  if (attachmentId) {
    const attachment = await inTenant((db) => findAttachment(db, customerId, productId, attachmentId))
    const key = attachment && right.entitled ? parseMediaKey(attachment.asset) : null
    if (!attachment || !key) return closed
    const language = languageOf()
    const { name: translated } = (language && attachment.translations[language]) ?? {}
    const name = typeof translated === 'string' ? withEndingOf(attachment.name, translated) : attachment.name
    return { ...closed, right: { key, name, contentType: attachment.contentType } }
  }
  // A video removed from its product closes immediately; a replaced one plays on for current
  // viewers.
  const isReplaced = () => inTenant((db) => isRetiredVideo(db, customerId, lessonId ?? productId, grant.asset))
  if (request.videoAsset !== grant.asset && !(await isReplaced())) return closed
  if (play && playId && now.getTime() - Date.parse(play.seenAt) > touchInterval)
    await inTenant((db) => touchPlay(db, customerId, playId, now))
  return { ...closed, right: 'STREAM' }
}

/** Whether a play still permits its own session to continue. */
const isPlayOpen = (play: MediaRequestRow['play'], sessionId: MediaRequestRow['sessionId'], pausedAsset: boolean) =>
  play !== null && play.sessionId === sessionId && (play.endedBy === null || (pausedAsset && play.endedBy !== 'CLOSED'))

/** A file attached to an inquiry opens only for its sender. */
const inquiryFile = async (db: TenantDb, { asset, customerId, memberId }: MediaGrant): Promise<MediaRight> => {
  const [kind, name] = asset.split('/')
  const { data: id } = inquiryFileIdSchema.safeParse(name)
  const file = kind === 'inquiry' && id && memberId !== null ? await findInquiryFile(db, customerId, id) : null
  const key = file?.memberId === memberId ? parseMediaKey(file?.asset ?? '') : null
  return file && key ? { key, name: file.name, contentType: file.contentType } : 'CLOSED'
}
