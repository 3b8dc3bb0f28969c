import { sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { type Attempt, writeAttempt } from '#api/db/queries/video-jobs.ts'
import { attemptsAtMost, isPassing, stateAfter, turnOf, waitAfterAttempt } from './states.ts'

export interface Ending {
  failure: string
  /** What the operator reads. */
  reason: string
  /** What the attempt had stored is gone; otherwise the tidying takes it away. */
  cleaned: boolean
}

/**
 * An attempt has come to nothing. What may pass is tried again later and later; a file that was refused, and one that was tried often
 * enough, has failed. Answers what became of the job; null when it was this attempt's no more.
 */
export const endAttempt = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  attempt: Attempt,
  { cleaned, ...ending }: Ending,
): Promise<'QUEUED' | 'FAILED' | null> => {
  const turn = turnOf(attempt.attempts)
  const again = isPassing(ending.failure) && ending.failure !== 'ENCODER_MISSING' && turn < attemptsAtMost
  const wait = ending.failure === 'WORKER_LOST' ? 0 : (waitAfterAttempt[turn - 1] ?? waitAfterAttempt.at(-1))
  const status = stateAfter[again ? 'PUT_OFF' : 'FAILED']
  const held = await writeAttempt(db, customer.id, attempt, {
    ...{ ...ending, status, secondsLeft: null },
    ...(again
      ? // Whoever begins it next takes away what this one may have left.
        { step: null, percent: 0, dueAt: sql`now() + make_interval(secs => ${wait})` as unknown as string }
      : { endedAt: clock.now().toISOString(), ...(cleaned && { step: null }) }),
  })
  return held ? (status as 'QUEUED' | 'FAILED') : null
}
