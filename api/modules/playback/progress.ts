import { toWholeMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type EventHandler, type Failure, failure, isFailure, viewerOf } from '#api/platform/context.ts'
import type { LessonId, PlayId, ProductId } from '#contract/ids.ts'
import { findPlayable } from './playback.ts'
import { reportPlay } from './plays.ts'
import {
  dismissPositions,
  lockPosition,
  movePositions,
  type PositionRow,
  type ProductEvent,
  recordEvents,
  updatePosition,
} from './positions.queries.ts'
import { applyReport, partOf, type ReportOutcome } from './watched-ranges.ts'

export interface ProgressReport {
  id: ProductId
  lessonId?: LessonId | undefined
  positionSeconds: number
  playedSeconds: number
  at: string
  knownAt?: string | null | undefined
  playId?: PlayId | undefined
  state?: 'PLAYING' | 'LEFT' | undefined
}

export interface ProgressAnswer {
  positionSeconds: number
  finished: boolean
  counted: boolean
  elsewhere: { positionSeconds: number; at: string } | null
  play: Awaited<ReturnType<typeof reportPlay>>
}

/** Milliseconds. A device clock that is further ahead must not override all other devices. */
const clockSlack = 60_000

/**
 * Saves the actor's position and counts what was played, and the play once it is long enough. A
 * guest must have an id.
 */
export const reportProgress = async (ctx: Ctx, sent: ProgressReport): Promise<ProgressAnswer | Failure> => {
  const report = {
    ...sent,
    positionSeconds: toWholeMilliseconds(sent.positionSeconds),
    playedSeconds: toWholeMilliseconds(sent.playedSeconds),
  }
  const viewer = viewerOf(ctx.actor)
  if (viewer === null) throw new Error('Progress is kept for a member or a guest with an id.')
  // Runs first: leaving releases the stream, even without a right.
  const play = await reportPlay(ctx, report)
  const playable = await findPlayable(ctx, report.id, report.lessonId)
  if (isFailure(playable)) return playable

  const now = ctx.clock.now()
  const row = await lockPosition(ctx.db, {
    customerId: ctx.customer.id,
    viewer,
    productId: report.id,
    part: partOf(playable.lesson?.id ?? null),
    positionSeconds: 0,
    durationSeconds: playable.video.durationSeconds,
    playedSeconds: 0,
    finished: false,
    counted: false,
    countedOn: null,
    watchedRanges: 0,
    at: new Date(0).toISOString(),
    playedUntil: null,
    dismissedAt: null,
  })
  const { playedSeconds } = report
  const elsewhere = movedSince(row, report.knownAt)
  // Another device has moved on: the played time counts, but its position remains until the viewer
  // chooses.
  const { positionSeconds, at } = elsewhere ?? report
  const { after, ...watching } = applyReport(
    { ...row, durationSeconds: playable.video.durationSeconds },
    {
      positionSeconds,
      playedSeconds,
      playedTo: report.positionSeconds,
      at: Math.min(Date.parse(at), now.getTime() + clockSlack),
    },
    now,
    ctx.customer.settings.base.timeZone,
  )
  await updatePosition(ctx.db, { ...row, ...after, dismissedAt: playedSeconds > 0 ? null : row.dismissedAt })
  await recordEvents(ctx.db, { ...row, at: now.toISOString() }, eventsOf(watching, after.countedOn))
  return { positionSeconds: after.positionSeconds, finished: after.finished, counted: after.counted, elsewhere, play }
}

/** A play without a known day is not in the analytics, so its events are not either. */
const eventsOf = (
  { counts, finishes, newRanges, playedSeconds }: Omit<ReportOutcome, 'after'>,
  day: string | null,
): ProductEvent[] => [
  ...(playedSeconds > 0 ? [{ type: 'WATCH', seconds: playedSeconds } as const] : []),
  ...(day && counts ? [{ type: 'PLAY', day, watchedRanges: newRanges } as const] : []),
  ...(day && !counts && newRanges > 0 ? [{ type: 'REACH', day, watchedRanges: newRanges } as const] : []),
  ...(day && finishes ? [{ type: 'FINISH', day } as const] : []),
]

/** Returns the position of another device if it is later than the one the player knows. */
const movedSince = (row: PositionRow, knownAt: string | null | undefined) => {
  const at = Date.parse(row.at)
  if (knownAt === undefined || at <= (knownAt === null ? 0 : Date.parse(knownAt))) return null
  return { positionSeconds: row.positionSeconds, at: new Date(at).toISOString() }
}

/**
 * Dismisses a product from the viewer's continue-watching list, or restores it. The position is
 * retained.
 */
export const dismissWatched = async (
  ctx: Ctx,
  productId: ProductId,
  dismissed: boolean,
): Promise<{ dismissed: boolean } | Failure> => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null) return failure('NOT_FOUND')
  const at = dismissed ? ctx.clock.now().toISOString() : null
  const exists = await dismissPositions(ctx.db, { customerId: ctx.customer.id, viewer, productId }, at)
  return exists ? { dismissed } : failure('NOT_FOUND')
}

/** Moves the positions of a merged account. */
export const moveMergedPositions: EventHandler<'memberMerged'> = ({ db, customer }, { fromId, memberId }) =>
  movePositions(db, customer.id, fromId, memberId)

/** Moves the positions of a guest to the member who has signed in. */
export const moveGuestPositions: EventHandler<'memberSignedIn'> = ({ db, customer }, { guestId, memberId }) =>
  movePositions(db, customer.id, guestId, memberId)
