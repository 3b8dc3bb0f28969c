import { type Ctx, viewerOf } from '#api/context.ts'
import { lockPosition, recordPlay, updatePosition } from '#api/db/queries/positions.ts'
import { type Failure, isFailure } from '#api/domain/failure.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'
import { findPlayable } from './playable.ts'
import { partOf, watch } from './watch.ts'

export interface ProgressReport {
  id: ProductId
  lessonId?: LessonId | undefined
  positionSeconds: number
  playedSeconds: number
  at: string
}

export interface ProgressAnswer {
  positionSeconds: number
  finished: boolean
  counted: boolean
}

/** A device whose clock runs ahead must not win over all others until that time has come. */
const clockSlack = 60_000

/** Keeps where the actor stopped, and counts a play once it is long enough. A guest must have an id. */
export const reportProgress = async (ctx: Ctx, report: ProgressReport): Promise<ProgressAnswer | Failure> => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null) throw new Error('Progress is kept for a member or a guest with an id.')
  const playable = await findPlayable(ctx, report.id, report.lessonId)
  if (isFailure(playable)) return playable

  const now = ctx.clock.now()
  const { row } = await lockPosition(ctx.db, {
    customerId: ctx.customer.id,
    viewer,
    productId: report.id,
    part: partOf(playable.lesson?.id ?? null),
    positionSeconds: 0,
    durationSeconds: playable.video.durationSeconds,
    playedSeconds: 0,
    finished: false,
    counted: false,
    at: new Date(0).toISOString(),
  })
  const at = Math.min(Date.parse(report.at), now.getTime() + clockSlack)
  const { after, counts } = watch({ ...row, durationSeconds: playable.video.durationSeconds }, { ...report, at })
  await updatePosition(ctx.db, { ...row, ...after })
  if (counts) await recordPlay(ctx.db, ctx.customer.id, report.id, now)
  return { positionSeconds: after.positionSeconds, finished: after.finished, counted: after.counted }
}
