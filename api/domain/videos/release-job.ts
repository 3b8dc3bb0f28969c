import { sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { type Attempt, announceVideoJobs, writeAttempt } from '#api/db/queries/video-jobs.ts'
import { stateAfter } from './states.ts'

/** A worker that is told to stop gives its job back, and the attempt is not counted. */
export const releaseJob = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, attempt: Attempt) => {
  await writeAttempt(db, customer.id, attempt, {
    ...{ status: stateAfter.PUT_OFF, step: null, percent: 0, secondsLeft: null },
    ...{ attempts: attempt.attempts - 1, dueAt: sql`now()` as unknown as string },
  })
  await announceVideoJobs(db, customer.id)
}
