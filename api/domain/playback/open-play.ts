import type { MemberCtx } from '#api/context.ts'
import { memberPlans } from '#api/db/queries/plans.ts'
import {
  endLapsedPlays,
  endPlay,
  insertPlay,
  livePlays,
  lockViewer,
  playingDevices,
  resumePlay,
  signOfPlay,
} from '#api/db/queries/plays.ts'
import { newId } from '#api/db/uuid.ts'
import { endSession } from '#api/domain/accounts/end-session.ts'
import { openPlans } from '#api/domain/entitlements/plan-coverage.ts'
import type { Right } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { translate, translatedLocale } from '#api/domain/translations.ts'
import type { PlayId, ProductId, SessionId } from '#contract/ids.ts'
import type { DeviceLimit, StreamLimit } from '#contract/playback-refusals.ts'

/** A play whose player gave no sign for so long is over. Players report every ten seconds. */
export const playLapses = 90_000
/** A device counts for so long after it has played. */
const deviceCounts = 30 * 86_400_000

export interface PlayWish {
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
  wish: PlayWish,
): Promise<{ id: PlayId; watermark: string | null } | Failure> => {
  const { db, customer, actor, clock } = ctx
  const now = clock.now()
  const member = await lockViewer(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const end = (id: PlayId, by: 'LEFT' | 'TAKEN_OVER') => endPlay(db, customer.id, actor.memberId, id, by, now)
  const watermark = customer.settings.operation.watermark ? markOf(member.email, actor.memberId) : null

  await endLapsedPlays(db, customer.id, actor.memberId, new Date(now.getTime() - playLapses), now)
  const live = () => livePlays(db, customer.id, actor.memberId, translatedLocale(ctx))
  const own = (await live()).find(({ id, sessionId }) => id === wish.playId && sessionId === actor.sessionId)
  if (own && own.productId === wish.productId && own.part === wish.part) {
    await signOfPlay(db, customer.id, own.id, now)
    return { id: own.id, watermark }
  }
  // Whoever may not play here stops nothing elsewhere.
  const refused = await deviceRefused(ctx, wish.signOut, now)
  if (refused) return refused
  if (own) await end(own.id, 'LEFT')
  if (wish.takeOver) await end(wish.takeOver, 'TAKEN_OVER')
  // Read anew: a wish may name what ends nothing, a device that stays signed in for one.
  let plays = await live()

  const limit = await streamsAllowed(ctx, wish.right)
  if (limit > 0 && plays.length >= limit) {
    // Who opens the same video again on the same device (a page loaded anew) goes on with it.
    const same = plays.find(
      ({ sessionId, productId, part }) =>
        sessionId === actor.sessionId && productId === wish.productId && part === wish.part,
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
  const { productId, part, address } = wish
  const { memberId, sessionId } = actor
  // What was only paused goes on under the address it has: a player that cannot exchange it shows no gap.
  const left = wish.playId && { id: wish.playId, sessionId, productId, part }
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
